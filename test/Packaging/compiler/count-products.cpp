//===-- test/Packaging/compiler/count-products.cpp - A pass from outside --===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/InitAllDialects.h"
#include "cambium/InitAllPasses.h"
#include "dialects/NN/IR/NN.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

namespace {

/// Remarks on every function how many matrix products it has.
struct CountProducts
    : public mlir::PassWrapper<CountProducts,
                               mlir::OperationPass<mlir::ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CountProducts)

  llvm::StringRef getArgument() const override { return "count-products"; }
  llvm::StringRef getDescription() const override {
    return "remarks how many products a function has";
  }

  void runOnOperation() override {
    getOperation().walk([](mlir::FunctionOpInterface function) {
      int64_t count = 0;
      function->walk([&](cambium::nn::MatmulOp) { ++count; });
      function->emitRemark() << count << " products";
    });
    markAllAnalysesPreserved();
  }
};

} // namespace

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  cambium::registerAllDialects(registry);
  cambium::registerAllPasses();
  mlir::PassRegistration<CountProducts>();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Counts products in models\n", registry));
}
