//===-- test/NN/Transforms/nn-import-files-errors.mlir - What is refused ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: split-file %s %t
// RUN: cp -r %S/Inputs/import %t
// RUN: not cambium-opt %t/missing.mlir --nn-import-files 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not cambium-opt %t/public.mlir --nn-import-files 2>&1 | FileCheck %s --check-prefix=PUBLIC
// RUN: not cambium-opt %t/twice.mlir --nn-import-files 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not cambium-opt %t/cycle.mlir --nn-import-files 2>&1 | FileCheck %s --check-prefix=CYCLE
// RUN: not cambium-opt %t/broken.mlir --nn-import-files 2>&1 | FileCheck %s --check-prefix=BROKEN
// RUN: not cambium-opt %t/folder.mlir --nn-import-files 2>&1 | FileCheck %s --check-prefix=FOLDER
// RUN: not cambium-opt %t/device.mlir --nn-import-files 2>&1 | FileCheck %s --check-prefix=DEVICE
// RUN: not cambium-opt %t/zero.mlir --nn-import-files 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not cambium-opt %t/written.mlir --nn-import-files=outputs=%t/none.so,%t/import/../import/layers.mlir 2>&1 | FileCheck %s --check-prefix=WRITTEN
/// The same from the compiler.
// RUN: not cambium-compile %t/twice.mlir -o %t/twice.so 2>&1 | FileCheck %s --check-prefix=TWICE

// [NN-IMPORT-C1]
// MISSING: missing.mlir:1:1: error: 'nn.import' op expected a file 'nothing.mlir' relative to '{{.*}}' or to a folder given by -I, but found none
//--- missing.mlir
nn.import "nothing.mlir"

// FOLDER: error: 'nn.import' op expected a file 'import' relative to
//--- folder.mlir
nn.import "import"

// [NN-IMPORT-C2]
// PUBLIC: import/public.mlir:1:1: error: expected an imported file to hold private functions, 'nn.sizes' and 'nn.import' only, but got 'func.func'
// PUBLIC: public.mlir:1:1: note: imported here
//--- public.mlir
nn.import "import/public.mlir"

// [NN-IMPORT-C3]
// TWICE: import/layers.mlir:3:1: error: expected other names than those of the importing files, but got '@dense' twice
// TWICE: twice.mlir:2:1: note: the other one is here
//--- twice.mlir
nn.import "import/layers.mlir"
func.func private @dense(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}

// [NN-IMPORT-C4]
// CYCLE: cycle_b.mlir:1:1: error: 'nn.import' op expected no cycle of imports, but 'cycle_a.mlir' imports this file
//--- cycle.mlir
nn.import "import/cycle_a.mlir"

// [NN-IMPORT-C5]
// BROKEN: import/broken.mlir:1:{{.*}}: error: expected
// BROKEN: broken.mlir:1:1: error: 'nn.import' op expected '{{.*}}import/broken.mlir' to be a valid file
//--- broken.mlir
nn.import "import/broken.mlir"

// [NN-IMPORT-C6]
// WRITTEN: written.mlir:1:1: error: 'nn.import' op expected another file than the one to write, but got 'import/layers.mlir'
//--- written.mlir
nn.import "import/layers.mlir"

// DEVICE: device.mlir:1:1: error: 'nn.import' op cannot open input file '/dev/zero': expected a regular file
//--- device.mlir
nn.import "/dev/zero"

/// No file that is named by what stands before the zero.
// ZERO: zero.mlir:1:1: error: 'nn.import' op expected a file 'import/layers.mlir
//--- zero.mlir
nn.import "import/layers.mlir\00x"
