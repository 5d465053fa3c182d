#===-- test/processor_time.py - Limits that a busy machine keeps ---------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""The format of lit's tests with a limit of processor time, and one for those that
wait. Apart from lit.cfg.py, since lit hands it to its workers by its name."""

import math
import resource
import shlex
import threading

import lit.formats
import psutil


class Watch(threading.Thread):
    """Ends the processes below this one once none of them has had a reason to run for
    so many seconds: what waits for ever, on a busy machine too, where a process that
    has to wait for a processor is one that runs."""

    LOOKS = 36

    def __init__(self, seconds):
        super().__init__(daemon=True)
        self.pause = seconds / self.LOOKS
        self.done = threading.Event()
        self.ended = []

    def run(self):
        # Looks are counted, since the whole machine may have stood still.
        idle, last = 0, None
        while not self.done.wait(self.pause):
            now = self.look()
            idle = idle + 1 if now and now == last else 0
            last = now
            if idle >= self.LOOKS:
                self.end()

    @staticmethod
    def look():
        """What each process has used, by its number; nothing if one of them runs."""
        used = {}
        for process in psutil.Process().children(recursive=True):
            try:
                if process.status() in (psutil.STATUS_RUNNING, psutil.STATUS_DISK_SLEEP):
                    return None
                used[process.pid] = process.cpu_times()[:2]
            except psutil.NoSuchProcess:
                return None
        return used

    def end(self):
        for process in psutil.Process().children(recursive=True):
            try:
                self.ended.append(shlex.join(process.cmdline()))
                process.kill()
            except psutil.NoSuchProcess:
                pass


class LimitedTest(lit.formats.ShTest):
    """Every process of a test has so many seconds of a processor, however many others
    want it: a clock on the wall would end tests of a busy machine. Processes that wait
    for nothing use none; the watch ends those. lit's --timeout is far above."""

    SECONDS = 120

    def __init__(self, *arguments, idle_seconds=180, **options):
        super().__init__(*arguments, **options)
        self.idle_seconds = idle_seconds

    def execute(self, test, lit_config):
        # Processes start at zero with the limit of this one, which has used some.
        usage = resource.getrusage(resource.RUSAGE_SELF)
        used = math.ceil(usage.ru_utime + usage.ru_stime)
        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        limit = used + self.SECONDS
        if hard != resource.RLIM_INFINITY:
            limit = min(limit, hard)
        resource.setrlimit(resource.RLIMIT_CPU, (limit, hard))
        watch = Watch(self.idle_seconds)
        watch.start()
        try:
            result = super().execute(test, lit_config)
        finally:
            watch.done.set()
            watch.join()
            # lit's own clock goes on where a command could not begin, and lit would
            # wait for its end.
            for thread in threading.enumerate():
                if isinstance(thread, threading.Timer):
                    thread.cancel()
        if watch.ended:
            result.output += (f"\nended, since no process ran for {self.idle_seconds} "
                              "seconds:\n" + "".join(f"  {c}\n" for c in watch.ended))
        return result
