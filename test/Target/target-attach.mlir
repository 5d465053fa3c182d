// RUN: cambium-opt %s --target-attach=cpu=x86-64-v3 | FileCheck %s --check-prefix=V3
// RUN: cambium-opt %s --target-attach=cpu=x86-64-v4 | FileCheck %s --check-prefix=V4
// RUN: cambium-opt %s --target-attach=cpu=x86-64 --target-attach | FileCheck %s --check-prefix=KEPT
// RUN: not cambium-opt %s --target-attach=cpu=x86-64 --target-attach=cpu=x86-64-v4 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not cambium-opt %s --target-attach=cpu=abacus 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: cambium-opt %s --target-attach=cpu=sm_90 | FileCheck %s --check-prefix=GPU
// RUN: not cambium-opt %s --target-attach=cpu=sm_1 2>&1 | FileCheck %s --check-prefix=NOGPU
// RUN: cambium-opt %s --target-attach="cpu=x86-64-v3 math=bf16" --target-attach | FileCheck %s --check-prefix=MATH
// RUN: cambium-opt %s --target-attach="cpu=x86-64-v3 weights=int8 math=f32" --target-attach="weights=int8" | FileCheck %s --check-prefix=WEIGHTS
// RUN: not cambium-opt %s --target-attach=math=f16 2>&1 | FileCheck %s --check-prefix=NOMATH
// RUN: cambium-opt %s --target-attach="cpu=sm_80 math=tf32" --target-attach | FileCheck %s --check-prefix=TENSOR
// RUN: not cambium-opt %s --target-attach="cpu=sm_75 math=bf16" 2>&1 | FileCheck %s --check-prefix=NOTENSOR
// RUN: not cambium-opt %s --target-attach="cpu=x86-64-v3 math=tf32" 2>&1 | FileCheck %s --check-prefix=PROCESSOR
// RUN: not cambium-opt %s --target-attach=weights=int4 2>&1 | FileCheck %s --check-prefix=NOWEIGHTS
// RUN: not cambium-opt %s --target-attach="weights=int8 math=bf16" 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not cambium-opt %s --target-attach=math=bf16 --target-attach=math=f32 2>&1 | FileCheck %s --check-prefix=OTHERMATH
// RUN: not cambium-opt %s --target-attach --target-attach=weights=int8 2>&1 | FileCheck %s --check-prefix=OTHERWEIGHTS
// RUN: cambium-opt %s --target-attach=cpu=sapphirerapids --target-attach=cpu=sapphirerapids | FileCheck %s --check-prefix=NOTILES
// RUN: cambium-opt %s --target-attach="cpu=sapphirerapids math=bf16" --target-attach=cpu=sapphirerapids | FileCheck %s --check-prefix=TILES
// RUN: cambium-opt %s --target-attach="cpu=sapphirerapids weights=int8" | FileCheck %s --check-prefix=TILES8

/// How products multiply, and how weights are kept for them.
// MATH: rt.target <{{.*}}> math bf16{{$}}
// WEIGHTS: rt.target <{{.*}}> weights int8{{$}}
// NOMATH: error: expected --math to be f32, bf16 or tf32, but got 'f16': did you mean 'bf16'?
// TENSOR: rt.target <{{.*}}cpu = "sm_80"{{.*}}> math tf32{{$}}
// NOTENSOR: error: expected a GPU from sm_80 on together with --math=bf16, but got 'sm_75'
// PROCESSOR: error: expected a GPU from sm_80 on together with --math=tf32, but got 'x86-64-v3'
// NOWEIGHTS: error: expected --weights to be same or int8, but got 'int4': did you mean 'int8'?
// BOTH: error: expected --math=f32 together with --weights=int8: products of these weights multiply integers, and the others f32
// OTHERMATH: error: expected no other --math than "bf16", for which the module is made ('rt.target'), but got "f32"
// OTHERWEIGHTS: error: expected no other --weights than "same", for which the module is made ('rt.target'), but got "int8"

/// Every driver of CUDA 12 takes this version.
// GPU: rt.target <triple = "nvptx64-nvidia-cuda", cpu = "sm_90", features = "+ptx80", flags = []>
// NOGPU: error: --mcpu: expected a GPU such as sm_80 or sm_90, but got 'sm_1'

/// Flags are those of /proc/cpuinfo, by which the runtime checks the machine.
// V3: rt.target <triple = "x86_64
// V3-SAME: cpu = "x86-64-v3"
// V3-SAME: flags = [
// V3-SAME: "avx2", "fma"]
// V4: "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"]

/// What a system may refuse is needed by the products alone that use it.
// NOTILES-NOT: amx
// NOTILES: "avx512_fp16"]>{{$}}
// TILES: "avx512_fp16", "amx_tile", "amx_bf16"]> math bf16
// TILES8: "avx512_fp16", "amx_tile", "amx_int8"]> weights int8

/// The first one stays.
// OTHER: error: expected no other processor than "x86-64", for which the module is made ('rt.target'), but got "x86-64-v4"
// KEPT: cpu = "x86-64"
// UNKNOWN: error: --mcpu: expected a processor such as native, x86-64-v3, x86-64-v4 or znver4, but got 'abacus'
module {
}
