//===-- lib/LLVM/GlobalBuilder.h - Structs of constants for the host ------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_LLVM_GLOBALBUILDER_H
#define CAMBIUM_LIB_LLVM_GLOBALBUILDER_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace cambium {

/// A struct of constants whose fields must lie where the C compiler puts them.
class ConstantStruct {
public:
  ConstantStruct(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

  /// Appends a field of `size` bytes at byte `offset`.
  void add(mlir::Value value, [[maybe_unused]] size_t offset, size_t size) {
    assert(offset == end && "fields of a struct without gaps, in order");
    values.push_back(value);
    types.push_back(value.getType());
    end = offset + size;
  }
  size_t size() const { return end; }
  mlir::Value build() {
    mlir::Type type =
        mlir::LLVM::LLVMStructType::getLiteral(builder.getContext(), types);
    mlir::Value value = mlir::LLVM::UndefOp::create(builder, loc, type);
    for (auto [index, field] : llvm::enumerate(values))
      value =
          mlir::LLVM::InsertValueOp::create(builder, loc, value, field, index);
    return value;
  }

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
  llvm::SmallVector<mlir::Value> values;
  llvm::SmallVector<mlir::Type> types;
  size_t end = 0;
};

#define CAMBIUM_FIELD(type, field)                                             \
  offsetof(type, field), sizeof(std::declval<type>().field)

/// Builds constants of a module, and the functions that return their addresses.
class GlobalBuilder {
protected:
  explicit GlobalBuilder(mlir::ModuleOp module)
      : module(module), loc(module.getLoc()),
        builder(mlir::OpBuilder::atBlockEnd(module.getBody())) {}

  mlir::LLVM::GlobalOp createGlobal(llvm::StringRef name, mlir::Type type,
                                    mlir::Attribute value = {}) {
    return mlir::LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true,
                                        mlir::LLVM::Linkage::Internal, name,
                                        value);
  }

  /// A global whose value is built by code.
  template <typename Build>
  mlir::LLVM::GlobalOp createGlobalOf(llvm::StringRef name, mlir::Type type,
                                      Build build) {
    mlir::LLVM::GlobalOp global = createGlobal(name, type);
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(&global.getInitializerRegion());
    mlir::LLVM::ReturnOp::create(builder, loc, build());
    return global;
  }

  /// A text with its final 0; the global precedes that which uses it.
  mlir::LLVM::GlobalOp createText(llvm::StringRef name, llvm::StringRef text) {
    std::string bytes(text);
    bytes.push_back('\0');
    mlir::Type type =
        mlir::LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size());
    return createGlobal(name, type, builder.getStringAttr(bytes));
  }

  template <typename Symbol> mlir::Value address(Symbol symbol) {
    return mlir::LLVM::AddressOfOp::create(builder, loc, symbol);
  }
  mlir::Value integer(uint64_t value, unsigned bits) {
    mlir::Type type = builder.getIntegerType(bits);
    return mlir::LLVM::ConstantOp::create(builder, loc, type,
                                          builder.getIntegerAttr(type, value));
  }

  /// The function that returns the address of a description.
  void createQuery(llvm::StringRef symbol, llvm::StringRef prefix,
                   mlir::LLVM::GlobalOp description) {
    mlir::OpBuilder::InsertionGuard guard(builder);
    mlir::Type pointer = mlir::LLVM::LLVMPointerType::get(module.getContext());
    std::string name = symbol.str();
    if (!prefix.empty())
      name = (prefix + "_" + name).str();
    auto query = mlir::LLVM::LLVMFuncOp::create(
        builder, loc, name, mlir::LLVM::LLVMFunctionType::get(pointer, {}));
    mlir::Block *body = query.addEntryBlock(builder);
    builder.setInsertionPointToStart(body);
    mlir::LLVM::ReturnOp::create(builder, loc, address(description));
  }

  mlir::ModuleOp module;
  mlir::Location loc;
  mlir::OpBuilder builder;
};

} // namespace cambium

#endif // CAMBIUM_LIB_LLVM_GLOBALBUILDER_H
