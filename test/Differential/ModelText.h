//===-- test/Differential/ModelText.h - The text of a model ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TEST_DIFFERENTIAL_MODELTEXT_H
#define CAMBIUM_TEST_DIFFERENTIAL_MODELTEXT_H

#include "Random.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Twine.h"
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace cambium::difftest {

/// Whose rows a value holds: among others those of a second sequence, those of
/// it behind the nodes, nodes (in a cell, children) behind themselves, the
/// hypotheses of a search, and the members of a set.
enum class Rows {
  None,
  Nodes,
  Edges,
  Children,
  Others,
  Appended,
  Twice,
  Hypotheses,
  Members
};

/// The type of a tensor: rows, or none, of fixed dimensions.
struct TensorType {
  Rows rows = Rows::None;
  std::vector<int64_t> dims;

  bool operator==(const TensorType &) const = default;
  /// The number of dimensions with that of the rows.
  int64_t getRank() const { return dims.size() + hasRows(); }
  bool hasRows() const { return rows != Rows::None; }
  /// The elements of a row.
  int64_t getSize() const;
  /// The number of the first dimension that is no row's.
  int64_t getFirstDim() const { return hasRows(); }
};

/// A value of the text.
struct Named {
  std::string name;
  TensorType type;
  /// About how large its elements are.
  double bound = 1;
};

/// Ids of the text: `i32` values below a limit.
struct NamedIds {
  std::string name;
  Rows rows;
  int64_t limit;
};

/// The tree of a model, `%tree`: the most children of a node (-1: any number),
/// and the rows of its edges.
struct TreeInputs {
  int64_t arity = -1;
  std::optional<Named> edges;
};

/// A model: parameters and one function whose text grows.
class ModelText {
public:
  /// Functions of the imported file are called, if there is one.
  explicit ModelText(Random &random, llvm::StringRef import = "");

  TreeInputs tree;

  Random &getRandom() { return random; }
  /// A size of a dimension; there are but a few in a model, so that types meet.
  int64_t drawSize() { return random.pick(sizes); }
  /// The dimensions of a small tensor: none to two.
  std::vector<int64_t> drawDims();
  std::string drawName() { return "%v" + std::to_string(nextName++); }
  /// A parameter of these dimensions, an old one or a new one.
  Named useParameter(llvm::ArrayRef<int64_t> dims);
  /// A table of `limit` rows; its name as a value, its type.
  Named useTable(int64_t limit, int64_t width);
  /// The same for places of rows: also one that is not trained.
  Named usePositions(int64_t limit, int64_t width);

  /// `tensor<?x4xf32>`; with another element if given.
  std::string print(const TensorType &type, llvm::StringRef element = "") const;
  llvm::StringRef getElement() const { return element; }

  /// Whether the caller adds the one op of the model that may fail a call.
  bool takeRisk() { return !std::exchange(hasRisk, true); }

  /// The name of a module of the imported file that makes `to` columns of
  /// `from`, and a scope for it: an old one or a new one. None without a file.
  std::optional<std::string> drawModule(bool hasRows);
  std::string drawScope(int64_t from, int64_t to);

  /// The import, the declarations of the parameters, and the ops that read
  /// them.
  std::string getParameters() const;
  const std::string &getUses() const { return uses; }

private:
  Named declare(llvm::ArrayRef<int64_t> dims, llvm::StringRef init,
                llvm::StringRef attributes = "");

  Random &random;
  std::string import, element, parameters, uses;
  std::vector<int64_t> sizes;
  std::map<std::vector<int64_t>, std::vector<Named>> byDims;
  int64_t nextName = 0, nextParameter = 0;
  bool hasRisk = false;
};

/// The values that a region sees, and its text.
class Scope {
public:
  /// A function's scope, or that of a cell within another one.
  explicit Scope(ModelText &model, const Scope *outer = nullptr);

  /// The scope of a loop over rows: it sees all rows of the example.
  static Scope loopOverRows(const Scope &outer);
  /// Sometimes the code for one row sees other rows of the example around it.
  void maySeeRows(const Scope &outer);

  ModelText &getModel() { return model; }
  /// What may not stand in a region: ops that fail a call, `nn.each`.
  void forbid(bool failing, bool each) {
    canFail &= !failing;
    canHoldEach &= !each;
  }
  bool mayFail() const { return canFail; }
  bool mayHoldEach() const { return canHoldEach; }
  /// The results of the region have to depend on the value.
  void require(const Named &value) { required.push_back(value); }
  bool hasRequired() const { return !required.empty(); }
  const std::vector<Named> &getRequired() const { return required; }
  /// The sum of a value and of what is required, in its type.
  Named withRequired(Named value);

  /// Whether it is that of a loop over rows, of which not all are at hand.
  bool isLoopOverRows() const { return overRows; }
  /// Whether it sees rows of the example from the code for one row.
  bool seesRows() const { return seen; }
  /// Adds an argument of the region.
  void addArgument(const Named &value) { values.push_back(value); }
  void addIds(const NamedIds &value) { ids.push_back(value); }
  /// Adds an op with one result: `op` is what stands behind `=`. A result that
  /// may be large is squashed.
  Named add(const llvm::Twine &op, const TensorType &type, double bound);
  /// Adds lines as they are.
  void addText(const llvm::Twine &lines) { text += lines.str(); }
  /// Adds one op.
  void addLine(const llvm::Twine &line) { text += indent + line.str() + "\n"; }

  const std::vector<Named> &getValues() const { return values; }
  const std::vector<NamedIds> &getIds() const { return ids; }
  const std::string &getText() const { return text; }
  /// One of the values, a late one more often; there must be one.
  Named pick();
  /// One of the values of a type.
  std::optional<Named> find(const TensorType &type);
  /// One of the values that a predicate likes.
  std::optional<Named> find(llvm::function_ref<bool(const Named &)> isWanted);

  /// Some of the ids that a predicate likes.
  std::optional<NamedIds>
  findIds(llvm::function_ref<bool(const NamedIds &)> isWanted);
  /// An integer of the example or the node, as a float, and its limit: its id,
  /// or the greatest one of its rows. It is no value of random ops.
  std::optional<NamedIds> findNumber();

  // Small pieces of text that ops are made from.

  /// A value of the type of another one, all `number`.
  Named constantLike(const Named &like, double number);
  /// A value without rows for every row of another one.
  Named repeat(const Named &value, const Named &like);
  /// A value in another shape of as many elements per row.
  Named reshape(const Named &value, std::vector<int64_t> dims);
  /// A value with these dimensions, made by a product with a parameter; without
  /// rows unless `keepRows`.
  Named coerce(Named value, std::vector<int64_t> dims, bool keepRows = false);

private:
  ModelText &model;
  std::vector<Named> values;
  std::vector<NamedIds> ids;
  std::optional<NamedIds> number;
  std::string text, indent;
  std::vector<Named> required;
  bool canFail = true, canHoldEach = true;
  bool overRows = false, seen = false;
};

/// Adds random ops to a scope.
void addRandomOps(Scope &scope, int64_t count);

/// Adds a loop whose rows, or whose example or node, stop; gives its results:
/// none if there is nothing to count by. Loops in its body are no deeper than
/// `depth`.
std::vector<Named> addRandomLoop(Scope &outer, int64_t depth);

/// Adds a body for each member of a set of rows, which are ids.
void addEachOfSet(Scope &outer, const NamedIds &set);

/// Adds a search; what it finds are values.
void addRandomSearch(Scope &outer);

/// Adds a `tree.fold`, or a `tree.unfold`; gives its results.
std::vector<Named> addRandomRecursion(Scope &outer, bool isDown);

/// A fold over all spans of the nodes.
void addRandomChart(Scope &outer);

/// A random model: a loss over a tree or a sequence, with recursions, and a
/// training step. Modules of `import`, if that is a file, are called.
std::string makeRandomModel(Random &random, llvm::StringRef import);

} // namespace cambium::difftest

#endif // CAMBIUM_TEST_DIFFERENTIAL_MODELTEXT_H
