#===-- test/Tools/cambium-run/Inputs/interrupt.py - Ctrl-C ---------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""usage: interrupt.py SIGNAL TIMES FILE WORDS COMMAND...

Runs the command on a terminal, waits for FILE and for WORDS on it, sends the signal so
many times, each once the terminal speaks of the one before, and prints what the
terminal shows and the exit code. Nothing is measured: a command that must not wait is
one that would wait for ever.
"""
import os
import pty
import signal
import subprocess
import sys
import threading
import time

name, times, file, words, *command = sys.argv[1:]
number = getattr(signal, name)
master, slave = pty.openpty()
process = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave)
os.close(slave)
shown = []


def collect():
    try:
        while data := os.read(master, 65536):
            shown.append(data)
    except OSError:
        pass  # The terminal is closed when the process has ended.


reader = threading.Thread(target=collect)
reader.start()


def wait(ready):
    while process.poll() is None and not ready():
        time.sleep(0.001)


wait(lambda: os.path.exists(file) and words.encode() in b"".join(shown))
for said in range(int(times)):
    wait(lambda: b"".join(shown).count(b"stopping after") >= said)
    process.send_signal(number)
code = process.wait()
reader.join()
text = b"".join(shown).decode().replace("\r\n", "\n").replace("\r", "\n")
print(text.replace("\033[K", ""))
print(f"exit code {code}")
