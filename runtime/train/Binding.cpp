//===-- Binding.cpp - Fields of a data set as inputs of an entry ----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Binding.h"
#include "Format.h"
#include "Names.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>

using namespace cambium;
using namespace cambium::train;
using data::Field;
using data::FieldKind;

const std::string &Feeds::fieldOf(const std::string &input) const {
  auto other = fields.find(input);
  return other == fields.end() ? input : other->second;
}

/// `input=text`; false if it is something else.
static bool splitFeed(const std::string &feed, std::string &input,
                      std::string &text) {
  size_t equals = feed.find('=');
  if (equals == 0 || equals == std::string::npos || equals + 1 == feed.size())
    return false;
  input = feed.substr(0, equals);
  text = feed.substr(equals + 1);
  return true;
}

Status train::parseFeeds(const std::vector<std::string> &maps,
                         const std::vector<std::string> &values, Feeds &feeds) {
  std::string input, text;
  for (const std::string &map : maps) {
    if (!splitFeed(map, input, text))
      return Status::error("expected --map INPUT=FIELD, but got '" + map + "'");
    feeds.fields[input] = text;
  }
  for (const std::string &value : values) {
    if (!splitFeed(value, input, text))
      return Status::error("expected --value INPUT=NUMBER, but got '" + value +
                           "'");
    if (Status status = Formula::parse(text, feeds.values[input]); !status.ok())
      return Status::error("--value " + input + ": " + status.message());
  }
  return Status();
}

const Field *train::fieldOf(const data::Dataset &dataset, const Feeds &feeds,
                            const std::string &name) {
  return dataset.find(feeds.fieldOf(name));
}

static Status mismatch(const EntrySpec &entry, const std::string &input,
                       const std::string &what) {
  return Status::error("input '" + input + "' of '" + entry.name +
                       "': " + what);
}

static Status missing(const EntrySpec &entry, const std::string &input,
                      const data::Dataset &dataset, const Feeds &feeds) {
  const std::string &field = feeds.fieldOf(input);
  return mismatch(
      entry, input,
      "expected a field " +
          (field == input ? "of that name"
                          : "'" + field + "', as --map says,") +
          " in " + dataset.source + ", but got the fields " +
          dataset.fieldNames() +
          " (--map INPUT=FIELD feeds it another one, --value INPUT=NUMBER a "
          "number)" +
          didYouMean(field, data::namesOf(dataset)));
}

static Status checkInput(const EntrySpec &entry, const TensorSpec &input,
                         const Field &field, bool wantsRows) {
  const std::string &name = input.name;
  if (field.kind == FieldKind::Tree || field.kind == FieldKind::Graph)
    return mismatch(entry, name,
                    "expected a field of numbers, but got the tree '" +
                        field.name + "'");
  if (input.edgesOf >= 0)
    return mismatch(entry, name,
                    "expected values of edges, which no data format "
                    "has");
  if (input.rowElements != field.width)
    return mismatch(
        entry, name,
        "expected rows of shape " + formatShape(input.shape) +
            ", but the field '" + field.name + "' holds " +
            (field.width == 1
                 ? "single numbers"
                 : "rows of " + std::to_string(field.width) + " numbers"));
  if (wantsRows != field.perRow)
    return mismatch(entry, name,
                    std::string("expected ") +
                        (wantsRows ? "any number of rows" : "one value") +
                        " per example, but the field '" + field.name +
                        "' has " + (wantsRows ? "one value" : "rows"));
  bool isFloat =
      input.type == CAMBIUM_TYPE_F32 || input.type == CAMBIUM_TYPE_F64;
  if (field.kind == FieldKind::F32 && !isFloat)
    return mismatch(entry, name,
                    std::string("expected ") + cambium_type_name(input.type) +
                        ", but the field '" + field.name + "' is f32");
  return Status();
}

/// The bytes of a number; empty if the type does not have it.
static std::vector<char> bytesOf(double number, cambium_type_t type) {
  std::vector<char> bytes(static_cast<size_t>(cambium_type_size(type)));
  auto put = [&](auto value) {
    const auto kept = static_cast<double>(value);
    if (std::is_integral_v<decltype(value)> ? kept != number
                                            : !std::isfinite(kept))
      bytes.clear();
    else
      memcpy(bytes.data(), &value, sizeof(value));
  };
  // Conversion to an integer that does not have the number is undefined.
  const bool isSmall = std::abs(number) <= INT32_MAX;
  switch (type) {
  case CAMBIUM_TYPE_F32:
    put(static_cast<float>(number));
    break;
  case CAMBIUM_TYPE_F64:
    put(number);
    break;
  case CAMBIUM_TYPE_I32:
    put(isSmall ? static_cast<int32_t>(number) : 0);
    break;
  case CAMBIUM_TYPE_I64:
    put(isSmall ? static_cast<int64_t>(number) : 0);
    break;
  case CAMBIUM_TYPE_I8:
    put(std::abs(number) <= INT8_MAX ? static_cast<int8_t>(number) : int8_t{0});
    break;
  case CAMBIUM_TYPE_I1:
    put(number != 0);
    break;
  }
  return bytes;
}

Status Binding::addInput(const TensorSpec &spec, const Feeds &feeds) {
  if (feeds.carry.outputs.count(spec.name)) {
    inputs.push_back(
        {nullptr, std::vector<char>(static_cast<size_t>(
                      spec.rowElements * cambium_type_size(spec.type)))});
    return Status();
  }
  auto given = feeds.values.find(spec.name);
  if (given == feeds.values.end()) {
    const Field *field = fieldOf(*dataset, feeds, spec.name);
    if (!field)
      return missing(*entry, spec.name, *dataset, feeds);
    inputs.push_back({field, {}});
    if (takesSets && spec.space < 0)
      return mismatch(*entry, spec.name,
                      "expected rows of the set, or one number for all "
                      "(--value), but it is one per set");
    return checkInput(*entry, spec, *field, wantsRows(spec));
  }
  if (spec.space >= 0 || spec.edgesOf >= 0 || spec.rowElements != 1)
    return mismatch(*entry, spec.name,
                    "expected one number per example for --value, but it has "
                    "rows of shape " +
                        formatShape(spec.shape));
  inputs.push_back({nullptr, {}, given->second});
  return compute(inputs.size() - 1, {});
}

/// The bytes of a value at a place of the training.
Status Binding::compute(size_t input, const TrainingPoint &progress) {
  const TensorSpec &spec = entry->inputs[input];
  const double number = inputs[input].formula.at(progress);
  inputs[input].value = bytesOf(number, spec.type);
  if (inputs[input].value.empty())
    return mismatch(*entry, spec.name,
                    std::string("expected --value with a number of type ") +
                        cambium_type_name(spec.type) + ", but got " +
                        formatNumber(number));
  return Status();
}

bool Binding::changes() const {
  return std::any_of(inputs.begin(), inputs.end(), [](const Input &input) {
    return input.formula.changes();
  });
}

Status Binding::create(const EntrySpec &entry, const data::Dataset &dataset,
                       const Feeds &feeds, Binding &result) {
  Binding binding;
  binding.entry = &entry;
  binding.dataset = &dataset;
  if (Status status = binding.findSets(feeds); !status.ok())
    return status;
  for (const TreeSpec &tree : entry.trees) {
    const Field *field = fieldOf(dataset, feeds, tree.name);
    if (!field)
      return missing(entry, tree.name, dataset, feeds);
    if (field->kind != FieldKind::Tree && field->kind != FieldKind::Graph)
      return mismatch(entry, tree.name,
                      "expected a tree, but the field '" + field->name +
                          "' holds numbers");
    binding.trees.push_back(field);
  }
  for (const TensorSpec &input : entry.inputs)
    if (Status status = binding.addInput(input, feeds); !status.ok())
      return status;
  result = std::move(binding);
  return Status();
}

template <typename To, typename From>
static const void *convertTo(const From *from, int64_t count,
                             std::vector<char> &bytes) {
  bytes.resize(count * sizeof(To));
  for (int64_t i = 0; i < count; ++i) {
    To value = static_cast<To>(from[i]);
    memcpy(bytes.data() + i * sizeof(To), &value, sizeof(To));
  }
  return bytes.data();
}

const void *Binding::convert(const Field &field, int64_t example,
                             cambium_type_t type) {
  const int64_t numbers = field.rows(example) * field.width;
  if (field.kind == FieldKind::F32) {
    const float *values = field.floatsOf(example);
    return type == CAMBIUM_TYPE_F64
               ? convertTo<double>(values, numbers, converted)
               : values;
  }
  const int32_t *values = field.intsOf(example);
  switch (type) {
  case CAMBIUM_TYPE_I32:
    return values;
  case CAMBIUM_TYPE_I64:
    return convertTo<int64_t>(values, numbers, converted);
  case CAMBIUM_TYPE_F32:
    return convertTo<float>(values, numbers, converted);
  case CAMBIUM_TYPE_F64:
    return convertTo<double>(values, numbers, converted);
  case CAMBIUM_TYPE_I8:
    return convertTo<int8_t>(values, numbers, converted);
  case CAMBIUM_TYPE_I1:
    return convertTo<bool>(values, numbers, converted);
  }
  return values;
}

Status Binding::add(Batch &batch, int64_t example) {
  if (Status status = batch.begin(static_cast<uint64_t>(example)); !status.ok())
    return status;
  for (size_t i = 0; i < trees.size(); ++i) {
    const Field &tree = *trees[i];
    const int64_t nodes = tree.rows(example);
    Status status =
        tree.kind == FieldKind::Tree
            ? batch.setTree(i, nodes, tree.intsOf(example))
            : batch.setGraph(i, nodes, tree.intsOf(example),
                             tree.children.data() + tree.childOffsets[example]);
    if (!status.ok())
      return status;
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    const auto &[field, value, formula] = inputs[i];
    const bool isCarried = carry && carry->feeds(i);
    const void *bytes = isCarried
                            ? carry->stateOf(i, static_cast<int32_t>(example))
                            : value.data();
    Status status =
        field ? batch.setInput(i, field->rows(example),
                               convert(*field, example, entry->inputs[i].type))
              : batch.setInput(i, 1, bytes);
    if (!status.ok())
      return status;
  }
  return batch.end();
}

Status Binding::fill(Batch &batch, const int32_t *examples, int64_t count,
                     uint64_t keySeed, const TrainingPoint &progress) {
  batch.clear(keySeed);
  for (size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i].formula.changes())
      if (Status status = compute(i, progress); !status.ok())
        return status;
  for (int64_t i = 0, end = 0; i < count; i = end) {
    end = takesSets ? sets.endOf(examples, count, i) : i + 1;
    Status status = takesSets ? addSet(batch, examples + i, end - i)
                              : add(batch, examples[i]);
    if (!status.ok())
      return Status::error(dataset->where(examples[i]) + ": " +
                           status.message());
  }
  return batch.finish();
}
