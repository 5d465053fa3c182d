//===-- test/Differential/Subject.h - A model in two forms ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TEST_DIFFERENTIAL_SUBJECT_H
#define CAMBIUM_TEST_DIFFERENTIAL_SUBJECT_H

#include "Compiled.h"
#include "dialects/Train/Interpret/FiniteDifferences.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

namespace cambium::difftest {

/// The slopes of a function to both sides of a point.
struct Slopes {
  double left, right;
};

/// The interpreter divides by zero, and so must the call: what its status says.
class DividesByZero : public llvm::ErrorInfo<DividesByZero> {
public:
  static char ID;
  DividesByZero(std::string text, bool countsRows)
      : text(std::move(text)), countsRows(countsRows) {}
  /// Whether the op counts the rows of the example: it stands in no region of
  /// another op.
  bool doesCountRows() const { return countsRows; }
  void log(llvm::raw_ostream &stream) const override { stream << text; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

private:
  std::string text;
  bool countsRows;
};

/// A model file, its compiled form, and the interpreter with the same values of
/// the parameters.
class Subject {
public:
  /// Parses and compiles a model and draws values for its parameters. With
  /// `counts` the compiler counts operations.
  static llvm::Expected<std::unique_ptr<Subject>>
  make(llvm::StringRef path, mlir::DialectRegistry &registry, Random &random,
       llvm::StringRef device = "cpu", bool counts = false);

  mlir::ModuleOp getModule() { return *module; }
  Compiled &getCompiled() { return *compiled; }
  const Parameters &getParameters() const { return parameters; }
  /// Draws values of all parameters.
  void drawParameters(Random &random) {
    compiled->drawParameters(random);
    readParameters();
  }
  /// Reads the parameters from the store again.
  void readParameters() { parameters = compiled->getParameters(); }

  /// The function that an entry computes; of a training step, its loss.
  llvm::Expected<mlir::FunctionOpInterface>
  getFunction(const cambium_entry_t *entry);

  /// The results of the interpreter on one example; `DividesByZero` where it
  /// does.
  llvm::Expected<std::vector<Tensor>>
  interpret(const cambium_entry_t *entry, const ExampleData &example, bool f64);

  /// The same in f64 with parameters that rounding may have moved.
  llvm::Expected<std::vector<Tensor>>
  interpretNearby(const cambium_entry_t *entry, const ExampleData &example,
                  Random &random);

  /// The examples without those on which the interpreter divides by zero.
  llvm::Expected<std::vector<ExampleData>>
  withoutDivisions(const cambium_entry_t *entry,
                   std::vector<ExampleData> examples);

  /// Derivatives of the mean loss of a training step by finite differences.
  llvm::Expected<std::vector<Derivative>>
  differentiate(const cambium_entry_t *entry,
                llvm::ArrayRef<ExampleData> examples,
                llvm::ArrayRef<Coordinate> coordinates);

  /// The slopes of the mean loss to both sides along one coordinate.
  llvm::Expected<Slopes> findSlopes(const cambium_entry_t *entry,
                                    llvm::ArrayRef<ExampleData> examples,
                                    const Coordinate &coordinate);

private:
  explicit Subject(mlir::DialectRegistry &registry);

  llvm::Expected<Example> makeExample(const cambium_entry_t *entry,
                                      mlir::FunctionOpInterface function,
                                      const ExampleData &example);

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::unique_ptr<Compiled> compiled;
  Parameters parameters;
};

/// Compiles a model file to a shared object and loads it.
llvm::Expected<std::unique_ptr<Compiled>>
compileAndLoad(llvm::StringRef path, mlir::DialectRegistry &registry,
               llvm::StringRef device = "cpu", bool counts = false);

} // namespace cambium::difftest

#endif // CAMBIUM_TEST_DIFFERENTIAL_SUBJECT_H
