//===-- test/Differential/Equalities.cpp - Functions that must agree ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Checks.h"
#include "Failure.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <numeric>

using namespace cambium;
using namespace cambium::difftest;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

/// An entry by name, with examples for it.
static Expected<const cambium_entry_t *> findEntry(Subject &subject,
                                                   llvm::StringRef name) {
  if (const cambium_entry_t *entry = subject.getCompiled().findEntry(name))
    return entry;
  return fail("usage",
              "expected the name of a function, but got '" + name + "'");
}

static double numberAt(const Tensor &tensor, int64_t i) {
  return tensor.isFloat() ? tensor.f(i) : static_cast<double>(tensor.i(i));
}

/// The largest difference of two outputs of an example, in tolerances.
static double compareOutputs(const Results &a, const Results &b) {
  double ratio = 0;
  for (auto [ofA, ofB] : llvm::zip_equal(a.ofExample, b.ofExample))
    for (auto [one, other] : llvm::zip_equal(ofA, ofB)) {
      double tolerance = kValueTolerance * std::max(1.0, getLargest(one));
      for (int64_t i = 0, e = one.getNumElements(); i < e; ++i)
        ratio = std::max(
            ratio, std::abs(numberAt(one, i) - numberAt(other, i)) / tolerance);
    }
  return ratio;
}

Error difftest::checkEqual(Subject &subject, llvm::StringRef one,
                           llvm::StringRef other, const Settings &settings,
                           Random &random, Tally &tally) {
  Expected<const cambium_entry_t *> entry = findEntry(subject, one);
  if (!entry)
    return entry.takeError();
  Expected<const cambium_entry_t *> second = findEntry(subject, other);
  if (!second)
    return second.takeError();
  Expected<mlir::FunctionOpInterface> function = subject.getFunction(*entry);
  if (!function)
    return function.takeError();
  std::vector<ExampleData> examples =
      ExampleMaker(*entry, *function, random)
          .make(settings.examples, settings.size);
  Expected<Results> a = subject.getCompiled().run(*entry, examples);
  if (!a)
    return a.takeError();
  Expected<Results> b = subject.getCompiled().run(*second, examples);
  if (!b)
    return b.takeError();
  double ratio = compareOutputs(*a, *b);
  tally.values += examples.size();
  tally.worstValue = std::max(tally.worstValue, ratio);
  if (ratio <= 1)
    return Error::success();
  return fail("equal", "expected '" + one + "' and '" + other +
                           "' to be equal, but they differ by " +
                           llvm::formatv("{0}", ratio) + " tolerances");
}

/// Puts the children of every node in another order, and the rows of edges too.
static ExampleData permuteChildren(const cambium_entry_t *entry,
                                   ExampleData example, Random &random) {
  for (auto [t, tree] : llvm::enumerate(example.trees)) {
    std::vector<int64_t> places; // of every new edge among the old ones
    for (std::vector<int32_t> &children : tree) {
      std::vector<int64_t> order(children.size());
      std::iota(order.begin(), order.end(), 0);
      // Backwards, so that two children do change places.
      std::reverse(order.begin(), order.end());
      if (children.size() > 2 && random.chance(0.5))
        std::rotate(order.begin(), order.begin() + 1, order.end());
      std::vector<int32_t> old = children;
      int64_t first = places.size();
      for (auto [to, from] : llvm::enumerate(order)) {
        children[to] = old[from];
        places.push_back(first + from);
      }
    }
    for (auto [i, input] : llvm::enumerate(example.inputs)) {
      if (cambium_entry_input(entry, i)->edges_of != static_cast<int32_t>(t) ||
          places.empty())
        continue;
      int64_t width = input.values.size() / places.size();
      std::vector<double> old = input.values;
      for (auto [to, from] : llvm::enumerate(places))
        std::copy_n(old.begin() + from * width, width,
                    input.values.begin() + to * width);
    }
  }
  return example;
}

Error difftest::checkChildOrder(Subject &subject, llvm::StringRef name,
                                bool matters, const Settings &settings,
                                Random &random, Tally &tally) {
  Expected<const cambium_entry_t *> entry = findEntry(subject, name);
  if (!entry)
    return entry.takeError();
  Expected<mlir::FunctionOpInterface> function = subject.getFunction(*entry);
  if (!function)
    return function.takeError();
  std::vector<ExampleData> examples =
      ExampleMaker(*entry, *function, random)
          .make(settings.examples, settings.size);
  std::vector<ExampleData> permuted;
  for (const ExampleData &example : examples)
    permuted.push_back(permuteChildren(*entry, example, random));
  Expected<Results> a = subject.getCompiled().run(*entry, examples);
  if (!a)
    return a.takeError();
  Expected<Results> b = subject.getCompiled().run(*entry, permuted);
  if (!b)
    return b.takeError();
  double ratio = compareOutputs(*a, *b);
  tally.values += examples.size();
  if (!matters)
    tally.worstValue = std::max(tally.worstValue, ratio);
  if (matters == (ratio > 1))
    return Error::success();
  return fail("children", "expected the order of children " +
                              Twine(matters ? "" : "not ") + "to matter for '" +
                              name + "', but results differ by " +
                              llvm::formatv("{0}", ratio) + " tolerances");
}
