// RUN: cambium-opt %s --split-input-file --verify-diagnostics --kernels-describe-entries | FileCheck %s

/// The host makes the chains of arguments: each is one more forest. Failures have
/// numbers. A kernel's name has letters, digits and underscores.
// CHECK: func.func private @train.it.workspace(
// CHECK-SAME: -> index
// CHECK: rt.device_entry "train.it" kernel "cambium_train_it" threads 256 shared 0 chains [0, 1, 0, 0] messages [9, 3] ["bad", "worse"] workspace @train.it.workspace
// CHECK-LABEL: func.func @train.it
// CHECK-SAME: %[[REVERSED:[^:]*]]: !ragged.forest {rt.as = #rt.forest<name = "chain", space = 0, arity = 1, single_root = true>}
// CHECK-SAME: %[[FORWARD:[^:]*]]: !ragged.forest {rt.as
// CHECK-SAME: memref<?xf32> {rt.as = #rt.input
// CHECK-NOT: rt.chain
// CHECK-COUNT-2: rt.forest_size %[[REVERSED]]
// CHECK: rt.forest_size %[[FORWARD]]
func.func @train.it(%rows: !ragged.rows {rt.as = #rt.rows<name = "words">},
                    %x: memref<?xf32> {rt.as = #rt.input<name = "x">}) {
  %a = rt.chain %rows reversed
  %b = rt.chain %rows reversed
  %c = rt.chain %rows
  %i = rt.forest_size %a num_levels
  %j = rt.forest_size %b num_levels
  %k = rt.forest_size %c num_levels
  %bad = arith.cmpi slt, %i, %j : index
  rt.fail_if %bad, 9, "bad"
  rt.fail_if %bad, 3, "worse" row %k
  return
}

// -----

func.func @other(%rows: !ragged.rows {rt.as = #rt.rows<name = "words">}, %ids: memref<?xi32> {rt.as = #rt.input<name = "ids">}) {
  %n = rt.num_examples
  %some = rt.group %rows, %ids, %n : memref<?xi32>
  // expected-error @below {{'rt.chain' op expected rows of an argument: GPU code makes no other chain}}
  %chain = rt.chain %some
  return
}
