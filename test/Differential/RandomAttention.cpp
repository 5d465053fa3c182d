//===-- test/Differential/RandomAttention.cpp - Random attention ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "OpMaker.h"
#include <numeric>

using namespace cambium::difftest;
using llvm::Twine;

namespace {
/// Puts together one `nn.attention`.
class AttentionMaker {
public:
  AttentionMaker(Scope &scope, const Named &query, const Named &key,
                 const Named &value, int64_t heads)
      : scope(scope), model(scope.getModel()), random(model.getRandom()),
        query(query), key(key), value(value), heads(heads), bound(value.bound) {
  }

  Named make(const AttentionTerms &terms) {
    std::string text = "nn.attention " + query.name + ", " + key.name + ", " +
                       value.name + " heads " + std::to_string(heads);
    if (random.chance(0.2))
      text += " scale 0.7";
    if (terms.readsPlaces && random.chance(0.3))
      text += " causal";
    text += terms.keyBias;
    if (terms.readsPlaces)
      addTables(text);
    text += terms.groups;
    if (random.chance(0.2)) {
      text += " dropout 0.3";
      bound *= 1.5;
    }
    return scope.add(text + " : " + typeOf(query) + ", " + typeOf(key) + ", " +
                         typeOf(value),
                     {query.type.rows, value.type.dims}, bound);
  }

private:
  void addTables(std::string &text) {
    if (random.chance(0.25))
      text += makeTable("distance_bias", heads, drawDistances());
    if (random.chance(0.2))
      text += makeTable("relative_keys", drawDistances(), columnsOf(key));
    if (random.chance(0.2)) {
      text += makeTable("relative_values", drawDistances(), columnsOf(value));
      bound += 0.5;
    }
  }

  std::string typeOf(const Named &rows) const { return model.print(rows.type); }

  int64_t columnsOf(const Named &rows) const {
    return rows.type.dims[0] / heads;
  }

  /// From -R to R: odd, and fewer than there are in longer sentences.
  int64_t drawDistances() { return 2 * random.below(5) + 1; }

  std::string makeTable(llvm::StringRef term, int64_t rows, int64_t columns) {
    Named table = model.useParameter({rows, columns});
    return (" " + term + "(" + table.name + " : " + typeOf(table) + ")").str();
  }

  Scope &scope;
  ModelText &model;
  Random &random;
  const Named &query, &key, &value;
  int64_t heads;
  double bound;
};
} // namespace

Named cambium::difftest::addAttention(Scope &scope, const Named &query,
                                      const Named &key, const Named &value,
                                      int64_t heads,
                                      const AttentionTerms &terms) {
  return AttentionMaker(scope, query, key, value, heads).make(terms);
}

std::string cambium::difftest::makeKeyBias(Scope &scope, const Named &rows,
                                           int64_t heads) {
  Named bias = scope.coerce(rows, {heads}, /*keepRows=*/true);
  return " key_bias(" + bias.name + " : " + scope.getModel().print(bias.type) +
         ")";
}

/// Rows that are vectors.
std::optional<Named> OpMaker::findVectors() {
  return scope.find([](const Named &value) {
    return value.type.hasRows() && value.type.dims.size() == 1;
  });
}

/// Rows of the same number as their neighbour see one another; empty if there
/// are no ids of such rows.
std::string OpMaker::addGroups(Rows rows) {
  auto ids =
      scope.findIds([&](const NamedIds &ids) { return ids.rows == rows; });
  return ids ? " within(" + ids->name + " : " + model.print({rows, {}}, "i32") +
                   ")"
             : "";
}

bool OpMaker::addAttention() {
  auto query = findVectors();
  if (!query)
    return false;
  // Keys of the same rows, or of others of the example.
  Named key = random.chance(0.6) ? findLike(*query) : *findVectors();
  key = scope.coerce(key, query->type.dims, /*keepRows=*/true);
  Named value = *scope.find([&](const Named &value) {
    return value.type.rows == key.type.rows && value.type.dims.size() == 1;
  });
  int64_t most = std::gcd(query->type.dims[0], value.type.dims[0]);
  int64_t heads = random.chance(0.5) ? 1 : most;
  if (most % 2 == 0 && random.chance(0.4))
    heads = 2;
  AttentionTerms terms;
  if (random.chance(0.25))
    terms.keyBias = makeKeyBias(scope, *scope.find([&](const Named &value) {
      return value.type.rows == key.type.rows;
    }),
                                heads);
  if (query->type.rows == key.type.rows && random.chance(0.25))
    terms.groups = addGroups(key.type.rows);
  cambium::difftest::addAttention(scope, *query, key, value, heads, terms);
  return true;
}
