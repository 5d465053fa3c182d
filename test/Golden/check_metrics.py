#!/usr/bin/env python3
#===-- test/Golden/check_metrics.py - Metrics beside those of packages ---===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""usage: check_metrics.py EXPECTED PART < what cambium-run eval printed

Each metric of the part is there, equal in all digits that are printed."""

import json
import pathlib
import re
import sys

expected = json.loads(pathlib.Path(sys.argv[1]).read_text())[sys.argv[2]]
text = sys.stdin.read()
wrong = 0
for name, value in expected.items():
    found = re.search(rf"\b{name} ([-+.0-9e]+)", text)
    if not found or abs(float(found[1]) - value) > 1e-4 * max(1e-3, abs(value)):
        print(f"{name}: expected {value}, but got {found[1] if found else 'nothing'}")
        wrong += 1
print(f"{len(expected)} metrics, {wrong} wrong")
sys.exit(wrong > 0 or not expected)
