//===-- dialects/NN/Interpret/Select.cpp - Elements by number -===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Interfaces/InterpretableOpInterface.h"
#include "cambium/Interfaces/Interpreter.h"
#include "dialects/NN/IR/NN.h"
#include "dialects/NN/Interpret/Models.h"
#include <cmath>

using namespace mlir;
using namespace cambium;
using namespace cambium::nn;

namespace {
template <typename Model, typename Op>
using SelectBase = InterpretableOpInterface::ExternalModel<Model, Op>;

/// NaN is greater than all numbers.
bool isGreater(double a, double b) {
  return a > b || (std::isnan(a) && !std::isnan(b));
}

struct TopModel : SelectBase<TopModel, TopOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    auto top = cast<TopOp>(op);
    const Tensor &x = interpreter.getTensor(top.getInput());
    int64_t count = top.getCount(), dim = top.getDim();
    Lines lines(x, dim);
    Tensor values = Tensor::floats(withDim(x, dim, count),
                                   -std::numeric_limits<double>::infinity());
    Tensor places = Tensor::ints(withDim(x, dim, count), -1);
    Lines tops(values, dim);
    lines.forEach([&](int64_t o, int64_t i) {
      SmallVector<int64_t> order =
          llvm::to_vector(llvm::seq<int64_t>(0, lines.length));
      llvm::sort(order, [&](int64_t a, int64_t b) {
        double u = x.f(lines.at(o, a, i)), v = x.f(lines.at(o, b, i));
        return isGreater(u, v) || (!isGreater(v, u) && a < b);
      });
      for (int64_t k = 0; k < std::min(count, lines.length); ++k) {
        values.f(tops.at(o, k, i)) = x.f(lines.at(o, order[k], i));
        places.i(tops.at(o, k, i)) = order[k];
      }
    });
    if (failed(interpreter.set(top.getValues(), std::move(values))))
      return failure();
    return interpreter.set(top.getPlaces(), std::move(places));
  }
};

/// Where the id of an element of a line stands: one for all columns, or one for
/// each.
int64_t idPlace(const Tensor &ids, const Lines &lines, int64_t dim, int64_t o,
                int64_t j, int64_t i) {
  int64_t length = ids.getDim(dim);
  bool isShared = ids.getRank() == dim + 1;
  return isShared ? o * length + j : (o * length + j) * lines.inner + i;
}

struct SumByModel : SelectBase<SumByModel, SumByOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    auto sum = cast<SumByOp>(op);
    const Tensor &x = interpreter.getTensor(sum.getValues());
    const Tensor &ids = interpreter.getTensor(sum.getIds());
    int64_t dim = sum.getDim(), size = sum.getSize();
    if (ids.getDim(dim) != x.getDim(dim))
      return Interpreter::expectSameShape(op, x, ids);
    Lines lines(x, dim);
    Tensor y = Tensor::floats(withDim(x, dim, size));
    Lines sums(y, dim);
    lines.forEach([&](int64_t o, int64_t i) {
      for (int64_t j = 0; j < lines.length; ++j) {
        int64_t id = ids.i(idPlace(ids, lines, dim, o, j, i));
        if (id >= 0 && id < size)
          y.f(sums.at(o, id, i)) += x.f(lines.at(o, j, i));
      }
    });
    return interpreter.set(sum, std::move(y));
  }
};

struct PickAlongModel : SelectBase<PickAlongModel, PickAlongOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    auto pick = cast<PickAlongOp>(op);
    const Tensor &x = interpreter.getTensor(pick.getInput());
    const Tensor &ids = interpreter.getTensor(pick.getIds());
    int64_t dim = pick.getDim();
    Lines lines(x, dim);
    Tensor y = x.zeros(withDim(x, dim, ids.getDim(dim)));
    Lines picked(y, dim);
    picked.forEach([&](int64_t o, int64_t i) {
      for (int64_t j = 0; j < picked.length; ++j) {
        int64_t id = ids.i(idPlace(ids, lines, dim, o, j, i));
        if (id >= 0 && id < lines.length)
          y.copy(picked.at(o, j, i), x, lines.at(o, id, i), 1);
      }
    });
    return interpreter.set(pick, std::move(y));
  }
};
} // namespace

void cambium::nn::attachSelectMeaning(MLIRContext *context) {
  TopOp::attachInterface<TopModel>(*context);
  SumByOp::attachInterface<SumByModel>(*context);
  PickAlongOp::attachInterface<PickAlongModel>(*context);
}
