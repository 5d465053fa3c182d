#===-- test/Kernels/Inputs/products_transposed.py - In panels ----------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Products whose right operand is transposed into panels have the bits of the same products
that read it in rows, however threads share them.

Usage: products_transposed.py CPU
"""

import random
import sys

from harness import C, Compiled, Host, Param, array, pieces

# Rows and columns of a weight, and its type: a part of a panel, whole panels, panels and a
# part.
SIZES = [(70, 300, "f32"), (64, 256, "f32"), (150, 140, "f32"), (100, 130, "f64")]
ROWS = [0, 1, 2, 3, 5, 8, 25, 97, 300]


def entry(name, apart, N, K, T):
    """Two products with transposed weights that are added to one result. What others read,
    too, is transposed into rows."""
    lines = []
    for i in range(2):
        lines.append(f"linalg.transpose ins(%w{i} : memref<{N}x{K}x{T}>) "
                     f"outs(%t{i} : memref<{K}x{N}x{T}>) permutation = [1, 0]")
        lines.append(f"linalg.matmul ins(%a, %t{i} : memref<?x{K}x{T}>, memref<{K}x{N}x{T}>) "
                     f"outs(%c : memref<?x{N}x{T}>)")
        if apart:
            lines.append(f"linalg.copy ins(%t{i} : memref<{K}x{N}x{T}>) "
                         f"outs(%copy : memref<{K}x{N}x{T}>)")
    return f"""
func.func @{name}(%a: memref<?x{K}x{T}> {{rt.as = #rt.input<name = "a">}},
                  %c: memref<?x{N}x{T}> {{rt.as = #rt.output<name = "c">}}) {{
  %w0 = rt.param @W{N}_0 : memref<{N}x{K}x{T}>
  %w1 = rt.param @W{N}_1 : memref<{N}x{K}x{T}>
  %t0 = rt.alloc() : memref<{K}x{N}x{T}>
  %t1 = rt.alloc() : memref<{K}x{N}x{T}>
  %copy = rt.alloc() : memref<{K}x{N}x{T}>
  {chr(10).join(lines)}
  return
}}
"""


def text():
    parts = []
    for N, K, T in SIZES:
        parts += [f"nn.param @W{N}_{i} : tensor<{N}x{K}x{T}>" for i in range(2)]
        parts += [entry(f"panels{N}", False, N, K, T), entry(f"rows{N}", True, N, K, T)]
    return "\n".join(parts)


def main():
    module = Compiled(text(), f"--mcpu={sys.argv[1]}")
    rng = random.Random(5)
    names = [p["name"] for p in module.manifest["params"]]
    checked = 0
    for N, K, T in SIZES:
        number = lambda size: array(T, [rng.uniform(-1, 1) for _ in range(size)])
        params, kept = [Param() for _ in names], []
        for param, name in zip(params, names):
            if name.startswith(f"W{N}_"):
                kept.append(number(N * K))
                param.value = C.addressof(kept[-1])
        for rows in ROWS:
            a, before = number(rows * K), list(number(rows * N))
            results = []
            for name in (f"panels{N}", f"rows{N}"):
                for divide in (None, pieces):
                    out = array(T, before)
                    assert module.call(name, [a], [out], params, Host(divide),
                                       examples=rows) == 0
                    results.append(list(out)[:rows * N])
            assert all(result == results[0] for result in results), (N, rows)
            if rows == 2:
                expected = [sum(a[r * K + k] * w[n * K + k] for w in kept for k in range(K))
                            + before[r * N + n] for r in range(rows) for n in range(N)]
                assert all(abs(x - y) < 1e-3 for x, y in zip(results[0], expected)), (N, rows)
            checked += 1
    print(f"{checked} products agree")


main()
