#===-- test/Kernels/Inputs/functions.py - How exact functions are -------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""exp, tanh, erf and a sigmoid of f32 beside those of libm in double: errors in units in
the last place of numbers of all sizes, and what is exact.

Usage: functions.py CPU
"""

import math
import random
import sys

from harness import Compiled, array

# What a model's nn.sigmoid is made of.
SIGMOID = """
    %one = arith.constant 1.0 : f32
    %largest = arith.constant 4.2535296e37 : f32
    %n = arith.negf %x : f32
    %e = math.exp %n : f32
    %d = arith.addf %e, %one : f32
    %above = arith.cmpf ogt, %d, %largest : f32
    %b = arith.select %above, %largest, %d : f32
    %y = arith.divf %one, %b fastmath<arcp,ninf,contract> : f32"""
BODIES = {"exp": "%y = math.exp %x : f32", "tanh": "%y = math.tanh %x : f32",
          "erf": "%y = math.erf %x : f32", "sigmoid": SIGMOID}


def function(name, body):
    return f"""
func.func @{name}(%in: memref<?xf32> {{rt.as = #rt.input<name = "in">}},
                  %out: memref<?xf32> {{rt.as = #rt.output<name = "out">}}) {{
  linalg.generic {{indexing_maps = [#i, #i], iterator_types = ["parallel"]}}
      ins(%in : memref<?xf32>) outs(%out : memref<?xf32>) {{
  ^bb0(%x: f32, %o: f32):
    {body}
    linalg.yield %y : f32
  }}
  return
}}
"""


def sigmoid(x):
    return 1 / (1 + math.exp(-x)) if x > -700 else 0.0


def exp(x):
    return math.exp(x) if x < 700 else math.inf


EXACT = {"exp": exp, "tanh": math.tanh, "erf": math.erf, "sigmoid": sigmoid}


def unit(y):
    """A unit in the last place of an f32 of this size, that of the smallest normal at least."""
    return 2.0 ** (max(math.frexp(y)[1], -125) - 24)


def numbers(rng):
    some = [rng.uniform(-12, 12) for _ in range(60000)]
    some += [rng.choice((-1, 1)) * 2.0 ** rng.uniform(-126, 7) for _ in range(20000)]
    some += [rng.uniform(-90, 90) for _ in range(20000)]
    return some + [0.0, -0.0, 88.0, -87.0, 88.7, 1e30, -1e30]


def check(module, name, given):
    x = array("f32", given)
    y = array("f32", [7] * len(given))
    assert module.call(name, [x], [y], examples=len(given)) == 0
    worst = 0.0
    for a, b in zip(x, y):
        exact = EXACT[name](a)
        if exact > 3.4028234e38:
            assert b == math.inf, (name, a, b)
        elif exact < 2.0 ** -125 and name in ("exp", "sigmoid"):
            assert 0 <= b <= 2.0 ** -124, (name, a, b)
        else:
            assert name not in ("tanh", "erf") or abs(b) <= 1, (name, a, b)
            worst = max(worst, abs(b - exact) / unit(exact))
    assert worst <= 6, (name, worst)


def check_ends(module):
    inf, nan = math.inf, math.nan
    for name, ends in {"exp": (0, inf), "tanh": (-1, 1), "erf": (-1, 1),
                       "sigmoid": (2.0 ** -125, 1)}.items():
        # A vector and what is left of one.
        x = array("f32", [-inf, inf, nan, -100, 100, 0.0] * 3 + [nan])
        y = array("f32", [7] * len(x))
        assert module.call(name, [x], [y], examples=len(x)) == 0
        for a, b in zip(x, y):
            if math.isnan(a):
                assert math.isnan(b), (name, a, b)
            elif a:
                # Reciprocals by an estimate may differ by a unit.
                assert abs(b - ends[a > 0]) <= 2.0 ** -23 * ends[0] if name == "sigmoid" and \
                    a < 0 else b == ends[a > 0], (name, a, b)
            else:
                assert b == EXACT[name](0.0), (name, a, b)


def main():
    text = "#i = affine_map<(i) -> (i)>\n" + "".join(
        function(name, body) for name, body in BODIES.items())
    module = Compiled(text, f"--mcpu={sys.argv[1]}")
    given = numbers(random.Random(1))
    for name in BODIES:
        check(module, name, given)
    check_ends(module)
    print(f"{len(BODIES)} functions within 6 units")


main()
