//===-- dialects/RT/IR/GpuOps.td - Entries as kernels of GPUs ------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Part of RTOps.td.
#ifndef CAMBIUM_RT_GPU_OPS_TD
#define CAMBIUM_RT_GPU_OPS_TD

include "dialects/RT/IR/RTOpBase.td"
include "mlir/IR/SymbolInterfaces.td"

def RT_BarrierOp : RT_Op<"barrier", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "All blocks of the GPU wait for each other.";
  let description = [{
    What a stage before it has written is read by stages behind it. All threads of the
    grid get to it, or none.

    A barrier may be watched: it takes the time of the stage that it ends, by that
    stage's number in the `stages` of `rt.device_entry`; it lets a block wait so many
    milliseconds for others, and then end the entry with a failure, by its number in the
    `messages`.

    ```mlir
    rt.barrier
    rt.barrier ends 2
    rt.barrier within 10000 or 3
    ```
  }];
  let arguments = (ins OptionalAttr<ConfinedAttr<I32Attr, [IntNonNegative]>>:$stage,
      OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$limit,
      OptionalAttr<ConfinedAttr<I32Attr, [IntPositive]>>:$failure);
  let builders = [OpBuilder<(ins), [{}]>];
  let assemblyFormat = "(`ends` $stage^)? (`within` $limit^ `or` $failure)? attr-dict";
  let hasVerifier = 1;
}

def RT_DeviceEntryOp : RT_Op<"device_entry", [
    HasParent<"::mlir::ModuleOp">, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "What the host has to know of an entry's kernel.";
  let description = [{
    A `cambium_abi_device_entry_t` of device_abi.h: the name of the entry, the kernel
    with its threads and bytes of shared memory, the function that computes the bytes
    of workspace, the forests that the host makes (a space and the number of a
    `cambium_abi_sequence_t`, each), the status and the text of each failure, and what
    the stages are whose time barriers take. Made from the device code, taken in the
    llvm phase of the host's.

    ```mlir
    rt.device_entry "predict" kernel "cambium_predict" threads 256 shared 0
        chains [0, 1] messages [] [] stages ["nn.matmul, model.mlir:7"]
        workspace @predict.workspace
    func.func private @predict.workspace() -> index {
      %n = arith.constant 128 : index
      return %n : index
    }
    ```
  }];
  let arguments = (ins StrAttr:$name, StrAttr:$kernel, I64Attr:$threads, I64Attr:$shared,
      DenseI32ArrayAttr:$chains, DenseI32ArrayAttr:$statuses, StrArrayAttr:$texts,
      OptionalAttr<StrArrayAttr>:$stages, FlatSymbolRefAttr:$workspace);
  let assemblyFormat = [{
    $name `kernel` $kernel `threads` $threads `shared` $shared `chains` $chains
    `messages` $statuses $texts (`stages` $stages^)? `workspace` $workspace attr-dict
  }];
  let hasVerifier = 1;
}

def RT_ImageOp : RT_Op<"image", [HasParent<"::mlir::ModuleOp">]> {
  let summary = "The kernels of all entries for one architecture.";
  let description = [{
    A text in PTX, or with `cubin` what `ptxas` makes of it. Taken in the llvm phase of
    the host's code.

    ```mlir
    module {
      rt.image "sm_90" ".version 8.0\n.target sm_90\n.address_size 64\n"
      rt.image "sm_90" cubin "\7FELF"
    }
    ```
  }];
  let arguments = (ins StrAttr:$arch, StrAttr:$bytes, UnitAttr:$cubin);
  let assemblyFormat = "$arch (`cubin` $cubin^)? $bytes attr-dict";
}

#endif // CAMBIUM_RT_GPU_OPS_TD
