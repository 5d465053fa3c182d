//===-- test/Differential/Values.cpp - Against the interpreter ---===//
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
#include <cstring>
#include <numeric>

using namespace cambium;
using namespace cambium::difftest;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

void Tally::add(const Tally &other) {
  values += other.values;
  derivatives += other.derivatives;
  kinks += other.kinks;
  updates += other.updates;
  refusals += other.refusals;
  ties += other.ties;
  worstValue = std::max(worstValue, other.worstValue);
  worstDerivative = std::max(worstDerivative, other.worstDerivative);
  worstUpdate = std::max(worstUpdate, other.worstUpdate);
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

double difftest::getLargest(const Tensor &tensor) {
  double result = 0;
  for (int64_t i = 0, e = tensor.isFloat() ? tensor.getNumElements() : 0; i < e;
       ++i)
    if (std::isfinite(tensor.f(i)))
      result = std::max(result, std::abs(tensor.f(i)));
  return result;
}

double difftest::getTolerance(const Tensor &exact, const Tensor &rounded,
                              bool isDouble) {
  double rounding = 0;
  for (int64_t i = 0, e = exact.isFloat() ? exact.getNumElements() : 0; i < e;
       ++i)
    if (std::isfinite(exact.f(i)))
      rounding = std::max(rounding, std::abs(exact.f(i) - rounded.f(i)));
  return (isDouble ? kDoubleTolerance : kValueTolerance) *
             std::max(1.0, getLargest(exact)) +
         kRoundingFactor * rounding;
}

Error difftest::compareTensors(const Twine &what, const Tensor &expected,
                               const Tensor &actual, double tolerance,
                               Tally &tally) {
  if (expected.getShape() != actual.getShape())
    return fail("values", what + ": expected shape " +
                              expected.describeShape() + ", but got " +
                              actual.describeShape());
  for (int64_t i = 0, e = expected.getNumElements(); i < e; ++i) {
    double a = expected.isFloat() ? expected.f(i) : expected.i(i);
    double b = actual.isFloat() ? actual.f(i) : actual.i(i);
    bool isSame = a == b || (std::isnan(a) && std::isnan(b));
    double error = isSame ? 0 : std::abs(a - b);
    ++tally.values;
    if (error <= tolerance) {
      tally.worstValue = std::max(tally.worstValue, error / tolerance);
      continue;
    }
    return fail("values", what +
                              llvm::formatv(" [{0} of {1}]: ", i,
                                            expected.describeShape())
                                  .str() +
                              describe(a, b, tolerance));
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Batches
//===----------------------------------------------------------------------===//

static bool haveEqualBits(const Tensor &one, const Tensor &other) {
  for (int64_t i = 0, e = one.getNumElements(); i < e; ++i) {
    double a = one.isFloat() ? one.f(i) : one.i(i);
    double b = other.isFloat() ? other.f(i) : other.i(i);
    if (memcmp(&a, &b, sizeof a) != 0)
      return false;
  }
  return true;
}

namespace {
/// What the interpreter says about one example.
struct Reference {
  std::vector<Tensor> exact;
  std::vector<double> tolerances;
};

/// A batch, and the bits that came out of it.
struct Batch {
  const cambium_entry_t *entry;
  std::vector<ExampleData> examples;
  std::vector<std::string> bits;
};

/// Checks one entry.
class ValueCheck {
public:
  ValueCheck(Subject &subject, const cambium_entry_t *entry, Tally &tally)
      : subject(subject), entry(entry), info(cambium_entry_info(entry)),
        tally(tally) {}

  Error run(const Settings &settings, Random &random) {
    Expected<mlir::FunctionOpInterface> function = subject.getFunction(entry);
    if (!function)
      return function.takeError();
    ExampleMaker maker(entry, *function, random);
    for (ExampleData &example : maker.make(settings.examples, settings.size))
      if (Error error = addReference(example))
        return error;
    if (examples.empty())
      return Error::success();
    if (Error error = checkOrders(random))
      return error;
    bool isOnDevice = subject.getCompiled().isOnDevice();
    Expected<std::vector<ExampleData>> good = subject.withoutDivisions(
        entry, isOnDevice
                   ? maker.make(settings.examples, settings.size)
                   : maker.make(settings.threadExamples, settings.threadSize));
    if (!good)
      return good.takeError();
    if (good->empty())
      return Error::success();
    return isOnDevice ? keepBatch(std::move(*good)) : checkThreads(*good);
  }

  /// What other schedules of a device are compared with; without an example if
  /// there is nothing to compare.
  Batch takeBatch() { return std::move(batch); }

private:
  bool isStep() const { return info->kind == CAMBIUM_ENTRY_ACCUMULATE; }

  Error checkOrders(Random &random) {
    std::vector<int64_t> order(examples.size());
    std::iota(order.begin(), order.end(), 0);
    Expected<Results> all = checkBatch("in order", order);
    if (!all)
      return all.takeError();
    random.shuffle(order);
    if (Error error = checkBatch("shuffled", order).takeError())
      return error;
    for (int64_t i = 0, e = examples.size(); i < e; ++i) {
      Expected<Results> alone = checkBatch("alone", i);
      if (!alone)
        return alone.takeError();
      if (Error error = checkAlone(*all, *alone, i))
        return error;
    }
    return Error::success();
  }

  Error addReference(const ExampleData &example) {
    Expected<std::vector<Tensor>> exact =
        subject.interpret(entry, example, /*f64=*/true);
    if (!exact)
      return handleErrors(exact.takeError(), [&](const DividesByZero &error) {
        return checkRefused(example, error);
      });
    Expected<std::vector<Tensor>> rounded =
        subject.interpret(entry, example, /*f64=*/false);
    if (!rounded)
      return rounded.takeError();
    Reference reference{std::move(*exact), {}};
    for (auto [i, tensor] : llvm::enumerate(reference.exact))
      reference.tolerances.push_back(getTolerance(
          tensor, (*rounded)[i],
          cambium_entry_output(entry, i)->type == CAMBIUM_TYPE_F64));
    references.push_back(std::move(reference));
    examples.push_back(example);
    return Error::success();
  }

  /// A call with the example alone fails, and says what the interpreter says.
  /// Rows of leaves, levels, iterations and bodies are counted otherwise.
  Error checkRefused(const ExampleData &example, const DividesByZero &error) {
    Expected<Results> results = subject.getCompiled().run(entry, example);
    std::string actual =
        results ? "results" : llvm::toString(results.takeError());
    std::string expected = error.message();
    auto [of, row] = llvm::StringRef(expected).split(": row ");
    // One per example has a row in the batch.
    std::string text = (of + ": row " + (row.empty() ? "0" : row)).str();
    ++tally.refusals;
    if (error.doesCountRows() ? llvm::StringRef(actual).ends_with(text)
                              : llvm::StringRef(actual).contains(of))
      return Error::success();
    return fail("refusal", Twine(info->name) + ": expected \"" + expected +
                               "\", but got \"" + actual + "\"");
  }

  /// Compares the results of example `i`. What is chosen for a score, such as
  /// the words of a search, may be another one of those whose scores are equal.
  Error checkExample(llvm::StringRef how, int64_t i, ArrayRef<Tensor> actual) {
    const Reference &reference = references[i];
    // The first output of a step is the mean of the losses.
    for (size_t out = isStep(); out < reference.exact.size(); ++out) {
      Error error = compareTensors(Twine(info->name) + ", example " + Twine(i) +
                                       " " + how + ", output " + Twine(out),
                                   reference.exact[out], actual[out],
                                   reference.tolerances[out], tally);
      if (!error)
        continue;
      if (isStep())
        return error;
      Expected<bool> isTie =
          areOfTie(subject, entry, examples[i], reference.exact, actual,
                   reference.tolerances);
      if (!isTie)
        return llvm::joinErrors(std::move(error), isTie.takeError());
      if (!*isTie)
        return error;
      consumeError(std::move(error));
      ++tally.ties;
      break;
    }
    return Error::success();
  }

  /// Computes a batch of the examples of these numbers.
  Expected<Results> checkBatch(llvm::StringRef how, ArrayRef<int64_t> order) {
    std::vector<ExampleData> batch;
    for (int64_t i : order)
      batch.push_back(examples[i]);
    Expected<Results> results = subject.getCompiled().run(entry, batch);
    if (!results)
      return results.takeError();
    double loss = 0, tolerance = 0;
    for (auto [place, i] : llvm::enumerate(order)) {
      const Reference &reference = references[i];
      if (Error error = checkExample(how, i, results->ofExample[place]))
        return std::move(error);
      loss += isStep() ? reference.exact[0].f(0) / order.size() : 0;
      tolerance = std::max(tolerance, reference.tolerances[0]);
    }
    if (!isStep())
      return results;
    if (Error error = compareTensors(
            Twine(info->name) + ", mean loss, " + how, Tensor::floats({}, loss),
            Tensor::floats({}, results->loss), tolerance, tally))
      return std::move(error);
    return results;
  }

  /// The bits of the last call, with those of gradients.
  std::vector<std::string> bitsOf(const Results &results) {
    std::vector<std::string> bytes = results.bytes;
    if (isStep())
      bytes.push_back(subject.getCompiled().getGradientBytes());
    return bytes;
  }

  Error keepBatch(std::vector<ExampleData> kept) {
    Expected<Results> results = subject.getCompiled().run(entry, kept);
    if (!results)
      return results.takeError();
    batch = {entry, std::move(kept), bitsOf(*results)};
    return Error::success();
  }

  /// The same bits whatever the number of threads.
  Error checkThreads(ArrayRef<ExampleData> batch) {
    std::vector<std::string> first;
    for (int32_t threads : {1, 2, 3}) {
      Expected<Results> results =
          subject.getCompiled().run(entry, batch, threads);
      if (!results)
        return results.takeError();
      std::vector<std::string> bytes = bitsOf(*results);
      if (threads == 1)
        first = std::move(bytes);
      else if (bytes != first)
        return fail("threads", Twine(info->name) +
                                   ": expected the same bits with 1 and " +
                                   Twine(threads) + " threads");
    }
    return Error::success();
  }

  /// On a device, a batch has the bits of its examples. What sums over them has
  /// not.
  Error checkAlone(const Results &all, const Results &alone, int64_t i) {
    if (isStep() || !subject.getCompiled().isOnDevice())
      return Error::success();
    for (auto [in, out] : llvm::zip_equal(all.ofExample[i], alone.ofExample[0]))
      if (!haveEqualBits(in, out))
        return fail("batch", Twine(info->name) +
                                 ": expected the bits of example " + Twine(i) +
                                 " in the batch");
    return Error::success();
  }

  Subject &subject;
  const cambium_entry_t *entry;
  const cambium_entry_info_t *info;
  Tally &tally;
  std::vector<ExampleData> examples;
  std::vector<Reference> references;
  Batch batch = {};
};
} // namespace

/// The same bits whatever the number of blocks and their order. The device is
/// opened for all entries together: its driver reads the module each time.
static Error checkSchedules(Compiled &compiled, ArrayRef<Batch> batches) {
  if (batches.empty())
    return Error::success();
  for (const char *schedule : {"seed=12,blocks=5", "seed=11,blocks=2"}) {
    if (Error error = compiled.openDevice(schedule))
      return error;
    for (const Batch &batch : batches) {
      Expected<Results> results = compiled.run(batch.entry, batch.examples);
      if (!results)
        return results.takeError();
      const cambium_entry_info_t *info = cambium_entry_info(batch.entry);
      std::vector<std::string> bits = std::move(results->bytes);
      if (info->kind == CAMBIUM_ENTRY_ACCUMULATE)
        bits.push_back(compiled.getGradientBytes());
      if (bits != batch.bits)
        return fail("schedules", Twine(info->name) +
                                     ": expected the same bits with " +
                                     schedule);
    }
  }
  return Error::success();
}

Error difftest::checkModel(Subject &subject, const Settings &settings,
                           Random &random, Tally &tally) {
  Compiled &compiled = subject.getCompiled();
  std::vector<Batch> batches;
  for (cambium_entry_kind_t kind :
       {CAMBIUM_ENTRY_FUNCTION, CAMBIUM_ENTRY_ACCUMULATE})
    for (const cambium_entry_t *entry : compiled.getEntries(kind)) {
      ValueCheck check(subject, entry, tally);
      if (Error error = check.run(settings, random))
        return error;
      if (Batch batch = check.takeBatch(); !batch.examples.empty())
        batches.push_back(std::move(batch));
      if (kind == CAMBIUM_ENTRY_FUNCTION)
        continue;
      if (Error error = checkGradients(subject, entry, settings, random, tally))
        return error;
      if (!settings.updates)
        continue;
      // Updates move the parameters.
      if (Error error = checkSchedules(compiled, batches))
        return error;
      batches.clear();
      if (Error error = checkUpdates(subject, entry, settings, random, tally))
        return error;
    }
  return checkSchedules(compiled, batches);
}
