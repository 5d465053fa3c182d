#===-- test/Tools/cambium-run/Inputs/interrupt.py - Ctrl-C ---------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""usage: interrupt.py SIGNAL TIMES FILE COMMAND...

Runs the command on a terminal, waits for FILE, sends the signal so many times, a
quarter of a second apart, and prints what the terminal shows and the exit code. Nothing
is measured: a command that must not wait is one that would wait for ever.
"""
import os
import pty
import signal
import subprocess
import sys
import threading
import time

name, times, file, *command = sys.argv[1:]
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
while process.poll() is None and not os.path.exists(file):
    time.sleep(0.001)
time.sleep(0.25)
for _ in range(int(times)):
    process.send_signal(number)
    time.sleep(0.25)
code = process.wait()
reader.join()
text = b"".join(shown).decode().replace("\r\n", "\n").replace("\r", "\n")
print(text.replace("\033[K", ""))
print(f"exit code {code}")
