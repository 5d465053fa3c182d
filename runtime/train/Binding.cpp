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

#include <cstring>

using namespace cambium;
using namespace cambium::train;
using data::Field;
using data::FieldKind;

Status train::parseRenames(const std::vector<std::string> &texts,
                           Renames &renames) {
  for (const std::string &text : texts) {
    size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == text.size())
      return Status::error("expected --map INPUT=FIELD, but got '" + text +
                           "'");
    renames[text.substr(0, equals)] = text.substr(equals + 1);
  }
  return Status();
}

const Field *train::fieldOf(const data::Dataset &dataset,
                            const Renames &renames, const std::string &name) {
  auto renamed = renames.find(name);
  return dataset.find(renamed == renames.end() ? name : renamed->second);
}

static Status mismatch(const EntrySpec &entry, const std::string &input,
                       const std::string &what) {
  return Status::error("input '" + input + "' of '" + entry.name +
                       "': " + what);
}

static Status missing(const EntrySpec &entry, const std::string &input,
                      const data::Dataset &dataset, const Renames &renames) {
  std::vector<std::string> names;
  for (const Field &field : dataset.fields)
    names.push_back(field.name);
  auto renamed = renames.find(input);
  return mismatch(
      entry, input,
      "expected a field of that name in " + dataset.source +
          ", but got the fields " + dataset.fieldNames() +
          " (--map INPUT=FIELD feeds it another one)" +
          didYouMean(renamed == renames.end() ? input : renamed->second,
                     names));
}

static Status checkInput(const EntrySpec &entry, const TensorSpec &input,
                         const Field &field) {
  const std::string &name = input.name;
  if (field.kind == FieldKind::Tree)
    return mismatch(entry, name,
                    "expected a field of numbers, but got the tree '" +
                        field.name + "'");
  if (input.edgesOf >= 0)
    return mismatch(entry, name,
                    "expected values of edges, which no data format "
                    "has");
  if (input.rowElements != 1)
    return mismatch(entry, name,
                    "expected rows of shape " + formatShape(input.shape) +
                        ", but the field '" + field.name +
                        "' holds single numbers");
  bool wantsRows = input.space != CAMBIUM_SPACE_EXAMPLE;
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

Status Binding::create(const EntrySpec &entry, const data::Dataset &dataset,
                       const Renames &renames, Binding &result) {
  Binding binding;
  binding.entry = &entry;
  binding.dataset = &dataset;
  for (const TreeSpec &tree : entry.trees) {
    const Field *field = fieldOf(dataset, renames, tree.name);
    if (!field)
      return missing(entry, tree.name, dataset, renames);
    if (field->kind != FieldKind::Tree)
      return mismatch(entry, tree.name,
                      "expected a tree, but the field '" + field->name +
                          "' holds numbers");
    binding.trees.push_back(field);
  }
  for (const TensorSpec &input : entry.inputs) {
    const Field *field = fieldOf(dataset, renames, input.name);
    if (!field)
      return missing(entry, input.name, dataset, renames);
    if (Status status = checkInput(entry, input, *field); !status.ok())
      return status;
    binding.inputs.push_back(field);
  }
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
  int64_t rows = field.rows(example);
  if (field.kind == FieldKind::F32) {
    const float *values = field.floatsOf(example);
    return type == CAMBIUM_TYPE_F64 ? convertTo<double>(values, rows, converted)
                                    : values;
  }
  const int32_t *values = field.intsOf(example);
  switch (type) {
  case CAMBIUM_TYPE_I32:
    return values;
  case CAMBIUM_TYPE_I64:
    return convertTo<int64_t>(values, rows, converted);
  case CAMBIUM_TYPE_F32:
    return convertTo<float>(values, rows, converted);
  case CAMBIUM_TYPE_F64:
    return convertTo<double>(values, rows, converted);
  case CAMBIUM_TYPE_I8:
    return convertTo<int8_t>(values, rows, converted);
  case CAMBIUM_TYPE_I1:
    return convertTo<bool>(values, rows, converted);
  }
  return values;
}

Status Binding::add(Batch &batch, int64_t example) {
  if (Status status = batch.begin(static_cast<uint64_t>(example)); !status.ok())
    return status;
  for (size_t i = 0; i < trees.size(); ++i)
    if (Status status = batch.setTree(i, trees[i]->rows(example),
                                      trees[i]->intsOf(example));
        !status.ok())
      return status;
  for (size_t i = 0; i < inputs.size(); ++i)
    if (Status status =
            batch.setInput(i, inputs[i]->rows(example),
                           convert(*inputs[i], example, entry->inputs[i].type));
        !status.ok())
      return status;
  return batch.end();
}

Status Binding::fill(Batch &batch, const int32_t *examples, int64_t count,
                     uint64_t keySeed) {
  batch.clear(keySeed);
  for (int64_t i = 0; i < count; ++i)
    if (Status status = add(batch, examples[i]); !status.ok())
      return Status::error(dataset->where(examples[i]) + ": " +
                           status.message());
  return batch.finish();
}
