#===-- test/Kernels/Inputs/word_products.py - Products of words ---------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Products with weights in bf16 or in integers of 8 bits, over sizes with all
remainders of tiles and words, with NaN and infinity, and chunks in any order.

Usage: word_products.py CPU bf16|int8 [--stack KB]; CPU `dot` is one whose instructions
for both are used, if this machine has them, else `native`.

Panels are made here as runtime/include/cambium/abi.h describes them. Results with
integers have to be equal, bit by bit, to what is said in docs/Codegen.md; those with
bf16 to the sum of the rounded products in f64, up to the rounding of sums. Both have to
be within the bounds of docs/Codegen.md of the product of what is not rounded."""

import math
import pathlib
import random
import struct
import sys
import threading

from harness import C, Compiled, Host, Param, array, pieces

SLICES = 2
CPU, FORMAT = sys.argv[1:3]
if CPU == "dot":
    FLAGS = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").split()
    CPU = "cooperlake" if {"avx512_bf16", "avx512_vnni"} <= {*FLAGS} else "native"
INF, NAN = math.inf, math.nan
LEAST = 2.0 ** -120
MAGIC = 12582912.0


def f32(x):
    try:
        return struct.unpack("f", struct.pack("f", x))[0]
    except OverflowError:
        return math.copysign(INF, x)


def bf16_bits(x):
    bits, = struct.unpack("I", struct.pack("f", x))
    if bits & 0x7fffffff > 0x7f800000:
        return (bits | 0x400000) >> 16
    return (bits + 0x7fff + (bits >> 16 & 1)) >> 16


def bf16(x):
    return struct.unpack("f", struct.pack("I", bf16_bits(x) << 16))[0]


def quantized(values):
    """The integers of a row or column, and the scale."""
    most = max((abs(x) for x in values), default=0.0)
    if not all(map(math.isfinite, values)):
        return [0] * len(values), NAN
    if most < LEAST:
        return [0] * len(values), 0.0
    inverse = f32(127 / most)
    return [int(f32(f32(x * inverse) + MAGIC) - MAGIC) for x in values], f32(most / 127)


def in_words(b, K, N, width):
    """The matrices of `b` in panels, as 32-bit words."""
    group = 2 if FORMAT == "bf16" else 4
    words = []
    for begin in range(0, len(b), K * N):
        for first in range(0, N, width):
            columns = [[b[begin + k * N + n] for k in range(K)] if n < N else [0.0] * K
                       for n in range(first, first + width)]
            numbers = [([bf16_bits(x) for x in column], 0) if group == 2 else quantized(column)
                       for column in columns]
            bits = 32 // group
            for k in range(0, K, group):
                for values, _ in numbers:
                    words.append(sum((v & (1 << bits) - 1) << bits * i
                                     for i, v in enumerate(values[k:k + group])))
            if group == 4:
                words += [struct.unpack("I", struct.pack("f", s))[0] for _, s in numbers]
                words += [-128 * sum(values) & 0xffffffff for values, _ in numbers]
    return (C.c_uint32 * len(words))(*words)


def entry(name, K, N, init):
    start = {"zero": f"linalg.fill ins(%zero : f32) outs(%c : memref<?x{N}xf32>)",
             "row": f"linalg.broadcast ins(%row : memref<{N}xf32>) "
                    f"outs(%c : memref<?x{N}xf32>) dimensions = [0]",
             "old": "", "slice": ""}[init]
    weights, b = f"{K}x{N}xf32", f"%b = rt.param @W{name} : memref<{K}x{N}xf32>"
    kind = f"memref<{weights}>"
    if init == "slice":
        weights = f"{SLICES}x{K}x{N}xf32"
        kind = f"memref<{K}x{N}xf32, strided<[{N}, 1], offset: ?>>"
        b = f"""%last = arith.constant {SLICES - 1} : index
  %all = rt.param @W{name} : memref<{weights}>
  %b = memref.subview %all[%last, 0, 0] [1, {K}, {N}] [1, 1, 1]
    : memref<{weights}> to {kind}"""
    return f"""
nn.param @R{name} : tensor<{N}xf32>
nn.param @W{name} : tensor<{weights}>
func.func @{name}(%a: memref<?x{K}xf32> {{rt.as = #rt.input<name = "a">}},
    %c: memref<?x{N}xf32> {{rt.as = #rt.output<name = "c">}}) {{
  %zero = arith.constant 0.0 : f32
  %row = rt.param @R{name} : memref<{N}xf32>
  {b}
  {start}
  linalg.matmul ins(%a, %b : memref<?x{K}xf32>, {kind}) outs(%c : memref<?x{N}xf32>)
  return
}}
"""


# Depth, columns, what sums start from, rows of batches.
CASES = [(257, 70, "zero", [0, 1, 2, 3, 4, 5, 6, 7, 8, 13]),
         (258, 67, "row", [1, 5, 97]), (259, 81, "old", [2, 6, 20]),
         (512, 129, "slice", [1, 7]), (1030, 70, "row", [1, 3, 49]),
         (40, 500, "zero", [3, 49, 101]), (64, 1501, "row", [1, 4]),
         (2060, 64, "old", [6, 8])]


def special(values, K, rows, rng):
    """Puts what is no number, or a strange one, into some rows."""
    for i, x in enumerate((NAN, INF, -INF, 3.4e38, 1e-42, 1e-30, -0.0)):
        if i + 1 < rows:
            values[(i + 1) * K + rng.randrange(K)] = x
    if rows > 9:
        values[9 * K:10 * K] = [2.0 ** -130] * K


def expected_of(row, column, start):
    """The value, how far a result may be from it, and the same for what is not
    rounded."""
    exact = math.fsum(x * y for x, y in zip(row, column)) if all(
        map(math.isfinite, [*row, *column])) else NAN
    if FORMAT == "bf16":
        products = [bf16(x) * bf16(y) for x, y in zip(row, column)]
        value = sum(products, start)
        size = abs(start) + sum(map(abs, products))
        total = sum(abs(x * y) for x, y in zip(row, column))
        small = 2.0 ** -126 * sum(1 + abs(x) + abs(y) for x, y in zip(row, column))
        return (value, size * (8 + 4 * len(row) ** 0.5) * 2.0 ** -24 + small,
                exact + start, small + (total + abs(start)) *
                (2.0 ** -7 + 2.0 ** -16 + (len(row) + 1) * 2.0 ** -24))
    (p, sp), (q, sq) = quantized(row), quantized(column)
    total = f32(sum(x * y for x, y in zip(p, q)))
    value = f32(f32(f32(total * sp) * sq) + start)
    bound = (sum(abs(x) * sq / 2 + abs(y) * sp / 2 for x, y in zip(row, column)) +
             len(row) * (sp * sq / 4 + LEAST * max(map(abs, column))) +
             4 * 2.0 ** -24 * (abs(exact) + abs(start)))
    return value, 0, exact + start, 1.001 * bound


def is_near(got, value, tolerance):
    if math.isnan(value):
        return math.isnan(got)
    return got == value or abs(got - value) <= tolerance


def places(M, N, rng):
    """All elements of a small result; else its corners and some others."""
    if M * N <= 64:
        return [(i, j) for i in range(M) for j in range(N)]
    return [*((rng.randrange(M), rng.randrange(N)) for _ in range(40)),
            *((M - 1, j) for j in range(N - 1, max(N - 20, -1), -1)),
            *((i, N - 1) for i in range(min(M, 12)))]


class Products(Compiled):
    def __init__(self):
        option = "--math=bf16" if FORMAT == "bf16" else "--weights=int8"
        text = "".join(entry(f"p{i}", *case[:3]) for i, case in enumerate(CASES))
        super().__init__(text, f"--mcpu={CPU}", option)
        self.infos = {p["name"]: (i, p) for i, p in enumerate(self.manifest["params"])}
        target = self.manifest["target"]
        assert (target.get("math"), target.get("weights")) == (
            ("bf16", None) if FORMAT == "bf16" else (None, "int8")), target

    def check(self, number, batch, rng):
        K, N, init, _ = CASES[number]
        uniform = lambda size: [f32(rng.uniform(-1, 1)) for _ in range(size)]
        a = uniform(batch * K)
        special(a, K, batch, rng)
        b = uniform(K * N * (SLICES if init == "slice" else 1))
        if number % 2:
            b[-N + 5], b[-N + 9], b[-N + 11] = NAN, INF, 1e38
        row, old = uniform(N), uniform(batch * N)
        at, info = self.infos[f"Wp{number}"]
        assert info["panel_format"] == FORMAT, info
        words = in_words(b, K, N, info["panels"])
        params = [Param() for _ in self.infos]
        values = [array("f32", b), array("f32", row)]
        params[at].value, params[at].panels = C.addressof(values[0]), C.addressof(words)
        params[self.infos[f"Rp{number}"][0]].value = C.addressof(values[1])
        results = []
        for divide in (None, pieces):
            c = array("f32", old)
            status = self.call(f"p{number}", [array("f32", a)], [c], params, Host(divide), batch)
            assert status == 0
            results.append(bytes(c))
            got = list(c)
        assert results[0] == results[1], ("depends on the chunks", CASES[number], batch)
        first = len(b) - K * N
        start = {"zero": [0.0] * (batch * N), "row": row * batch}.get(init, old)
        for i, j in places(batch, N, rng):
            left, right = a[i * K:(i + 1) * K], b[first + j::N][:K]
            value, near, exact, bound = expected_of(left, right, start[i * N + j])
            result = got[i * N + j]
            assert is_near(result, value, near), (CASES[number], batch, i, j, result, value)
            limit = max(map(abs, left + right))
            if limit < 1e18:
                assert is_near(result, exact, bound), (
                    "bound", CASES[number], batch, i, j, result, exact, bound)


def main():
    module = Products()
    rng = random.Random(3)
    checked = 0
    for number, case in enumerate(CASES):
        for batch in case[3]:
            module.check(number, batch, rng)
            checked += 1
    print(f"{checked} products agree")


if "--stack" in sys.argv:
    threading.stack_size(int(sys.argv[-1]) << 10)
    thread = threading.Thread(target=main)
    thread.start()
    thread.join()
else:
    main()
