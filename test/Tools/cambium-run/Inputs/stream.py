#===-- Inputs/stream.py - Answers as the lines come ----------------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""usage: stream.py [--lines N] FILE COMMAND...

Runs the command, which answers examples of its input with a line each: with one
line at a time, each sent when the one before has been answered; with many lines
(100,000), for its memory; and with a file that is cut at any byte."""
import os
import random
import subprocess
import sys
import threading

arguments = sys.argv[1:]
many_lines = 100000
if arguments[0] == "--lines":
    many_lines = int(arguments[1])
    arguments = arguments[2:]
file, *command = arguments
with open(file, "rb") as stream:
    lines = stream.readlines()


def start():
    return subprocess.Popen(command, stdin=subprocess.PIPE,
                            stdout=subprocess.PIPE)


def one_by_one(count):
    process = start()
    watchdog = threading.Timer(60, process.kill)
    watchdog.start()
    for line in lines[:count]:
        process.stdin.write(line)
        process.stdin.flush()
        answer = process.stdout.readline()
        assert answer.endswith(line), f"{answer} for {line}"
    process.stdin.close()
    assert process.wait() == 0
    watchdog.cancel()


def peak(count):
    """The memory that the command takes for so many lines, in kB."""
    process = start()

    def write():
        for _ in range(count // len(lines)):
            process.stdin.write(b"".join(lines))
        process.stdin.close()

    writer = threading.Thread(target=write)
    writer.start()
    answers = sum(1 for _ in process.stdout)
    writer.join()
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0 and answers == count, f"{answers} answers, {status}"
    return usage.ru_maxrss


def in_pieces():
    whole = subprocess.run(command + [file], check=True, capture_output=True)
    rng = random.Random(1)
    process = start()

    def write():
        text = b"".join(lines)
        while text:
            size = rng.randint(1, 200)
            process.stdin.write(text[:size])
            process.stdin.flush()
            text = text[size:]
        process.stdin.close()

    writer = threading.Thread(target=write)
    writer.start()
    answers = process.stdout.read()
    writer.join()
    assert process.wait() == 0
    assert answers == whole.stdout


one_by_one(20)
print("each of 20 lines was answered before the next one")
few, many = peak(1000), peak(many_lines)
assert many <= few + 16000, f"{few} kB for 1,000 lines, {many} kB for {many_lines}"
print(f"{many_lines} lines were answered with no more memory than 1000 and 16 MB")
in_pieces()
print("lines in pieces have the answers of the whole file")
