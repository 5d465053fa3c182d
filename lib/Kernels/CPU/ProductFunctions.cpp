//===-- lib/Kernels/CPU/ProductFunctions.cpp - Functions of products ------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ProductFunctions.h"
#include "ProductKernel.h"
#include "ProductPanels.h"
#include "WordKernel.h"

using namespace mlir;
using namespace cambium;

func::FuncOp ProductFunctions::kernelOf(Type element, bool lhsTransposed,
                                        const TargetCosts &tile) {
  std::string kind;
  llvm::raw_string_ostream(kind)
      << element << (lhsTransposed ? "_transposed" : "");
  Kernel &kernel = kernels[kind];
  if (!kernel.function)
    kernel = {declareKernel(kind, productArguments(element, lhsTransposed)),
              element,
              lhsTransposed,
              {}};
  auto place = llvm::find_if(kernel.tiles, [&](const TargetCosts &known) {
    return known.tileVectors >= tile.tileVectors;
  });
  if (place == kernel.tiles.end() || place->tileVectors > tile.tileVectors)
    kernel.tiles.insert(place, tile);
  return kernel.function;
}

func::FuncOp ProductFunctions::kernelOf(rt::PanelFormat format) {
  Kernel &kernel = kernels[rt::stringifyPanelFormat(format).str()];
  if (kernel.function)
    return kernel.function;
  kernel.function = declareKernel(rt::stringifyPanelFormat(format),
                                  wordProductArguments(module.getContext()));
  emitWordKernel(kernel.function, format, costs);
  return kernel.function;
}

void ProductFunctions::finish() {
  for (auto &[kind, kernel] : kernels)
    if (!kernel.tiles.empty())
      emitProductKernel(kernel.function, kernel.element, kernel.lhsTransposed,
                        kernel.tiles);
}

func::FuncOp ProductFunctions::sharesOf(func::FuncOp kernel,
                                        const TargetCosts &tile, size_t count,
                                        Together together, bool lhsTransposed) {
  const auto &[kind, found] = *llvm::find_if(kernels, [&](const auto &named) {
    return named.second.function == kernel;
  });
  std::string name = "product_" + kind;
  // One for each tile that a kernel has; the narrowest one needs no name.
  if (!found.tiles.empty() &&
      tile.tileVectors != narrowestTile(costs).tileVectors)
    name += "_by" + std::to_string(tile.tileVectors);
  if (count > 1)
    name += (together == Together::Sum ? "_sum" : "_beside") +
            std::to_string(count);
  func::FuncOp &function = shares[name];
  if (function)
    return function;
  ArrayRef<Type> operands = kernel.getArgumentTypes().drop_back(kNumBounds);
  SmallVector<Type> arguments;
  for (size_t i = 0; i < count; ++i)
    llvm::append_range(arguments, operands);
  if (hasOrder(count, together))
    arguments.push_back(IntegerType::get(module.getContext(), 1));
  function = declare(name, arguments);
  unsigned bits = getElementTypeOrSelf(operands[3]).getIntOrFloatBitWidth();
  emitProductShares(function, kernel, together, lhsTransposed,
                    costs.vectorBytes * 8 / bits, tile);
  return function;
}

func::FuncOp ProductFunctions::declareKernel(StringRef kind,
                                             SmallVector<Type> arguments) {
  arguments.append(kNumBounds, IndexType::get(module.getContext()));
  return declare(("product_" + kind + "_part").str(), arguments);
}

func::FuncOp ProductFunctions::declare(StringRef name,
                                       ArrayRef<Type> arguments) {
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  auto function = func::FuncOp::create(builder, module.getLoc(), name,
                                       builder.getFunctionType(arguments, {}));
  function.setPrivate();
  function.setNoInline(true);
  symbols.insert(function);
  return function;
}
