#===-- test/LLVM/Inputs/call.py - rt ops against their host ----------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Fields of the call, partitions, touched rows and failures, through rt ops."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "..", "Kernels", "Inputs"))

from harness import C, Compiled, Host, Param, array

MODULE = """
nn.param @W : tensor<2x3xf32>
nn.param @E : tensor<9x2xf32> row_sparse
rt.training "step" accumulate @clear apply @fields every 1
  groups ["a"] optimizers {a = #train.optimizer<sgd>}

func.func @fields(%y: memref<4xf64> {rt.as = #rt.output<name = "y", space = -2>},
                  %z: memref<?xi64> {rt.as = #rt.output<name = "z">}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %a = rt.scalar 0 : f64
  %b = rt.scalar 1 : f64
  %t = rt.step : i64
  %tf = arith.sitofp %t : i64 to f64
  %n = rt.num_examples
  %ni = arith.index_cast %n : index to i64
  %nf = arith.sitofp %ni : i64 to f64
  memref.store %a, %y[%c0] : memref<4xf64>
  memref.store %b, %y[%c1] : memref<4xf64>
  memref.store %tf, %y[%c2] : memref<4xf64>
  memref.store %nf, %y[%c3] : memref<4xf64>
  %keys = rt.example_keys : memref<?xi64>
  linalg.copy ins(%keys : memref<?xi64>) outs(%z : memref<?xi64>)
  return
}

func.func @spaces(%s: !ragged.rows {rt.as = #rt.rows<name = "s">},
                  %x: memref<?xf32> {rt.as = #rt.input<name = "x", space = 0>},
                  %y: memref<?xf32> {rt.as = #rt.output<name = "y">}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %offsets = rt.rows_offsets %s : memref<?xi32>
  %num = rt.rows_size %s num_segments
  %rows = rt.rows_size %s num_rows
  %again = rt.make_rows %num, %rows, %offsets : memref<?xi32>
  %n = rt.rows_size %again num_segments
  %copied = rt.rows_offsets %again : memref<?xi32>
  scf.for %i = %c0 to %n step %c1 {
    %j = arith.addi %i, %c1 : index
    %b32 = memref.load %copied[%i] : memref<?xi32>
    %e32 = memref.load %offsets[%j] : memref<?xi32>
    %b = arith.index_cast %b32 : i32 to index
    %e = arith.index_cast %e32 : i32 to index
    %sum = scf.for %r = %b to %e step %c1 iter_args(%acc = %zero) -> f32 {
      %v = memref.load %x[%r] : memref<?xf32>
      %next = arith.addf %acc, %v : f32
      scf.yield %next : f32
    }
    memref.store %sum, %y[%i] : memref<?xf32>
  }
  return
}

func.func @touch(%ids: memref<?xi32> {rt.as = #rt.input<name = "ids">},
                 %y: memref<1xi32> {rt.as = #rt.output<name = "y", space = -2>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %ids, %c0 : memref<?xi32>
  scf.for %i = %c0 to %n step %c1 {
    %id = memref.load %ids[%i] : memref<?xi32>
    %row = arith.index_cast %id : i32 to index
    rt.touch @E, %row
  }
  %count = rt.num_touched @E
  %list = rt.touched @E : memref<?xi32>
  %last = arith.subi %count, %c1 : index
  %value = memref.load %list[%last] : memref<?xi32>
  memref.store %value, %y[%c0] : memref<1xi32>
  return
}

func.func @flags(%y: memref<1xi32> {rt.as = #rt.output<name = "y", space = -2>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %flags = rt.touched_flags @E : memref<?xi8>
  %flag = memref.load %flags[%c2] : memref<?xi8>
  %value = arith.extui %flag : i8 to i32
  memref.store %value, %y[%c0] : memref<1xi32>
  rt.set_num_touched @E, %c1
  return
}

func.func @clear() {
  rt.clear_touched @E
  return
}

func.func @memory(%x: memref<?x100xf32> {rt.as = #rt.input<name = "x">},
                  %y: memref<?x100xf32> {rt.as = #rt.output<name = "y">}) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?x100xf32>
  %a = rt.alloc(%n) : memref<?x100xf32>
  linalg.copy ins(%x : memref<?x100xf32>) outs(%a : memref<?x100xf32>)
  %b = rt.alloc(%n) : memref<?x100xf32>
  linalg.copy ins(%a : memref<?x100xf32>) outs(%b : memref<?x100xf32>)
  linalg.copy ins(%b : memref<?x100xf32>) outs(%y : memref<?x100xf32>)
  return
}
"""


def check_fields(module):
    y, z = array("f64", [0] * 4), array("i64", [0] * 3)
    assert module.call("fields", [], [y, z], examples=3, scalars=[0.25, 0.5],
                       keys=[7, -1, 1 << 62], step=41) == 0
    assert list(y) == [0.25, 0.5, 41.0, 3.0] and list(z) == [7, -1, 1 << 62]
    random = {e["name"]: e["random"] for e in module.manifest["entries"]}
    assert random["fields"] and not random["spaces"]
    print("scalars, steps, keys")


def check_spaces(module):
    x, y = array("f32", [1, 2, 4, 8, 16]), array("f32", [0] * 3)
    assert module.call("spaces", [x], [y], examples=3, spaces=[[0, 2, 2, 5]]) == 0
    assert list(y) == [3.0, 0.0, 28.0]
    print("partitions")


def check_touched(module):
    flags, rows = (C.c_uint8 * 9)(), array("i32", [0] * 9)
    params = [Param(), Param()]
    params[1].touched, params[1].is_touched = C.addressof(rows), C.addressof(flags)
    ids, y = array("i32", [4, 2, 4, 8, 2]), array("i32", [0])
    assert module.call("touch", [ids], [y], params, examples=5) == 0
    assert module.params[1].num_touched == 3 and list(rows)[:3] == [4, 2, 8] and y[0] == 8
    assert [i for i in range(9) if flags[i]] == [2, 4, 8]
    assert module.call("flags", [], [y], list(module.params)) == 0
    assert module.params[1].num_touched == 1 and y[0] == 1
    module.params[1].num_touched = 3
    assert module.call("clear", [], [], list(module.params)) == 0
    assert module.params[1].num_touched == 0 and not any(flags)
    sparse = {p["name"]: p.get("row_sparse", False) for p in module.manifest["params"]}
    assert sparse == {"W": False, "E": True}
    print("touched rows")


def check_memory(module):
    x, y = array("f32", [3] * 700), array("f32", [0] * 700)
    for memory in (0, 2799, 2800, 5599):
        assert module.call("memory", [x], [y], host=Host(memory=memory), examples=7) != 0
        assert not any(y)
    assert module.call("memory", [x], [y], host=Host(memory=5600), examples=7) == 0
    assert all(v == 3 for v in y)
    print("no memory")


def main():
    module = Compiled(MODULE)
    check_fields(module)
    check_spaces(module)
    check_touched(module)
    check_memory(module)


main()
