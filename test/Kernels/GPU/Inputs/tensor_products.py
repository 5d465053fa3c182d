#===-- test/Kernels/GPU/Inputs/tensor_products.py - Tensor cores -------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Products of tensor cores, over sizes with all remainders of tiles and words, with NaN,
infinity and small numbers: of rows with a matrix and a bias, with the transposed matrix
(the gradient of the rows) and, in a training step, of transposed rows (the gradient of the
matrix).

Usage: tensor_products.py BUILD tf32|bf16 WORK-FOLDER [--run]; with --run the module is there
already, and there is one order of the blocks instead of three

Results have to be equal, bit by bit, to sums of rounded factors in f32, in ascending order
from the bias on, which is how the emulator adds; and within the bounds of docs/GPU.md of
the product of what is not rounded."""

import ctypes
import os
import pathlib
import subprocess
import sys

import numpy as np

BUILD, MATH, WORK = sys.argv[1:4]
SOURCE, MODULE = f"{WORK}/{MATH}.mlir", f"{WORK}/{MATH}.so"
# Orders in which blocks take turns, and how many there are.
SCHEDULES = ["seed=1,blocks=3", "seed=7,blocks=2", "seed=5,blocks=5"]
ROOT = pathlib.Path(__file__).resolve().parents[4]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "runtime" / "python"))
os.environ["CAMBIUM_RUNTIME"] = f"{BUILD}/runtime/libcambium_runtime.so"

import cambium  # noqa: E402
from cambium.examples import Examples  # noqa: E402
from cambium.library import SessionOptions, library  # noqa: E402

# Columns of rows, columns of results, rows. Both of 8 columns and more use tensor cores.
CASES = [(8, 8, [1, 17]), (9, 130, [3, 65]), (33, 17, [1, 64, 100]), (70, 64, [5, 129]),
         (131, 24, [2, 40]), (5, 20, [9]), (20, 3, [9])]
UNIT = 2.0 ** (-11 if MATH == "tf32" else -8)


def rounded(x):
    """To the bits that a factor keeps: to nearest, ties away from zero in tf32, to even in
    bf16."""
    bits = np.ascontiguousarray(x, np.float32).view(np.uint32).astype(np.uint64)
    drop = 13 if MATH == "tf32" else 16
    more = np.uint64((1 << drop - 1) - (MATH == "bf16"))
    if MATH == "bf16":
        more = more + (bits >> np.uint64(drop) & np.uint64(1))
    kept = ((bits + more) >> np.uint64(drop) << np.uint64(drop)).astype(np.uint32)
    return np.where(np.isnan(x), np.float32(np.nan), kept.view(np.float32))


def product(a, b, start):
    """Of f32, as the emulator adds; and how far it may be from the product of what is not
    rounded, which is given too."""
    total = np.broadcast_to(start, (len(a), b.shape[1])).astype(np.float32)
    for k in range(a.shape[1]):
        total = total + rounded(a[:, k, None]) * rounded(b[None, k, :])
    wide = np.abs(a.astype(np.float64)), np.abs(b.astype(np.float64))
    size = wide[0] @ wide[1] + np.abs(start)
    small = 2.0 ** -126 * (a.shape[1] + wide[0].sum(1)[:, None] + wide[1].sum(0)[None])
    bound = (2 * UNIT + UNIT ** 2 + (a.shape[1] + 1) * 2.0 ** -22) * size + small
    return total, a.astype(np.float64) @ b.astype(np.float64) + start, bound


def model():
    text = ""
    for i, (K, N, _) in enumerate(CASES):
        x, y, W = f"tensor<?x{K}xf32>", f"tensor<?x{N}xf32>", f"tensor<{K}x{N}xf32>"
        text += f"""
nn.param @W{i} : {W}
nn.param @b{i} : tensor<{N}xf32>
func.func @rows{i}(%x: {x} {{cambium.name = "x"}}) -> {y} {{
  %W = nn.use @W{i} : {W}
  %b = nn.use @b{i} : tensor<{N}xf32>
  %y = nn.linear %x, %W, %b : {x}, {W}, tensor<{N}xf32>
  return %y : {y}
}}
func.func @loss{i}(%x: {x} {{cambium.name = "x"}}, %c: {y} {{cambium.name = "c"}})
    -> tensor<f32> {{
  %W = nn.use @W{i} : {W}
  %y = nn.linear %x, %W : {x}, {W}
  %z = arith.mulf %y, %c : {y}
  %s = nn.sum %z over 0 : {y}
  %r = nn.sum %s over 0 : tensor<{N}xf32>
  return %r : tensor<f32>
}}
func.func @back{i}(%x: {x} {{cambium.name = "x"}}, %c: {y} {{cambium.name = "c"}}) -> {x} {{
  %l = nn.call @loss{i}(%x, %c) : ({x}, {y}) -> tensor<f32>
  %g = train.gradient %l wrt %x : tensor<f32>, {x}
  return %g : {x}
}}
train.step @train{i} loss @loss{i} optimizer #train.optimizer<sgd>
"""
    return text


class OnDevice(cambium.Model):
    """Its calls run on a GPU."""

    def __init__(self, module):
        super().__init__(module)
        runtime = ctypes.CDLL(os.environ["CAMBIUM_RUNTIME"])
        self.library.session_destroy(self.session)
        self.device = ctypes.c_void_p()
        self.runtime = runtime
        self.check(runtime.cambium_device_open(b"gpu", ctypes.byref(self.device)))
        self.check(runtime.cambium_session_create_on(
            self.device, ctypes.byref(SessionOptions()), ctypes.byref(self.session)))

    def check(self, status):
        if status:
            raise RuntimeError(library().last_error().decode())


    def gradient(self, i, x, c):
        """Of the matrix, which a training step adds up."""
        entry, loss = ctypes.c_void_p(), ctypes.c_double()
        self.library.module_find_step(self.module, f"train{i}".encode(), ctypes.byref(entry),
                                      ctypes.byref(ctypes.c_void_p()))
        batch = Examples(entry, f"train{i}")
        batch.fill([{"x": x, "c": c}])
        runtime, P = self.runtime, ctypes.c_void_p
        runtime.cambium_store_gradient.restype = P
        runtime.cambium_store_clear_gradients(self.store)
        self.check(runtime.cambium_store_prepare_training(self.store))
        self.check(runtime.cambium_step_accumulate(
            self.session, entry, self.store, batch.handle, None, ctypes.c_int64(0),
            ctypes.byref(loss)))
        self.check(runtime.cambium_store_pull(self.store))
        names = [self.library.module_parameter(self.module, k).contents.name.decode()
                 for k in range(self.library.module_num_parameters(self.module))]
        result = np.empty((x.shape[1], c.shape[1]), np.float32)
        ctypes.memmove(result.ctypes.data, runtime.cambium_store_gradient(
            self.store, ctypes.c_int64(names.index(f"W{i}"))), result.nbytes)
        return result


def special(values, rng):
    """Puts what is no number, or a strange one, into some rows."""
    for i, x in enumerate((np.nan, np.inf, -np.inf, 3.4e38, 1e-42, 1e-30, -0.0)):
        if i + 1 < len(values):
            values[i + 1, rng.integers(values.shape[1])] = x


def check(what, got, a, b, start=np.float32(0)):
    with np.errstate(all="ignore"):
        want, exact, bound = product(a, b, start)
        finite = np.isfinite(exact) & (np.abs(exact) < 1e30)
        near = ~finite | (np.abs(got - exact) <= bound)
        is_same = (got == want) | (np.isnan(got) & np.isnan(want))
    assert near.all(), (what, "bound", got[~near][0], exact[~near][0], bound[~near][0])
    # Narrow products stay f32.
    if min(what[1:3]) >= 8:
        assert is_same.all(), (what, got[~is_same][:3], want[~is_same][:3])


def run():
    compiled = OnDevice(MODULE)
    rng = np.random.default_rng(3)
    number = lambda *shape: rng.uniform(-1, 1, shape).astype(np.float32)
    checked = 0
    for i, (K, N, counts) in enumerate(CASES):
        W, b = number(K, N), number(N)
        if i % 2:
            W[2, 1], W[3, 2], W[0, 0] = np.nan, np.inf, 1e38
        compiled.set_parameter(f"W{i}", W)
        compiled.set_parameter(f"b{i}", b)
        for count in counts:
            x, c = number(count, K), number(count, N)
            special(x, rng)
            got, = compiled.function(f"rows{i}")([{"x": x}])[0].values()
            check(("rows", K, N, count), got, x, W, b)
            special(c, rng)
            got, = compiled.function(f"back{i}")([{"x": x, "c": c}])[0].values()
            check(("back", K, N, count), got, c, W.T)
            checked += 2
            if MATH == "tf32" and count >= 8:
                got = compiled.gradient(i, x, c)
                check(("gradient", K, N, count), got, x.T, c)
                checked += 1
    print(f"{checked} products agree")


def main():
    pathlib.Path(WORK).mkdir(exist_ok=True)
    pathlib.Path(SOURCE).write_text(model(), encoding="utf-8")
    subprocess.run(["cambium-compile", SOURCE, "-o", MODULE, "--gpu-arch=sm_80",
                    f"--math={MATH}", "--mcpu=x86-64-v3"], check=True)
    for schedule in SCHEDULES:
        subprocess.run([sys.executable, "-B", *sys.argv, "--run"], check=True,
                       env={**os.environ, "CAMBIUM_EMULATOR": schedule})


if "--run" in sys.argv:
    run()
else:
    main()
