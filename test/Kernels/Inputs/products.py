#===-- test/Kernels/Inputs/products.py - Products against plain loops --===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Every kind of product kernel, over sizes with all remainders of tiles.

Usage: products.py CPU [--large] [--stack KB]: of weights with several panels of either
width; with a thread that has so much of a stack.
"""

import operator
import random
import sys
import threading

from harness import C, Compiled, Host, Param, array, in_panels, pieces

# Matrices of a parameter of several.
SLICES = 3

HEADER = """
#mk = affine_map<(m, n, k) -> (m, k)>
#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
"""

def slice_entry(name, T, K, N):
    """A function whose weights are one matrix of a parameter of several."""
    return f"""
nn.param @R{name} : tensor<{N}x{T}>
nn.param @W{name} : tensor<{SLICES}x{K}x{N}x{T}>
func.func @{name}(%a: memref<?x{K}x{T}> {{rt.as = #rt.input<name = "a">}},
    %c: memref<?x{N}x{T}> {{rt.as = #rt.output<name = "c">}}) {{
  %zero = arith.constant 0.0 : {T}
  %last = arith.constant {SLICES - 1} : index
  %all = rt.param @W{name} : memref<{SLICES}x{K}x{N}x{T}>
  %b = memref.subview %all[%last, 0, 0] [1, {K}, {N}] [1, 1, 1]
    : memref<{SLICES}x{K}x{N}x{T}> to memref<{K}x{N}x{T}, strided<[{N}, 1], offset: ?>>
  linalg.fill ins(%zero : {T}) outs(%c : memref<?x{N}x{T}>)
  linalg.matmul ins(%a, %b : memref<?x{K}x{T}>, memref<{K}x{N}x{T}, strided<[{N}, 1], offset: ?>>)
                outs(%c : memref<?x{N}x{T}>)
  return
}}
"""


def entry(name, T, transposed, K, N, init):
    """A function of a batch: rows of A, or for transposed products the reduction.
    The row to start from is a parameter, and so are static weights."""
    start = {"zero": f"linalg.fill ins(%zero : {T}) outs(%c : memref<?x{N}x{T}>)",
             "row": f"linalg.broadcast ins(%row : memref<{N}x{T}>) "
                    f"outs(%c : memref<?x{N}x{T}>) dimensions = [0]",
             "old": ""}.get(init)
    if transposed:
        # A is [k, m], the batch is k; C is [m, n] with m = K.
        start = start.replace(f"memref<?x{N}x{T}>", f"memref<{K}x{N}x{T}>")
        return f"""
nn.param @R{name} : tensor<{N}x{T}>
func.func @{name}(%a: memref<?x{K}x{T}> {{rt.as = #rt.input<name = "a">}},
    %b: memref<?x{N}x{T}> {{rt.as = #rt.input<name = "b">}},
    %c: memref<{K}x{N}x{T}> {{rt.as = #rt.output<name = "c", space = -2>}}) {{
  %zero = arith.constant 0.0 : {T}
  %row = rt.param @R{name} : memref<{N}x{T}>
  {start}
  linalg.matmul indexing_maps = [#km, #kn, #mn]
    ins(%a, %b : memref<?x{K}x{T}>, memref<?x{N}x{T}>) outs(%c : memref<{K}x{N}x{T}>)
  return
}}
"""
    if init == "slice":
        return slice_entry(name, T, K, N)
    return f"""
nn.param @R{name} : tensor<{N}x{T}>
nn.param @W{name} : tensor<{K}x{N}x{T}>
func.func @{name}(%a: memref<?x{K}x{T}> {{rt.as = #rt.input<name = "a">}},
    %c: memref<?x{N}x{T}> {{rt.as = #rt.output<name = "c">}}) {{
  %zero = arith.constant 0.0 : {T}
  %row = rt.param @R{name} : memref<{N}x{T}>
  %b = rt.param @W{name} : memref<{K}x{N}x{T}>
  {start}
  linalg.matmul ins(%a, %b : memref<?x{K}x{T}>, memref<{K}x{N}x{T}>)
                outs(%c : memref<?x{N}x{T}>)
  return
}}
"""


def cases():
    rng = random.Random(1)
    columns = [1, 2, 3, 5, 8, 15, 16, 17, 31, 33, 48, 50, 64, 65, 70, 96, 100]
    result = []
    for number, N in enumerate(columns):
        for transposed in (False, True):
            result.append((f"p{len(result)}", "f64" if number % 4 == 3 else "f32", transposed,
                           rng.randint(1, 70), N, ("zero", "row", "old")[rng.randint(0, 2)]))
    for init in ("zero", "row", "old"):
        for transposed in (False, True):
            result.append((f"p{len(result)}", "f32", transposed, 37, 20, init))
    # A few rows of gradients of an empty batch: what is there, or zeros.
    for rows in (1, 2, 3, 4, 5):
        result.append((f"p{len(result)}", ("f32", "f64")[rows % 2], True, rows, 33,
                       ("zero", "row", "old")[rows % 3]))
    # One row more than some blocks have, of every type.
    result += [(f"p{len(result)}", "f32", False, 9, 5, "row"),
               (f"p{len(result) + 1}", "f64", False, 9, 5, "row")]
    # So much work in a few rows that columns are shared.
    result.append((f"p{len(result)}", "f32", False, 300, 1501, "row"))
    # More products of an element than a block of the kernel has.
    for number, init in enumerate(("zero", "row", "old")):
        for transposed in (False, True):
            result.append((f"p{len(result)}", "f64" if number == 1 else "f32", transposed,
                           261 if transposed else 1030, 19, init))
    # Weights of which there are panels.
    for K, N, T, init in ((1030, 70, "f32", "row"), (300, 130, "f64", "old"),
                          (140, 150, "f32", "slice"), (256, 64, "f32", "zero")):
        result.append((f"p{len(result)}", T, False, K, N, init))
    return result


def large_cases():
    """The columns that are left behind panels of 48 are 0, 34, 6 and 28, and behind those
    of 64, which 250 columns have, 58."""
    return [(f"p{number}", "f32", False, K, N, init) for number, (K, N, init) in enumerate(
        ((1030, 96, "row"), (800, 130, "old"), (700, 150, "slice"), (600, 172, "zero"),
         (300, 250, "old")))]


def expected(transposed, a, b, start, M, N, K, batch):
    """The sums, in double; for transposed products the batch is the reduction."""
    rows = [a[i::K][:batch] if transposed else a[i * K:(i + 1) * K] for i in range(M)]
    columns = [b[j::N] for j in range(N)]
    sums = (sum(map(operator.mul, row, column)) for row in rows for column in columns)
    return [first + total for first, total in zip(start, sums)]


def check(module, case, batch, rng, index):
    name, T, transposed, K, N, init = case
    number = lambda size: array(T, [rng.uniform(-1, 1) for _ in range(size)])
    M, rows = (K, batch) if transposed else (batch, K)
    a, row, old = number(batch * K), number(N), [rng.uniform(-1, 1) for _ in range(M * N)]
    first = rows * N * (SLICES - 1) if init == "slice" else 0
    b = number(first + rows * N)
    start = {"row": list(row[:N]) * M, "old": old}.get(init, [0.0] * (M * N))
    want = expected(transposed, a, b[first:first + rows * N], start, M, N, K, batch)
    results = []
    width = module.panels(index)
    for packed in (None, in_panels(b[:first + rows * N], T, K, N, width)) if width else (None,):
        for divide in (None, pieces):
            c = array(T, old)
            params = module.describe(index, row, b, transposed, packed)
            status = module.call(name, [a] + ([b] if transposed else []), [c], params,
                                 Host(divide), examples=batch)
            assert status == 0, (case, status)
            results.append(list(c)[:M * N])
    assert all(result == results[0] for result in results), \
        ("depends on the chunks or the panels", case, batch)
    module.packed += width > 0
    tolerance = 1e-12 if T == "f64" else 1e-5
    for got, value in zip(results[0], want):
        assert abs(got - value) <= tolerance * max(1, K, batch) ** 0.5, (case, batch, got, value)


class Products(Compiled):
    """All cases in one module; two parameters each."""

    def __init__(self, all_cases, *flags):
        super().__init__(HEADER + "".join(entry(*case) for case in all_cases), *flags)
        self.packed = 0

    def panels(self, index):
        """The columns of the panels of a case's weights, or 0."""
        return next((p.get("panels", 0) for p in self.manifest["params"]
                     if p["name"] == f"Wp{index}"), 0)

    def describe(self, index, row, weights, transposed, packed):
        params = [Param() for _ in self.manifest["params"]]
        names = [p["name"] for p in self.manifest["params"]]
        params[names.index(f"Rp{index}")].value = C.addressof(row)
        if not transposed:
            weight = params[names.index(f"Wp{index}")]
            weight.value = C.addressof(weights)
            weight.panels = C.addressof(packed) if packed else None
        return params


def main():
    large = "--large" in sys.argv
    all_cases = large_cases() if large else cases()
    module = Products(all_cases, f"--mcpu={sys.argv[1]}")
    rng = random.Random(2)
    checked = 0
    for index, case in enumerate(all_cases):
        batches = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 14, 15, 20]
        if large:
            batches += [16, 17, 25]
        elif case[4] == 19:  # Blocks of rows and of the reduction, copies.
            batches = [0, 1, 2, 3, 4, 31, 47, 400] if case[2] else [0, 1, 3, 4, 47, 49, 101, 121]
        elif case[3:5] == (9, 5):
            batches = range(0, 600, 7) if case[1] == "f32" else [25, 49, 97, 121, 145, 385]
            batches = [*batches, 385, 433]
        elif case[5] == "slice":
            batches = [0, 1, 2, 3, 4, 5, 6, 7, 8, 13, 97]
        elif case[3] == 1030:
            batches = [0, 1, 3, 6, 11]
        elif case[4] > 40:
            batches = [0, 1, 5, 13]
        for batch in batches:
            check(module, case, batch, rng, index)
            checked += 1
    # A reduction longer than a block of the kernel.
    for index, case in enumerate(all_cases):
        if case[2] and case[4] == 20:
            check(module, case, 600, rng, index)
            checked += 1
    print(f"{checked} products agree, {module.packed} in panels")


if "--stack" in sys.argv:
    threading.stack_size(int(sys.argv[-1]) << 10)
    thread = threading.Thread(target=main)
    thread.start()
    thread.join()
else:
    main()
