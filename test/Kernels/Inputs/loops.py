#===-- test/Kernels/Inputs/loops.py - Vector loops against plain ones ---===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""linalg ops on memrefs, over widths with all remainders of vectors.

Usage: loops.py CPU
"""

import math
import random
import sys

from harness import C, Compiled, Host, Param, array

INF, NAN = math.inf, math.nan
SPECIAL = [0.0, -0.0, 1.0, -1.0, 88.0, -88.0, 200.0, -200.0, INF, -INF, NAN, 1e-30, 1e30]

MAPS = """
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#j = affine_map<(i, j) -> (j)>
#all = affine_map<(i, j) -> ()>
"""


def generic(maps, iterators, ins, outs, block, body):
    """A linalg.generic; `ins` and `outs` are lists of (name, type)."""
    listed = lambda values: (", ".join(f"%{v}" for v, _ in values) + " : " +
                             ", ".join(t for _, t in values))
    parts = f"ins({listed(ins)}) " if ins else ""
    names = ", ".join(f'"{i}"' for i in iterators)
    return f"""
  linalg.generic {{indexing_maps = [{", ".join(maps)}], iterator_types = [{names}]}}
      {parts}outs({listed(outs)}) {{
  ^bb0({block}):
{body}
  }}"""


# Behind a type: an output with a row per example, and one per call.
OUT, ONCE = " out", " once"


def argument(name, kind):
    role = f'input<name = "{name}">'
    if kind.endswith(OUT):
        role = f'output<name = "{name}">'
    elif kind.endswith(ONCE):
        role = f'output<name = "{name}", space = -2>'
    return f"%{name}: {kind.removesuffix(OUT).removesuffix(ONCE)} {{rt.as = #rt.{role}}}"


def function(name, arguments, body):
    listed = ", ".join(argument(n, t) for n, t in arguments)
    return f"\nfunc.func @{name}({listed}) {{{body}\n  return\n}}\n"


ROWS, COLUMNS = ["parallel", "parallel"], ["reduction", "parallel"]
LAST, BOTH = ["parallel", "reduction"], ["reduction", "reduction"]


def elementwise(N):
    """sigmoid(a) * tanh(b) + r, and a - b: two results, a broadcast column."""
    m, c = f"memref<?x{N}xf32>", "memref<?xf32>"
    body = generic(["#ij", "#ij", "#i", "#ij", "#ij"], ROWS, [("a", m), ("b", m), ("r", c)],
                   [("x", m), ("y", m)],
                   "%p: f32, %q: f32, %s: f32, %o0: f32, %o1: f32", """
    %one = arith.constant 1.0 : f32
    %n = arith.negf %p : f32
    %e = math.exp %n : f32
    %d = arith.addf %e, %one : f32
    %g = arith.divf %one, %d : f32
    %t = math.tanh %q : f32
    %u = arith.mulf %g, %t : f32
    %v = arith.addf %u, %s : f32
    %w = arith.subf %p, %q : f32
    linalg.yield %v, %w : f32, f32""")
    return function(f"elementwise{N}", [("a", m), ("b", m), ("r", c), ("x", m + OUT),
                                        ("y", m + OUT)], body)


def sigmoid(x):
    if math.isnan(x):
        return x
    return 1 / (1 + math.exp(-x)) if x > -700 else 0.0


def check_elementwise(module, N, rows, rng):
    number = lambda n: [rng.choice(SPECIAL) if rng.random() < 0.2 else rng.uniform(-3, 3)
                        for _ in range(n)]
    a, b, r = (array("f32", number(n)) for n in (rows * N, rows * N, rows))
    x, y = array("f32", [7] * rows * N), array("f32", [7] * rows * N)
    run(module, f"elementwise{N}", [a, b, r], [x, y], rows)
    for i in range(rows * N):
        near(x[i], sigmoid(a[i]) * math.tanh(b[i]) + r[i // N])
        near(y[i], a[i] - b[i])


def sums(N):
    """Sums of columns onto what is there; sums and maxima of rows; a sum in double."""
    m, v, c = f"memref<?x{N}xf32>", f"memref<{N}xf32>", "memref<?xf32>"
    text = generic(["#ij", "#j"], COLUMNS, [("a", m)], [("x", v)], "%p: f32, %o: f32", """
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32""")
    text += f"""
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  linalg.fill ins(%zero : f32) outs(%y : {c})
  linalg.fill ins(%low : f32) outs(%z : {c})"""
    text += generic(["#ij", "#i", "#i"], LAST, [("a", m)], [("y", c), ("z", c)],
                    "%p: f32, %o0: f32, %o1: f32", """
    %q = arith.mulf %p, %p : f32
    %s = arith.addf %q, %o0 : f32
    %t = arith.maximumf %p, %o1 : f32
    linalg.yield %s, %t : f32, f32""")
    text += generic(["#ij", "#all"], BOTH, [("a", m)], [("w", "memref<f64>")],
                    "%p: f32, %o: f64", """
    %e = arith.extf %p : f32 to f64
    %s = arith.addf %o, %e : f64
    linalg.yield %s : f64""")
    return function(f"sums{N}", [("a", m), ("x", v + ONCE), ("y", c + OUT), ("z", c + OUT),
                                 ("w", "memref<f64>" + ONCE)], text)


def check_sums(module, N, rows, rng):
    a = array("f32", [rng.uniform(-1, 1) for _ in range(rows * N)])
    x, y, z = array("f32", [0.5] * N), array("f32", [9] * rows), array("f32", [9] * rows)
    w = array("f64", [2.0])
    run(module, f"sums{N}", [a], [x, y, z, w], rows)
    for j in range(N):
        near(x[j], 0.5 + sum(a[i * N + j] for i in range(rows)))
    for i in range(rows):
        near(y[i], sum(v * v for v in a[i * N:i * N + N]))
        near(z[i], max(a[i * N:i * N + N]))
    near(w[0], 2.0 + sum(a[:rows * N]))


def moves(N):
    """Integers, indices, a transposition, strided columns, in place, a fill of f64."""
    m, k, t = f"memref<{N}x13xf32>", f"memref<?x{N}xi32>", f"memref<13x{N}xf32>"
    text = f"""
  %p = rt.param @M{N} : {m}
  linalg.transpose ins(%p : {m}) outs(%x : {t}) permutation = [1, 0]
  %c3 = arith.constant 3.0 : f64
  linalg.fill ins(%c3 : f64) outs(%z : memref<?x{N}xf64>)"""
    text += generic(["#ij", "#ij"], ROWS, [("a", k)], [("y", k)], "%p0: i32, %o: i32", """
    %row = linalg.index 0 : index
    %column = linalg.index 1 : index
    %two = arith.constant 2 : index
    %r2 = arith.muli %row, %two : index
    %both = arith.addi %r2, %column : index
    %b = arith.index_cast %both : index to i32
    %s = arith.addi %p0, %b : i32
    %q = arith.muli %s, %o : i32
    linalg.yield %q : i32""")
    v, s = f"memref<13x{N // 2}xf32, strided<[{N}, 1]>>", \
        f"memref<13x{N // 2}xf32, strided<[{N}, 1], offset: {N - N // 2}>>"
    if N > 1:
        text += f"""
  %left = memref.subview %x[0, 0] [13, {N // 2}] [1, 1] : {t} to {v}
  %right = memref.subview %x[0, {N - N // 2}] [13, {N // 2}] [1, 1] : {t} to {s}
  linalg.copy ins(%left : {v}) outs(%right : {s})"""
    return f"nn.param @M{N} : tensor<{N}x13xf32>\n" + function(
        f"moves{N}", [("a", k), ("x", t + ONCE), ("y", k + OUT),
                      ("z", f"memref<?x{N}xf64>" + OUT)], text)


def check_moves(module, N, rows, rng):
    matrix = array("f32", [rng.uniform(-1, 1) for _ in range(N * 13)])
    params = given(module, f"M{N}", matrix)
    a = array("i32", [rng.randint(-99, 99) for _ in range(rows * N)])
    x, y, z = array("f32", [0] * 13 * N), array("i32", [5] * rows * N), array("f64", [0] * rows * N)
    run(module, f"moves{N}", [a], [x, y, z], rows, params)
    for i in range(N):
        for j in range(13):
            from_ = i - (N - N // 2) if i >= N - N // 2 else i
            assert x[j * N + i] == matrix[from_ * 13 + j], (N, i, j)
    for i in range(rows):
        for j in range(N):
            assert y[i * N + j] == 5 * (a[i * N + j] + 2 * i + j), (N, i, j)
            assert z[i * N + j] == 3.0


def gathers(N):
    """Elements at any place: of a lane's row, of any row, of memory of a known size."""
    x, v, k = f"memref<?x{N}xf32>", "memref<?xf32>", "memref<?xi32>"
    text = f"""
  %p = rt.param @G{N} : memref<{N}x3x2xf32>"""
    text += generic(["affine_map<(i) -> (i)>"] * 5, ROWS[:1], [("rows", k), ("columns", k)],
                    [("a", v), ("b", v), ("c", k)],
                    "%r: i32, %j: i32, %o0: f32, %o1: f32, %o2: i32", f"""
    %i = linalg.index 0 : index
    %one = arith.constant 1 : index
    %two = arith.constant 2 : index
    %row = arith.index_cast %r : i32 to index
    %column = arith.index_cast %j : i32 to index
    %own = memref.load %x[%i, %column] : {x}
    %any = memref.load %x[%row, %column] : {x}
    %known = memref.load %p[%column, %two, %one] : memref<{N}x3x2xf32>
    %s = arith.addf %any, %known : f32
    %number = memref.load %columns[%row] : {k}
    linalg.yield %own, %s, %number : f32, f32, i32""")
    return f"nn.param @G{N} : tensor<{N}x3x2xf32>\n" + function(
        f"gathers{N}", [("x", x), ("rows", k), ("columns", k), ("a", v + OUT), ("b", v + OUT),
                        ("c", k + OUT)], text)


def check_gathers(module, N, rows, rng):
    table = array("f32", [rng.uniform(-1, 1) for _ in range(N * 6)])
    params = given(module, f"G{N}", table)
    x = array("f32", [rng.uniform(-1, 1) for _ in range(rows * N)])
    numbers = array("i32", [rng.randrange(max(rows, 1)) for _ in range(rows)])
    columns = array("i32", [rng.randrange(N) for _ in range(rows)])
    a, b, c = array("f32", [0] * rows), array("f32", [0] * rows), array("i32", [0] * rows)
    run(module, f"gathers{N}", [x, numbers, columns], [a, b, c], rows, params)
    for i in range(rows):
        row, column = numbers[i], columns[i]
        assert a[i] == x[i * N + column] and c[i] == columns[row], (N, i)
        near(b[i], x[row * N + column] + table[column * 6 + 5])


def columns(N):
    """Elements at equal distances: two columns of rows, a matrix that is turned, and a column
    of it from the end."""
    x, v = f"memref<?x{N}xf32>", "memref<?xf32>"
    part = lambda at: f"memref<?xf32, strided<[{N}], offset: {at}>>"
    back = f"memref<{N}xf32, strided<[-3], offset: {3 * N - 1}>>"
    text = f"""
  %p = rt.param @H{N} : memref<{N}x3xf32>
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : {x}
  %first = memref.subview %x[0, 0] [%n, 1] [1, 1] : {x} to {part(0)}
  %last = memref.subview %x[0, {N - 1}] [%n, 1] [1, 1] : {x} to {part(N - 1)}
  %back = memref.reinterpret_cast %p to offset: [{3 * N - 1}], sizes: [{N}], strides: [-3]
      : memref<{N}x3xf32> to {back}"""
    line = "affine_map<(i) -> (i)>"
    text += generic([line] * 3, ROWS[:1], [("first", part(0)), ("last", part(N - 1))], [("a", v)],
                    "%f: f32, %l: f32, %o: f32", """
    %d = arith.addf %f, %f : f32
    %s = arith.subf %d, %l : f32
    linalg.yield %s : f32""")
    text += generic(["affine_map<(i, j) -> (j, i)>", "#ij"], ROWS, [("p", f"memref<{N}x3xf32>")],
                    [("b", f"memref<3x{N}xf32>")], "%f: f32, %o: f32", """
    %d = arith.addf %f, %f : f32
    linalg.yield %d : f32""")
    text += generic([line] * 2, ROWS[:1], [("back", back)], [("c", f"memref<{N}xf32>")],
                    "%f: f32, %o: f32", """
    %d = arith.addf %f, %f : f32
    linalg.yield %d : f32""")
    return f"nn.param @H{N} : tensor<{N}x3xf32>\n" + function(
        f"columns{N}", [("x", x), ("a", v + OUT), ("b", f"memref<3x{N}xf32>" + ONCE),
                        ("c", f"memref<{N}xf32>" + ONCE)], text)


def check_columns(module, N, rows, rng):
    table = array("f32", [rng.uniform(-1, 1) for _ in range(N * 3)])
    params = given(module, f"H{N}", table)
    x = array("f32", [rng.uniform(-1, 1) for _ in range(rows * N)])
    a, b, c = (array("f32", [0] * size) for size in (rows, N * 3, N))
    run(module, f"columns{N}", [x], [a, b, c], rows, params)
    for i in range(rows):
        near(a[i], 2 * x[i * N] - x[i * N + N - 1])
    for i in range(N):
        assert c[i] == 2 * table[(N - 1 - i) * 3 + 2], (N, i)
        for j in range(3):
            assert b[j * N + i] == 2 * table[i * 3 + j], (N, i, j)


# More elements than one thread moves, with rests in both directions; the second one has so
# many rows that they are the outer loop.
SHARED = [(203, 517), (1030, 69)]


def transposes():
    """Transpositions that threads share."""
    text = ""
    for rows, columns in SHARED:
        matrix, turned = f"memref<{rows}x{columns}xf32>", f"memref<{columns}x{rows}xf32>"
        text += f"nn.param @T{rows} : tensor<{rows}x{columns}xf32>\n"
        text += function(f"transpose{rows}", [("x", turned + ONCE)], f"""
  %p = rt.param @T{rows} : {matrix}
  linalg.transpose ins(%p : {matrix}) outs(%x : {turned}) permutation = [1, 0]""")
    return text


def check_transposes(module, rng):
    for rows, columns in SHARED:
        matrix = array("f32", [rng.uniform(-1, 1) for _ in range(rows * columns)])
        params = given(module, f"T{rows}", matrix)
        x = array("f32", [0] * rows * columns)
        assert run(module, f"transpose{rows}", [], [x], 1, params) > 1
        assert all(x[j * rows + i] == matrix[i * columns + j]
                   for i in range(rows) for j in range(columns)), rows


def given(module, name, values):
    """The parameters of a module, of which one has values."""
    names = [p["name"] for p in module.manifest["params"]]
    params = [Param() for _ in names]
    params[names.index(name)].value = C.addressof(values)
    return params


def run(module, name, inputs, outputs, rows, params=()):
    """Twice, with other chunks: the bits must be the same. How many chunks it has."""
    start = [bytes(o) for o in outputs]
    status = module.call(name, inputs, outputs, params, examples=rows)
    assert status == 0, (name, status)
    first = [bytes(o) for o in outputs]
    for before, output in zip(start, outputs):
        output[:] = type(output).from_buffer_copy(before)[:]
    pieces = lambda count, grain: [(i, min(i + grain, count))
                                   for i in range(0, count, grain)][::-1]
    host = Host(pieces)
    assert module.call(name, inputs, outputs, params, host, rows) == 0
    for before, output in zip(first, outputs):
        assert same(before, output), (name, "depends on the chunks")
    return host.chunks


def same(before, output):
    """The same bits, but for which NaN it is."""
    old = type(output).from_buffer_copy(before)
    return all(p == q or (p != p and q != q) for p, q in zip(old, output))


def near(got, want):
    if math.isnan(want):
        assert math.isnan(got), (got, want)
        return
    assert got == want or abs(got - want) <= 2e-6 * max(1, abs(want)), (got, want)


PARTS = (elementwise, sums, moves, gathers, columns)
CHECKS = (check_elementwise, check_sums, check_moves, check_gathers, check_columns)


def main():
    widths = [1, 2, 3, 4, 7, 8, 15, 16, 17, 31, 33, 64, 100]
    text = MAPS + "".join(f(N) for N in widths for f in PARTS)
    text += transposes()
    module = Compiled(text, f"--mcpu={sys.argv[1]}")
    rng, checked = random.Random(3), 0
    for N in widths:
        for rows in (0, 1, 2, 5, 40):
            for check in CHECKS:
                check(module, N, rows, rng)
                checked += 1
    check_transposes(module, rng)
    print(f"{checked} loops agree")


main()
