// RUN: cambium-opt %s --target-attach=cpu=x86-64-v3 | FileCheck %s --check-prefix=V3
// RUN: cambium-opt %s --target-attach=cpu=x86-64-v4 | FileCheck %s --check-prefix=V4
// RUN: cambium-opt %s --target-attach=cpu=x86-64 --target-attach | FileCheck %s --check-prefix=KEPT
// RUN: not cambium-opt %s --target-attach=cpu=x86-64 --target-attach=cpu=x86-64-v4 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not cambium-opt %s --target-attach=cpu=abacus 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: cambium-opt %s --target-attach=cpu=sm_90 | FileCheck %s --check-prefix=GPU
// RUN: not cambium-opt %s --target-attach=cpu=sm_1 2>&1 | FileCheck %s --check-prefix=NOGPU

/// Every driver of CUDA 12 takes this version.
// GPU: rt.target <triple = "nvptx64-nvidia-cuda", cpu = "sm_90", features = "+ptx80", flags = []>
// NOGPU: error: --mcpu: expected a GPU such as sm_80 or sm_90, but got 'sm_1'

/// Flags are those of /proc/cpuinfo, by which the runtime checks the machine.
// V3: rt.target <triple = "x86_64
// V3-SAME: cpu = "x86-64-v3"
// V3-SAME: flags = [
// V3-SAME: "avx2", "fma"]
// V4: "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"]
/// The first one stays.
// OTHER: error: expected no other processor than "x86-64", for which the module is made ('rt.target'), but got "x86-64-v4"
// KEPT: cpu = "x86-64"
// UNKNOWN: error: --mcpu: expected a processor such as native, x86-64-v3, x86-64-v4 or znver4, but got 'abacus'
module {
}
