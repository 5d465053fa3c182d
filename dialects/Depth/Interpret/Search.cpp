//===-- dialects/Depth/Interpret/Search.cpp - Meaning of depth.search ----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Interfaces/InterpretableOpInterface.h"
#include "cambium/Interfaces/Interpreter.h"
#include "cambium/Support/Random.h"
#include "cambium/Support/Rows.h"
#include "dialects/Depth/IR/Depth.h"
#include "dialects/Depth/Interpret/Interpret.h"
#include "dialects/NN/IR/NN.h"
#include <cmath>
#include <tuple>

using namespace mlir;
using namespace cambium;
using namespace cambium::depth;

namespace {
constexpr double kNone = -std::numeric_limits<double>::infinity();

/// A sequence of words, and what is carried of it. One without a score above
/// minus infinity is none.
struct Hypothesis {
  SmallVector<int64_t> words;
  double score = kNone;
  bool goesOn = false;
  SmallVector<Tensor> states;
  /// The rows of each thing that grows.
  SmallVector<Tensor> grown;
};

/// What a hypothesis may become: itself (word -1), or longer by a word.
struct Candidate {
  size_t parent;
  int64_t word;
  double score, rank;
};

/// What the body has yielded for the hypotheses that go on.
struct Extensions {
  Tensor scores;
  RuntimeValues next, grown;
};

/// No rows of what grows.
Tensor makeNoRows(Type rows) {
  auto type = cast<RankedTensorType>(rowType(rows));
  SmallVector<int64_t> shape(type.getShape());
  shape.front() = 0;
  return isa<FloatType>(type.getElementType()) ? Tensor::floats(shape)
                                               : Tensor::ints(shape);
}

/// One evaluation of the search of one example.
class Search {
public:
  Search(SearchOp op, Interpreter &interpreter)
      : op(op), interpreter(interpreter),
        begin(interpreter.getTensor(op.getBegin()).i(0)),
        end(interpreter.getTensor(op.getEnd()).i(0)), found(op.getCount()) {}

  LogicalResult run() {
    size_t first = op.getSampled() ? found.size() : 1;
    for (Hypothesis &start : MutableArrayRef(found).take_front(first)) {
      start.score = 0;
      start.goesOn = true;
      for (Value init : op.getInit())
        start.states.push_back(interpreter.getTensor(init));
      for (Value rows : op.getGrownArgs())
        start.grown.push_back(makeNoRows(rows.getType()));
    }
    for (uint64_t t = 0; t < op.getMax() && goesOn(); ++t)
      if (failed(runStep(t)))
        return failure();
    return setResults();
  }

private:
  bool goesOn() {
    return llvm::any_of(found, [](const Hypothesis &h) { return h.goesOn; });
  }

  LogicalResult runStep(uint64_t t) {
    Interpreter::KeyScope key(interpreter, t);
    SmallVector<size_t> rows;
    for (auto [place, hypothesis] : llvm::enumerate(found))
      if (hypothesis.goesOn)
        rows.push_back(place);
    FailureOr<Extensions> extensions = extend(rows);
    if (failed(extensions))
      return failure();
    std::vector<Hypothesis> next =
        op.getSampled() ? sample(rows, *extensions) : select(rows, *extensions);
    found = std::move(next);
    return success();
  }

  /// Runs the body for the hypotheses that go on.
  FailureOr<Extensions> extend(ArrayRef<size_t> rows) {
    auto count = static_cast<int64_t>(rows.size());
    Tensor words = Tensor::ints({count});
    SmallVector<Tensor> states;
    for (Value init : op.getInit()) {
      const Tensor &start = interpreter.getTensor(init);
      SmallVector<int64_t> shape{count};
      llvm::append_range(shape, start.getShape());
      states.push_back(start.zeros(shape));
    }
    for (auto [row, place] : llvm::enumerate(rows)) {
      const Hypothesis &hypothesis = found[place];
      words.i(row) = hypothesis.words.empty() ? begin : hypothesis.words.back();
      for (auto [all, state] : llvm::zip_equal(states, hypothesis.states))
        all.setRow(row, state);
    }
    RuntimeValues args{std::move(words)};
    llvm::append_range(args, states);
    llvm::append_range(args, collectGrown(rows));
    FailureOr<RuntimeValues> yielded = interpreter.run(op.getBody(), args);
    if (failed(yielded))
      return failure();
    ArrayRef<RuntimeValue> values(*yielded);
    size_t numStates = op.getInit().size();
    if (failed(checkRows(values.take_front(1 + numStates), count)) ||
        failed(checkGrown(values.drop_front(1 + numStates), rows)))
      return failure();
    RuntimeValue scores = interpreter.holdConstant(values.front());
    return Extensions{*scores.tensor,
                      llvm::to_vector(values.slice(1, numStates)),
                      llvm::to_vector(values.drop_front(1 + numStates))};
  }

  LogicalResult checkRows(ArrayRef<RuntimeValue> values, int64_t count) {
    for (const RuntimeValue &value : values)
      if (value.tensor->getNumRows() != count)
        return op.emitOpError()
               << "expected a row for each of " << count
               << " hypotheses, but got " << value.tensor->getNumRows();
    return success();
  }

  /// The rows of the hypotheses, for each thing that grows.
  RuntimeValues collectGrown(ArrayRef<size_t> rows) {
    RuntimeValues all;
    for (size_t i = 0; i < op.getGrownArgs().size(); ++i) {
      std::vector<RuntimeValue> own;
      for (size_t place : rows)
        own.push_back(found[place].grown[i]);
      all.push_back(std::move(own));
    }
    return all;
  }

  /// Each hypothesis has one row more than before.
  LogicalResult checkGrown(ArrayRef<RuntimeValue> grown,
                           ArrayRef<size_t> rows) {
    for (auto [i, value] : llvm::enumerate(grown)) {
      if (value.rows->size() != rows.size())
        return op.emitOpError()
               << "expected a row for each of " << rows.size()
               << " hypotheses, but got " << value.rows->size();
      for (auto [row, place] : llvm::enumerate(rows)) {
        int64_t before = found[place].grown[i].getNumRows(),
                now = (*value.rows)[row].tensor->getNumRows();
        // [DEPTH-SEARCH-C12]
        if (now != before + 1)
          return op.emitOpError()
                 << "expected " << before + 1
                 << " rows of a hypothesis, one more than before, but got "
                 << now;
      }
    }
    return success();
  }

  /// The best of all that can become of the hypotheses.
  std::vector<Hypothesis> select(ArrayRef<size_t> rows,
                                 const Extensions &extensions) {
    SmallVector<Candidate> candidates;
    auto add = [&](size_t parent, int64_t word, double score) {
      if (score > kNone)
        candidates.push_back(
            {parent, word, score,
             rank(score, found[parent].words.size() + (word >= 0 ? 1 : 0))});
    };
    size_t row = 0;
    for (size_t place = 0; place < found.size(); ++place) {
      if (!found[place].goesOn) {
        add(place, -1, found[place].score);
        continue;
      }
      for (int64_t word = 0; word < op.getNumWords(); ++word)
        add(place, word, extended(extensions, place, row, word));
      ++row;
    }
    llvm::sort(candidates, [](const Candidate &a, const Candidate &b) {
      return std::make_tuple(-a.rank, a.parent, a.word) <
             std::make_tuple(-b.rank, b.parent, b.word);
    });
    std::vector<Hypothesis> next(found.size());
    for (auto [into, candidate] : llvm::zip(next, candidates))
      into = become(candidate, rows, extensions);
    return next;
  }

  /// The score of a hypothesis with one more word.
  double extended(const Extensions &extensions, size_t place, size_t row,
                  int64_t word) {
    return rounded(found[place].score +
                   extensions.scores.f(row * op.getNumWords() + word));
  }
  double rounded(double score) {
    Tensor number = Tensor::floats({}, score);
    interpreter.roundTo(getElementTypeOrSelf(op.getScores().getType()), number);
    return number.f(0);
  }
  double rank(double score, size_t length) {
    if (!op.getLengthPenaltyAttr())
      return score;
    double penalty = op.getLengthPenalty()->convertToDouble();
    return score / std::pow(std::max<double>(length, 1), penalty);
  }

  Hypothesis become(const Candidate &candidate, ArrayRef<size_t> rows,
                    const Extensions &extensions) {
    Hypothesis result = found[candidate.parent];
    result.score = candidate.score;
    if (candidate.word < 0)
      return result;
    int64_t row = llvm::find(rows, candidate.parent) - rows.begin();
    result.words.push_back(candidate.word);
    result.goesOn = candidate.word != end;
    for (auto [state, next] : llvm::zip_equal(result.states, extensions.next))
      state = next.tensor->getRow(row);
    for (auto [rows, next] : llvm::zip_equal(result.grown, extensions.grown))
      rows = *(*next.rows)[row].tensor;
    return result;
  }

  /// Each hypothesis draws its next word.
  std::vector<Hypothesis> sample(ArrayRef<size_t> rows,
                                 const Extensions &extensions) {
    std::vector<Hypothesis> next = found;
    for (auto [row, place] : llvm::enumerate(rows)) {
      int64_t word = draw(extensions.scores, row);
      double score = extended(extensions, place, row, word);
      next[place] = score > kNone
                        ? become({place, word, score, 0}, rows, extensions)
                        : Hypothesis();
    }
    return next;
  }

  /// A word with the probability that is the softmax of the scores: where the
  /// score and what is drawn for it are greatest together.
  int64_t draw(const Tensor &scores, size_t row) {
    int64_t size = op.getNumWords();
    auto score = [&](int64_t word) {
      double value = scores.f(row * size + word);
      return value > kNone ? value : kNone;
    };
    auto words = llvm::to_vector(llvm::seq<int64_t>(0, size));
    if (op.getAmong()) {
      llvm::sort(words, [&](int64_t a, int64_t b) {
        return std::make_pair(-score(a), a) < std::make_pair(-score(b), b);
      });
      words.resize(std::min<int64_t>(size, *op.getAmong()));
    }
    uint64_t number =
        op.getId() ? *op.getId() : interpreter.getNumberInModule(op);
    uint64_t key = mixKey(mixKey(interpreter.getKey(), row),
                          nn::kRandomIds + nn::kSearchIds + number);
    int64_t best = words.front();
    double most = kNone;
    for (auto [c, word] : llvm::enumerate(words)) {
      double value = score(word) + gumbelFromKey(mixKey(key, c));
      if (value > most)
        most = value, best = word;
    }
    return best;
  }

  LogicalResult setResults() {
    auto count = static_cast<int64_t>(op.getCount()),
         max = static_cast<int64_t>(op.getMax());
    Tensor words = Tensor::ints({count, max}, end),
           lengths = Tensor::ints({count}), scores = Tensor::floats({count});
    for (int64_t k = 0; k < count; ++k) {
      for (auto [t, word] : llvm::enumerate(found[k].words))
        words.i(k * max + t) = word;
      lengths.i(k) = found[k].words.size();
      scores.f(k) = found[k].score;
    }
    if (failed(interpreter.set(op.getWords(), std::move(words))) ||
        failed(interpreter.set(op.getLengths(), std::move(lengths))))
      return failure();
    return interpreter.set(op.getScores(), std::move(scores));
  }

  SearchOp op;
  Interpreter &interpreter;
  int64_t begin, end;
  std::vector<Hypothesis> found;
};

struct SearchModel
    : InterpretableOpInterface::ExternalModel<SearchModel, SearchOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    return Search(cast<SearchOp>(op), interpreter).run();
  }
};

struct AppendModel
    : InterpretableOpInterface::ExternalModel<AppendModel, AppendOp> {
  LogicalResult interpret(Operation *operation,
                          Interpreter &interpreter) const {
    auto op = cast<AppendOp>(operation);
    const std::vector<RuntimeValue> &rows = *interpreter.get(op.getRows()).rows;
    const Tensor &row = interpreter.getTensor(op.getRow());
    if (static_cast<int64_t>(rows.size()) != row.getNumRows())
      // [DEPTH-APPEND-C3]
      return op.emitOpError() << "expected a row for each of " << rows.size()
                              << " hypotheses, but got " << row.getNumRows();
    std::vector<RuntimeValue> longer;
    for (auto [i, value] : llvm::enumerate(rows)) {
      SmallVector<int64_t> shape(value.tensor->getShape());
      ++shape.front();
      Tensor all = value.tensor->zeros(shape);
      all.copy(0, *value.tensor, 0, value.tensor->getNumElements());
      all.setRow(shape.front() - 1, row.getRow(static_cast<int64_t>(i)));
      longer.push_back(std::move(all));
    }
    interpreter.bind(op.getResult(), std::move(longer));
    return success();
  }
};
} // namespace

void depth::attachSearchMeaning(MLIRContext *context) {
  SearchOp::attachInterface<SearchModel>(*context);
  AppendOp::attachInterface<AppendModel>(*context);
}
