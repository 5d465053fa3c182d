//===-- test/Differential/OpMaker.h - One random op at a time ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TEST_DIFFERENTIAL_OPMAKER_H
#define CAMBIUM_TEST_DIFFERENTIAL_OPMAKER_H

#include "ModelText.h"
#include "llvm/ADT/StringRef.h"

namespace cambium::difftest {

/// The most elements of a row: differences take time.
constexpr int64_t kLargestRow = 80;

/// Integers of the text that may be no ids: their absolute values are bounded.
struct Integers {
  std::string name;
  Rows rows;
  double bound;
};

/// Adds random ops to a scope, one at a time. A member that adds an op fails if
/// the values do not suit it.
class OpMaker {
public:
  explicit OpMaker(Scope &scope)
      : scope(scope), model(scope.getModel()), random(model.getRandom()) {}

  void addOne();

private:
  std::string typeOf(const Named &value) const {
    return model.print(value.type);
  }
  /// `op %x : type` or `op %x, %y : type`, of the same type.
  bool addSame(llvm::StringRef op, std::vector<Named> operands, double bound,
               llvm::StringRef attributes = "");
  /// Another value of the type, repeated over the rows if need be.
  Named findLike(const Named &value);
  /// A dimension, also that of the rows; the value has one.
  int64_t pickDim(const Named &value) {
    return random.below(value.type.getRank());
  }
  /// A dimension that is not that of the rows.
  int64_t pickFixedDim(const Named &value) {
    return value.type.getFirstDim() + random.below(value.type.dims.size());
  }
  static int64_t &sizeOf(TensorType &type, int64_t dim) {
    return type.dims[dim - type.getFirstDim()];
  }

  // Elementwise (RandomOps.cpp).
  /// Functions of positive numbers, here of those in (0.5, 1.5).
  Named makePositive(const Named &x);
  bool addUnary();
  bool addPositive();
  bool addQuotient();
  bool addBinary();
  bool addFma();
  bool addChoice();
  bool addTraining();
  bool addConstant();
  bool addOfConstant();

  // Products and what reads a whole dimension (RandomProducts.cpp).
  bool addLinear();
  /// A weight that is a value of the example or of the node.
  bool addOwnLinear();
  bool addMatmul();
  bool addReduction();
  bool addAlong();
  bool addCosine();
  bool addNorm();

  // Shapes (RandomShapes.cpp).
  bool addBroadcast();
  bool addConcat();
  /// Cuts a value into two parts; both are values.
  bool addSplit();
  bool addSlice();
  bool addPad();
  bool addReshape();
  bool addTranspose();

  // Ids, and rows by number (RandomRows.cpp).
  bool addEmbed();
  bool addPick();
  bool addOneHot();
  bool addPositions();
  NamedIds drawNumbers();
  bool addTake();
  bool addTakeOfIds();
  bool addAppend();
  bool addPairs();
  bool addChosenTree();

  // Elements by number, windows, and what is drawn (RandomSelect.cpp).
  bool addLogSumExp();
  bool addTop();
  bool addSumBy();
  bool addPickAlong();
  bool addWindow();
  bool addRandom();

  // RandomEach.cpp.
  bool addEach();

  // Integers (RandomIntegers.cpp).
  std::string typeOf(const Integers &value) const;
  std::optional<Integers> findIntegers();
  /// A constant for every row of another value.
  Integers integer(const Integers &like, int64_t number);
  Integers compute(llvm::StringRef op, const Integers &a, const Integers &b,
                   double bound);
  Named useIntegers(const Integers &x);
  Integers drawDivisor(const Integers &x);
  bool addIntegers();
  bool addDivision();
  bool addRounding();

  // RandomAttention.cpp.
  bool addAttention();
  std::optional<Named> findVectors();
  std::string addGroups(Rows rows);

  Scope &scope;
  ModelText &model;
  Random &random;
};

/// What attention may have beside queries, keys and values.
struct AttentionTerms {
  std::string keyBias, groups;
  /// Whether it may depend on where a row stands among the others.
  bool readsPlaces = true;
};

/// Adds `nn.attention` of rows that are vectors, with random tables of
/// distances, `causal` and dropout, and the given terms.
Named addAttention(Scope &scope, const Named &query, const Named &key,
                   const Named &value, int64_t heads,
                   const AttentionTerms &terms);

/// The term `key_bias`, made of rows of the keys.
std::string makeKeyBias(Scope &scope, const Named &rows, int64_t heads);

} // namespace cambium::difftest

#endif // CAMBIUM_TEST_DIFFERENTIAL_OPMAKER_H
