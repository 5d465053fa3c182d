//===-- lib/Interpreter/JSON.cpp - Tensors and trees as JSON ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Interpreter/JSON.h"
#include "cambium/Support/Rows.h"
#include "dialects/NN/IR/Names.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using namespace cambium;
namespace json = llvm::json;

template <typename... Args>
static llvm::Error makeError(const char *format, Args &&...args) {
  return llvm::createStringError(
      llvm::formatv(format, std::forward<Args>(args)...).str());
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// A number, or one of those that JSON does not have.
static std::optional<double> readNumber(const json::Value &value) {
  if (std::optional<double> number = value.getAsNumber())
    return number;
  auto text = value.getAsString();
  if (text == "nan")
    return NAN;
  if (text == "inf" || text == "-inf")
    return *text == "inf" ? INFINITY : -INFINITY;
  return std::nullopt;
}

/// Reads the elements of a tensor at `depth` of its shape, from place `next`
/// on.
static llvm::Error readElements(const json::Value &value, Tensor &tensor,
                                int64_t depth, int64_t &next) {
  if (depth == tensor.getRank()) {
    std::optional<double> number = readNumber(value);
    std::optional<int64_t> integer = value.getAsInteger();
    if (tensor.isFloat() ? !number : !integer)
      return makeError("expected {0}, but got {1}",
                       tensor.isFloat() ? "a number" : "an integer", value);
    if (tensor.isFloat())
      tensor.f(next++) = *number;
    else
      tensor.i(next++) = *integer;
    return llvm::Error::success();
  }
  const json::Array *list = value.getAsArray();
  int64_t expected = tensor.getDim(depth);
  if (!list || static_cast<int64_t>(list->size()) != expected)
    return makeError(
        "expected a list of {0} in dimension {1}, but got {2}", expected, depth,
        list ? "one of " + std::to_string(list->size()) : "something else");
  for (const json::Value &element : *list)
    if (llvm::Error error = readElements(element, tensor, depth + 1, next))
      return error;
  return llvm::Error::success();
}

static llvm::Expected<Tensor> readTensor(const json::Value &value, Type type) {
  SmallVector<int64_t> shape;
  if (auto shaped = dyn_cast<ShapedType>(type))
    llvm::append_range(shape, shaped.getShape());
  // Only the first dimension is ever open.
  if (!shape.empty() && ShapedType::isDynamic(shape[0]))
    shape[0] = value.getAsArray() ? value.getAsArray()->size() : 0;
  if (llvm::any_of(shape, ShapedType::isDynamic))
    return makeError("expected only the first dimension to be dynamic");
  Tensor tensor = isa<FloatType>(getElementTypeOrSelf(type))
                      ? Tensor::floats(shape)
                      : Tensor::ints(shape);
  int64_t next = 0;
  if (llvm::Error error = readElements(value, tensor, 0, next))
    return error;
  return tensor;
}

static llvm::Expected<std::vector<int64_t>>
readIndices(const json::Value &value) {
  const json::Array *list = value.getAsArray();
  if (!list)
    return makeError("expected a list of nodes, but got {0}", value);
  std::vector<int64_t> indices;
  for (const json::Value &element : *list) {
    std::optional<int64_t> index = element.getAsInteger();
    if (!index)
      return makeError("expected the number of a node, but got {0}", element);
    indices.push_back(*index);
  }
  return indices;
}

static llvm::Expected<Tree> readTree(const json::Value &value) {
  const json::Object *object = value.getAsObject();
  if (object && object->get("parents")) {
    llvm::Expected<std::vector<int64_t>> parents =
        readIndices(*object->get("parents"));
    if (!parents)
      return parents.takeError();
    return Tree::fromParents(*parents);
  }
  const json::Array *lists = object ? object->getArray("children") : nullptr;
  if (!lists)
    return makeError("expected a tree with 'parents' or 'children'");
  std::vector<std::vector<int64_t>> children;
  for (const json::Value &list : *lists) {
    llvm::Expected<std::vector<int64_t>> indices = readIndices(list);
    if (!indices)
      return indices.takeError();
    children.push_back(std::move(*indices));
  }
  return Tree::fromChildren(children);
}

/// A list of rows, each with rows of its own.
static llvm::Expected<RuntimeValue> readInnerRows(const json::Value &value,
                                                  Type row) {
  const json::Array *list = value.getAsArray();
  if (!list)
    return makeError("expected a list of rows, but got {0}", value);
  std::vector<RuntimeValue> rows;
  for (const json::Value &element : *list) {
    llvm::Expected<Tensor> tensor = readTensor(element, row);
    if (!tensor)
      return tensor.takeError();
    rows.push_back(std::move(*tensor));
  }
  return rows;
}

llvm::Expected<RuntimeValue> cambium::readJSON(const json::Value &value,
                                               Type type) {
  if (hasRows(type) && hasRows(rowType(type)))
    return readInnerRows(value, rowType(type));
  if (isa<ShapedType, FloatType, IntegerType, IndexType>(type)) {
    llvm::Expected<Tensor> tensor = readTensor(value, type);
    if (!tensor)
      return tensor.takeError();
    return RuntimeValue(std::move(*tensor));
  }
  llvm::Expected<Tree> tree = readTree(value);
  if (!tree)
    return tree.takeError();
  return RuntimeValue(std::move(*tree));
}

std::string cambium::getArgumentName(FunctionOpInterface function,
                                     unsigned index) {
  StringRef name = nn::getArgumentName(function, index);
  return name.empty() ? "arg" + std::to_string(index) : name.str();
}

llvm::Expected<RuntimeValues>
cambium::readArguments(const json::Object &fields, FunctionOpInterface function,
                       ArrayRef<StringRef> others) {
  RuntimeValues args;
  SmallVector<std::string> names;
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes())) {
    std::string name = names.emplace_back(getArgumentName(function, i));
    const json::Value *field = fields.get(name);
    if (!field)
      return makeError("expected a value of input '{0}', but got none", name);
    llvm::Expected<RuntimeValue> value = readJSON(*field, type);
    if (!value)
      return makeError("input '{0}': {1}", name,
                       llvm::toString(value.takeError()));
    args.push_back(std::move(*value));
  }
  for (const auto &[name, value] : fields)
    if (!llvm::is_contained(names, name.str()) &&
        !llvm::is_contained(others, name.str()))
      return makeError("expected the name of an input, but got '{0}'", name);
  return args;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static json::Value writeElement(const Tensor &tensor, int64_t place) {
  if (!tensor.isFloat())
    return tensor.i(place);
  double x = tensor.f(place);
  if (std::isnan(x))
    return "nan";
  if (std::isinf(x))
    return x > 0 ? "inf" : "-inf";
  return x;
}

static json::Value writeElements(const Tensor &tensor, int64_t depth,
                                 int64_t &next) {
  if (depth == tensor.getRank())
    return writeElement(tensor, next++);
  json::Array list;
  for (int64_t i = 0; i < tensor.getDim(depth); ++i)
    list.push_back(writeElements(tensor, depth + 1, next));
  return list;
}

json::Value cambium::writeJSON(const Tensor &tensor) {
  int64_t next = 0;
  return writeElements(tensor, 0, next);
}

json::Value cambium::writeJSON(const Tree &tree) {
  json::Array lists;
  for (int64_t node = 0; node < tree.getNumNodes(); ++node)
    lists.push_back(json::Array(tree.getChildren(node)));
  return json::Object{{"children", std::move(lists)}};
}
