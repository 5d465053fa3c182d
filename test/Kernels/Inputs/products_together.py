#===-- test/Kernels/Inputs/products_together.py - One parallel loop ----===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Products that are done together have the bits of the same products done one by one,
however threads share them.

Usage: products_together.py CPU
"""

import random
import sys

from harness import C, Compiled, Host, Param, array, in_panels, pieces

COUNT = 3
# Columns and depth: a part of a tile, whole tiles and a part, few products of an element.
SIZES = [(20, 40), (150, 140), (256, 64)]
ROWS = [0, 1, 2, 3, 5, 8, 25, 97, 300]
# Elements of a left operand that is not larger than what stays in the cache.
COPIED = 96 * 1024


def entry(name, kind, together, N, K):
    """Products with the weights W<i>: results of their own, or all added to one. What a
    caller has might be the same memory, so that no products of it are done together.
    Those that are, are done twice, of which the second time backwards."""
    rows = f"memref<?x{N}xf32>"
    outs = range(COUNT if kind == "beside" else 1)
    lines = []
    for i in range(COUNT):
        result = i if kind == "beside" else 0
        if i == 0:
            lines.append(f"linalg.fill ins(%zero : f32) outs(%r0 : {rows})")
        elif kind == "beside":
            lines.append(f"linalg.broadcast ins(%row : memref<{N}xf32>) outs(%r{i} : {rows}) "
                         "dimensions = [0]")
        left = "a" if kind == "beside" or i == 1 else "b"
        lines.append(f"linalg.matmul ins(%{left}, %w{i} : memref<?x{K}xf32>, memref<{K}x{N}xf32>) "
                     f"outs(%r{result} : {rows})")
    if together:
        before = [f"%r{i} = rt.alloc(%n) : {rows}" for i in outs]
        behind = [f"linalg.copy ins(%r{i} : {rows}) outs(%out{i} : {rows})" for i in outs]
        lines = [*before, "scf.for %i = %c0 to %c2 step %c1 {", *lines, "}", *behind]
    else:
        lines = [line.replace(f"%r{i}", f"%out{i}") for line in lines for i in outs
                 if f"%r{i}" in line]
    results = ", ".join(f'%out{i}: {rows} {{rt.as = #rt.output<name = "c{i}">}}' for i in outs)
    weights = "\n".join(f"%w{i} = rt.param @W{N}_{i} : memref<{K}x{N}xf32>" for i in range(COUNT))
    return f"""
func.func @{name}(%a: memref<?x{K}xf32> {{rt.as = #rt.input<name = "a">}},
    %b: memref<?x{K}xf32> {{rt.as = #rt.input<name = "b">}}, {results}) {{
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %a, %c0 : memref<?x{K}xf32>
  %row = rt.param @R{N} : memref<{N}xf32>
  {weights}
  {chr(10).join(lines)}
  return
}}
"""


def gradients(name, together, N, K):
    """Gradients of the weights W<i>. What is done between them keeps them apart."""
    lines = []
    for i in range(COUNT):
        lines.append(f"linalg.matmul indexing_maps = [#km, #kn, #mn] ins(%a, %b{i} : "
                     f"memref<?x{K}xf32>, memref<?x{N}xf32>) outs(%g{i} : memref<{K}x{N}xf32>)")
        if not together:
            lines.append("linalg.fill ins(%zero : f32) outs(%other : memref<4xf32>)")
    rows = ", ".join(f'%b{i}: memref<?x{N}xf32> {{rt.as = #rt.input<name = "b{i}">}}'
                     for i in range(COUNT))
    memory = "\n".join(f"%g{i} = rt.gradient @W{N}_{i} : memref<{K}x{N}xf32>"
                       for i in range(COUNT))
    return f"""
func.func @{name}(%a: memref<?x{K}xf32> {{rt.as = #rt.input<name = "a">}}, {rows}) {{
  %zero = arith.constant 0.0 : f32
  %other = rt.alloc() : memref<4xf32>
  {memory}
  {chr(10).join(lines)}
  return
}}
"""


def text():
    parts = [f"#{name} = affine_map<(m, n, k) -> ({', '.join(name)})>"
             for name in ("km", "kn", "mn")]
    for N, K in SIZES:
        parts.append(f"nn.param @R{N} : tensor<{N}xf32>")
        parts += [f"nn.param @W{N}_{i} : tensor<{K}x{N}xf32>" for i in range(COUNT)]
        for kind in ("beside", "sum"):
            parts.append(entry(f"{kind}{N}", kind, True, N, K))
            parts.append(entry(f"{kind}{N}_apart", kind, False, N, K))
        parts.append(gradients(f"gradients{N}", True, N, K))
        parts.append(gradients(f"gradients{N}_apart", False, N, K))
    return "\n".join(parts)


def check(module, kind, N, inputs, params, rows):
    count = COUNT if kind == "beside" else 1
    results = []
    for name, loops in ((f"{kind}{N}", 2 + count), (f"{kind}{N}_apart", COUNT)):
        for divide in (None, pieces):
            outs = [array("f32", [7.0] * (rows * N)) for _ in range(count)]
            host = Host(divide)
            assert module.call(name, inputs, outs, params, host, examples=rows) == 0
            results.append([list(out)[:rows * N] for out in outs])
            # A loop for all of them, twice, and one for each copy; or one for each product.
            assert divide or host.chunks == loops, (name, rows, host.chunks)
    assert all(result == results[0] for result in results), (kind, N, rows)


def check_gradients(module, N, K, params, inputs, before):
    """`params` are those of the weights; all sums begin with `before`."""
    results = []
    for name, loops in ((f"gradients{N}", 1), (f"gradients{N}_apart", COUNT)):
        for divide in (None, pieces):
            sums = [array("f32", before) for _ in range(COUNT)]
            for param, memory in zip(params[0], sums):
                param.gradient = C.addressof(memory)
            host = Host(divide)
            assert module.call(name, inputs, (), params[1], host,
                               examples=len(inputs[0]) // K) == 0
            results.append([list(values) for values in sums])
            assert divide or host.chunks == loops, (name, host.chunks)
    assert all(result == results[0] for result in results), ("gradients", N)


def main():
    module = Compiled(text(), f"--mcpu={sys.argv[1]}")
    rng = random.Random(3)
    number = lambda size: array("f32", [rng.uniform(-1, 1) for _ in range(size)])
    widths = {p["name"]: p.get("panels", 0) for p in module.manifest["params"]}
    checked = 0
    for N, K in SIZES:
        params, kept = [Param() for _ in widths], []
        for param, (name, width) in zip(params, widths.items()):
            if not name[1:].startswith(str(N)):
                continue
            values = number(N if name[0] == "R" else N * K)
            packed = in_panels(values, "f32", K, N, width) if width else None
            kept += [values, packed]
            param.value = C.addressof(values)
            param.panels = C.addressof(packed) if packed else None
        for rows in ROWS:
            a, b = number(rows * K), number(rows * K)
            for kind in ("beside", "sum"):
                check(module, kind, N, [a, b], params, rows)
                checked += 1
        weights = [param for param, name in zip(params, widths) if name.startswith(f"W{N}_")]
        # The last of them has a left operand that is copied.
        for rows in [*ROWS, COPIED // K + 1]:
            a = number(rows * K)
            check_gradients(module, N, K, (weights, params),
                            [a, *(number(rows * N) for _ in range(COUNT))], number(K * N))
            checked += 1
    print(f"{checked} groups agree")


main()
