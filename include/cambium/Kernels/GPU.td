//===-- GPU.td - Passes that make code for GPUs ---------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_KERNELS_GPU_TD
#define CAMBIUM_KERNELS_GPU_TD

include "mlir/Pass/PassBase.td"

def ConvertStructure : Pass<"kernels-convert-structure", "::mlir::ModuleOp"> {
  let summary = "Make rows and forests where no runtime can be asked.";
  let description = [{
    Groups, chains, trees from parents and the forests of iterations are made by stages,
    in memory of the entry for the most that there can be. Those that only the device
    knows end the entry where they are no trees. Chains of the rows of an argument stay:
    the host makes these.

    ```mlir
    func.func @f(%rows: !ragged.rows {rt.as = #rt.rows<name = "words">},
                 %ids: memref<?xi32> {rt.as = #rt.input<name = "ids", space = 0>}, %n: index) {
      %active = rt.group %rows, %ids, %n : memref<?xi32>
      %offsets = rt.rows_offsets %active : memref<?xi32>
      return
    }
    ```
    becomes
    ```mlir
    %offsets = rt.alloc(%segments) : memref<?xi32>
    rt.parallel %segments grain 1 unit thread {
    ```
  }];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::cambium::rt::RTDialect"];
}

def DescribeEntries : Pass<"kernels-describe-entries", "::mlir::ModuleOp"> {
  let summary = "Say what the host has to know of each kernel.";
  let description = [{
    An `rt.device_entry` for each entry, and a function for the size of its workspace.
    Chains of the rows of an argument become arguments themselves: the host makes
    these forests. Failures are numbered.

    ```mlir
    func.func @predict(%rows: !ragged.rows {rt.as = #rt.rows<name = "words">}) {
      %chain = rt.chain %rows
      %n = rt.forest_size %chain num_levels
      return
    }
    ```
    becomes
    ```mlir
    rt.device_entry "predict" kernel "cambium_predict" threads 256 shared 0
    func.func @predict(%rows: !ragged.rows {rt.as = #rt.rows<name = "words">}, %chain: !ragged.forest {rt.as = #rt.forest<name = "chain", space = 0, arity = 1, single_root = true>})
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::cambium::rt::RTDialect"];
}

def ChainRows : Pass<"kernels-chain-rows", "::mlir::ModuleOp"> {
  let summary = "Let iterations that write different rows go at once.";
  let description = [{
    A loop that adds to rows that an index chooses, as the gradients of gathers and of
    embeddings do, has an order for each row alone. Each iteration is linked to the next
    one of its row; the first one of a row executes all of them, in their order, so that
    sums have the bits that they had. Rows from the list of touched rows are different:
    such a loop needs no links. Rows that a loop touches are listed in the order of their
    first iterations, by parts that know how many the parts before them list; and so are
    words that a loop keeps. What only
    adds to a number has a sum for each iteration, and a large sum of all elements has
    parts; these are added in their order, whatever the number of blocks.

    ```mlir
    func.func @f(%x: memref<?x8xf32>, %ids: memref<?xi32>, %y: memref<?x8xf32>, %n: index) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      scf.for %i = %c0 to %n step %c1 {
        %id = memref.load %ids[%i] : memref<?xi32>
        %row = arith.index_cast %id : i32 to index
        %a = memref.subview %x[%i, 0] [1, 8] [1, 1] : memref<?x8xf32> to memref<8xf32, strided<[1], offset: ?>>
        %b = memref.subview %y[%row, 0] [1, 8] [1, 1] : memref<?x8xf32> to memref<8xf32, strided<[1], offset: ?>>
        linalg.add ins(%a, %b : memref<8xf32, strided<[1], offset: ?>>, memref<8xf32, strided<[1], offset: ?>>) outs(%b : memref<8xf32, strided<[1], offset: ?>>)
      }
      return
    }
    ```
    becomes
    ```mlir
    rt.for_each %i of %n {
      scf.if %is_first {
        %behind = scf.while (%j = %i) : (index) -> index {
          linalg.add
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::cambium::rt::RTDialect"];
}

def SplitProducts : Pass<"kernels-split-products", "::mlir::ModuleOp"> {
  let summary = "Give a product the columns of what uses it.";
  let description = [{
    In loops, a product of which others use parts of the columns, all of one width, becomes
    a product for each part: gates whose products are one, for the processor. A block can
    then do what follows on the columns that it computes, without a barrier. The left operand
    is read once for all of them.

    ```mlir
    func.func @f(%x: memref<?x8xf32>, %w: memref<8x6xf32>, %n: index) {
      %zero = arith.constant 0.0 : f32
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %y = rt.alloc(%n) : memref<?x6xf32>
      scf.for %i = %c0 to %n step %c1 {
        linalg.fill ins(%zero : f32) outs(%y : memref<?x6xf32>)
        linalg.matmul ins(%x, %w : memref<?x8xf32>, memref<8x6xf32>) outs(%y : memref<?x6xf32>)
        %a = memref.subview %y[0, 0] [%n, 3] [1, 1] : memref<?x6xf32> to memref<?x3xf32, strided<[6, 1]>>
        %b = memref.subview %y[0, 3] [%n, 3] [1, 1] : memref<?x6xf32> to memref<?x3xf32, strided<[6, 1], offset: 3>>
        linalg.add ins(%a, %b : memref<?x3xf32, strided<[6, 1]>>, memref<?x3xf32, strided<[6, 1], offset: 3>>) outs(%a : memref<?x3xf32, strided<[6, 1]>>)
      }
      return
    }
    ```
    becomes
    ```mlir
    linalg.matmul ins(%x, %w_0 : memref<?x8xf32>, memref<8x3xf32, strided<[6, 1]>>) outs(%y_0 : memref<?x3xf32, strided<[6, 1]>>)
    linalg.matmul ins(%x, %w_1 : memref<?x8xf32>, memref<8x3xf32, strided<[6, 1], offset: 3>>) outs(%y_1 : memref<?x3xf32, strided<[6, 1], offset: 3>>)
    ```
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def FuseRows : Pass<"kernels-fuse-rows", "::mlir::ModuleOp"> {
  let summary = "Let a block of threads do what follows on the same rows.";
  let description = [{
    In loops, where a barrier is waited at in each iteration: products, elements and
    independent loops over the same number of rows become one stage, if what they need of
    each other is in the same rows. A block executes them for a tile of rows. Columns of
    products are divided between blocks; what these need whole, each of them computes into
    memory of its own. Of the levels of a forest it is known that children are nodes of
    earlier levels, and that the edges of a node stand together.

    What no iteration changes, the right operands of products, a block reads in the first
    iteration and keeps in the memory that its threads share, if its columns fit what every
    GPU has that runs the code (`TargetCosts`); a remark says where they do not.

    ```mlir
    func.func @f(%x: memref<?x8xf32>, %w: memref<8x4xf32>, %n: index) {
      %zero = arith.constant 0.0 : f32
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %y = rt.alloc(%n) : memref<?x4xf32>
      scf.for %i = %c0 to %n step %c1 {
        linalg.fill ins(%zero : f32) outs(%y : memref<?x4xf32>)
        linalg.matmul ins(%x, %w : memref<?x8xf32>, memref<8x4xf32>) outs(%y : memref<?x4xf32>)
        linalg.exp ins(%y : memref<?x4xf32>) outs(%y : memref<?x4xf32>)
      }
      return
    }
    ```
    becomes
    ```mlir
    rt.parallel %tiles grain 1 unit block {
    ```
  }];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::cambium::rt::RTDialect"];
}

def FormStages : Pass<"kernels-form-stages", "::mlir::ModuleOp"> {
  let summary = "Divide entries into what all threads do and stages that they share.";
  let description = [{
    All threads of the grid execute an entry's loops, branches and sizes alike. What
    writes to memory becomes a stage, an `rt.parallel` with a unit: elements of a linalg
    op are for threads, or for warps where they are sums of a row; tiles of a product
    are for blocks; iterations of an independent loop are for warps, whose threads share
    the linalg ops in it. One warp executes a loop that is not independent and moves
    little; a remark says so.

    ```mlir
    func.func @f(%x: memref<?x8xf32>, %y: memref<?x8xf32>) {
      linalg.copy ins(%x : memref<?x8xf32>) outs(%y : memref<?x8xf32>)
      return
    }
    ```
    becomes
    ```mlir
    rt.parallel %count grain 1 unit thread {
    ^bb0(%begin: index, %end: index):
      scf.for %i = %first to %end step %threads {
        %v = memref.load %x[%row, %column] : memref<?x8xf32>
        memref.store %v, %y[%row, %column] : memref<?x8xf32>
    ```
  }];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::cambium::rt::RTDialect"];
}

def ComputeFunctions : Pass<"kernels-compute-functions"> {
  let summary = "Compute functions by arithmetic where there is no library.";
  let description = [{
    What `kernels-approximate-math` leaves, in f64: right to about 1e-15 of the result;
    sines and cosines of numbers up to 2^30. Numbers in f32 are extended.

    ```mlir
    func.func @f(%x: f32) -> f32 {
      %y = math.sin %x : f32
      return %y : f32
    }
    ```
    becomes
    ```mlir
    %wide = arith.extf %x : f32 to f64
    %quarters = math.roundeven %scaled : f64
    ...
    %y = arith.truncf %sine : f64 to f32
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect"];
}

def OrderStages : Pass<"kernels-order-stages", "::mlir::ModuleOp"> {
  let summary = "Let stages stand together that need no barrier between them.";
  let description = [{
    Within a block, a stage moves behind the fewest barriers that what it reads and
    writes needs. Views with columns apart are different memory. Loops and branches with
    stages in them, and failures, keep their place.

    ```mlir
    func.func @f(%x: memref<?xf32>, %y: memref<?xf32>, %n: index, %v: f32, %w: f64) {
      rt.parallel %n grain 1 unit thread {
      ^bb0(%begin: index, %end: index):
        memref.store %v, %x[%begin] : memref<?xf32>
      }
      rt.parallel %n grain 1 unit thread {
      ^bb0(%begin: index, %end: index):
        %u = memref.load %x[%begin] : memref<?xf32>
        memref.store %u, %x[%end] : memref<?xf32>
      }
      rt.parallel %n grain 1 unit thread {
      ^bb0(%begin: index, %end: index):
        memref.store %v, %y[%begin] : memref<?xf32>
      }
      return
    }
    ```
    becomes
    ```mlir
    memref.store %v, %x[%begin] : memref<?xf32>
    memref.store %v, %y[%begin] : memref<?xf32>
    %u = memref.load %x[%begin] : memref<?xf32>
    ```
  }];
  let dependentDialects = ["::cambium::rt::RTDialect"];
}

def PlaceBarriers : Pass<"kernels-place-barriers", "::mlir::ModuleOp"> {
  let summary = "Let all blocks wait where a stage needs another one's result.";
  let description = [{
    An `rt.barrier` before a stage that reads what a stage since the last barrier has
    written, or writes what one has read or written. So too around loops, whose
    iterations follow each other, and before what all threads read.

    ```mlir
    func.func @f(%x: memref<?xf32>, %y: memref<?xf32>, %n: index, %v: f32) {
      rt.parallel %n grain 1 unit thread {
      ^bb0(%begin: index, %end: index):
        memref.store %v, %x[%begin] : memref<?xf32>
      }
      rt.parallel %n grain 1 unit thread {
      ^bb0(%begin: index, %end: index):
        %w = memref.load %x[%begin] : memref<?xf32>
        memref.store %w, %y[%begin] : memref<?xf32>
      }
      return
    }
    ```
    becomes
    ```mlir
    rt.parallel %n grain 1 unit thread {
    rt.barrier
    rt.parallel %n grain 1 unit thread {
    ```
  }];
  let dependentDialects = ["::cambium::rt::RTDialect"];
}

def WatchStages : Pass<"kernels-watch-stages", "::mlir::ModuleOp"> {
  let summary = "Let barriers take the time of stages, or fail where blocks do not come.";
  let description = [{
    With `time`, every barrier ends a stage that has a number: what runs between the
    barrier before it and itself. `rt.device_entry` gets a text for each: the names of
    the model's ops and their places. More barriers than there were: at the beginning,
    at the end, before and behind loops, so that a stage is what one text says.

    With `limit`, in milliseconds, a block that waits longer for others ends the entry
    with a failure that names the stage.

    ```mlir
    rt.device_entry "f" kernel "cambium_f" threads 256 shared 0 chains [] messages [] []
      workspace @f.workspace
    func.func private @f.workspace() -> index {
      %none = arith.constant 0 : index
      return %none : index
    }
    func.func @f(%x: memref<?xf32> {rt.as = #rt.input<name = "x", space = -1>}, %n: index, %v: f32) {
      rt.parallel %n grain 1 unit thread {
      ^bb0(%begin: index, %end: index):
        memref.store %v, %x[%begin] : memref<?xf32>
      }
      return
    }
    ```
    becomes, with `time`
    ```mlir
    rt.barrier ends 0
    rt.parallel %n grain 1 unit thread {
    rt.barrier ends 1
    ```
  }];
  let options = [
    Option<"time", "time", "bool", "false", "Whether barriers take times">,
    Option<"limit", "limit", "int64_t", "0",
           "Milliseconds that a block waits for others at most; 0: no limit">];
  let dependentDialects = ["::cambium::rt::RTDialect"];
}

def SizeWorkspace : Pass<"kernels-size-workspace", "::mlir::ModuleOp"> {
  let summary = "Let the host compute how much memory a kernel needs.";
  let description = [{
    The function that `rt.device_entry` names adds up the sizes of all `rt.alloc` of the
    entry. What they depend on is copied into it; it must be known before the entry
    runs, or have a bound (`rt.at_most`) that is. Bounds go then.

    ```mlir
    rt.device_entry "f" kernel "cambium_f" threads 256 shared 0 chains [] messages [] []
      workspace @f.workspace
    func.func private @f.workspace() -> index {
      %none = arith.constant 0 : index
      return %none : index
    }
    func.func @f() {
      %n = rt.num_examples
      %x = rt.alloc(%n) : memref<?x8xf32>
      return
    }
    ```
    becomes
    ```mlir
    func.func private @f.workspace() -> index {
      %n = rt.num_examples
      %wide = arith.index_cast %n : index to i64
      %bytes, %high = arith.mulsi_extended %c32, %wide : i64
    ```
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::memref::MemRefDialect", "::cambium::rt::RTDialect"];
}

#endif // CAMBIUM_KERNELS_GPU_TD
