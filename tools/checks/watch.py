#===-- tools/checks/watch.py - Ends what waits for ever ------------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""usage: watch.py SECONDS COMMAND...

Runs a command. Each of its processes has SECONDS of a processor; those that wait for
ever are ended. Exits as the command does. A busy machine ends nothing: a process that
has to wait for a processor does not count as one that waits."""

import math
import resource
import shlex
import subprocess
import sys
import threading

import psutil

IDLE_SECONDS = 180


class Watch(threading.Thread):
    """Ends the processes below this one, but `spared`, once neither they nor the thread
    that made the watch had a reason to run for so many seconds. Also once they have used
    more than `processor_seconds` together, which a script that begins again and again
    does."""

    LOOKS = 36

    def __init__(self, idle_seconds=IDLE_SECONDS, processor_seconds=math.inf, spared=None):
        super().__init__(daemon=True)
        self.pause = idle_seconds / self.LOOKS
        self.limit, self.spared = processor_seconds, spared
        self.owner = threading.get_native_id()
        self.begin = self.reaped()
        self.done = threading.Event()
        self.ended, self.reason = [], ""
        self.idle_seconds = idle_seconds

    def run(self):
        # Looks are counted, since the whole machine may have stood still.
        idle, last = 0, None
        while not self.done.wait(self.pause):
            now, total = self.look()
            idle = idle + 1 if now and now == last else 0
            last = now
            if idle >= self.LOOKS:
                self.end(f"no process ran for {self.idle_seconds} seconds")
            elif total > self.limit:
                self.end(f"its processes used {self.limit} seconds")

    @staticmethod
    def reaped():
        """What the processes have used that are no more."""
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    def runs_itself(self):
        """Whether the thread that made the watch has a reason to run."""
        with open(f"/proc/self/task/{self.owner}/stat", encoding="utf-8") as file:
            return file.read().rpartition(")")[2].split()[0] in "RD"

    def look(self):
        """What each process has used, by its number; nothing if one of them runs. And
        what all have used since the beginning."""
        used, total, runs = {}, self.reaped() - self.begin, self.runs_itself()
        for process in psutil.Process().children(recursive=True):
            try:
                runs |= process.status() in (psutil.STATUS_RUNNING, psutil.STATUS_DISK_SLEEP)
                times = process.cpu_times()
            except psutil.NoSuchProcess:
                runs = True
                continue
            used[process.pid] = times[:2]
            total += sum(times[:4])  # With the children that it waited for.
        return None if runs else used, total

    def end(self, reason):
        self.reason = reason
        for process in psutil.Process().children(recursive=True):
            try:
                if process.pid != self.spared:
                    self.ended.append(shlex.join(process.cmdline()))
                    process.kill()
            except psutil.NoSuchProcess:
                pass

    def stop(self):
        """What was ended, in lines, if something was."""
        self.done.set()
        self.join()
        if not self.ended:
            return ""
        return f"\nended, since {self.reason}:\n" + "".join(f"  {c}\n" for c in self.ended)


def limit_processor(seconds):
    """Every process that this one begins has so many seconds of a processor: it starts at
    zero with the limit of this one, which has used some."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    limit = math.ceil(usage.ru_utime + usage.ru_stime) + seconds
    if hard != resource.RLIM_INFINITY:
        limit = min(limit, hard)
    resource.setrlimit(resource.RLIMIT_CPU, (limit, hard))


def main():
    limit_processor(int(sys.argv[1]))
    with subprocess.Popen(sys.argv[2:]) as process:
        watch = Watch(spared=process.pid)
        watch.start()
        code = process.wait()
        print(watch.stop(), end="")
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main())
