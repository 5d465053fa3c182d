//===-- ManifestEntries.cpp - Reading the entries of manifests ------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ManifestReader.h"

using namespace cambium::runtime;

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

cambium_status_t ManifestReader::readKind(const Json &json,
                                          cambium_entry &entry) {
  const char *kind = "function";
  size_t size = 0;
  if (json["kind"].isPresent())
    CAMBIUM_TRY(json["kind"].readString(kind, size));
  entry.info.step = "";
  if (std::strcmp(kind, "function") == 0) {
    entry.info.kind = CAMBIUM_ENTRY_FUNCTION;
    return CAMBIUM_STATUS_OK;
  }
  if (std::strcmp(kind, "accumulate") == 0)
    entry.info.kind = CAMBIUM_ENTRY_ACCUMULATE;
  else if (std::strcmp(kind, "apply") == 0)
    entry.info.kind = CAMBIUM_ENTRY_APPLY;
  else
    return fail(CAMBIUM_STATUS_MALFORMED,
                "%s.kind: expected function, accumulate or apply, but got "
                "\"%s\"",
                json.where().c_str(), kind);
  CAMBIUM_TRY(readName(json["step"], entry.info.step));
  if (entry.info.kind == CAMBIUM_ENTRY_APPLY && json["accumulate"].isPresent())
    CAMBIUM_TRY(json["accumulate"].readInteger(entry.accumulate));
  for (const char *known : manifest.steps)
    if (std::strcmp(known, entry.info.step) == 0)
      return CAMBIUM_STATUS_OK;
  manifest.steps.push_back(entry.info.step);
  return CAMBIUM_STATUS_OK;
}

cambium_status_t ManifestReader::readSpaces(const Json &json,
                                            cambium_entry &entry) {
  unsigned size = 0;
  CAMBIUM_TRY(json.readArray(size));
  for (Json item = json.first(); item.exists(); item = item.next()) {
    cambium_space_info_t info = {};
    CAMBIUM_TRY(item.expectObject());
    CAMBIUM_TRY(readText(item["name"], info.name));
    const char *of = nullptr;
    size_t length = 0;
    CAMBIUM_TRY(item["of"].readString(of, length));
    info.of_nodes = std::strcmp(of, "nodes") == 0;
    bool isInner = std::strcmp(of, "rows of rows") == 0;
    if (!info.of_nodes && !isInner && std::strcmp(of, "rows") != 0)
      return fail(CAMBIUM_STATUS_MALFORMED,
                  "%s.of: expected nodes, rows or rows of rows, but got \"%s\"",
                  item.where().c_str(), of);
    int32_t in = CAMBIUM_SPACE_EXAMPLE;
    if (isInner)
      CAMBIUM_TRY(readIndex(
          item["in"], static_cast<int64_t>(entry.spaces.size()), "spaces", in));
    if (in >= 0 && entry.outerSpaces[static_cast<size_t>(in)] >= 0)
      return fail(CAMBIUM_STATUS_MALFORMED,
                  "%s.in: expected a space with rows of examples, but got "
                  "\"%s\"",
                  item.where().c_str(),
                  entry.spaces[static_cast<size_t>(in)].name);
    entry.spaces.push_back(info);
    entry.outerSpaces.push_back(in);
  }
  return CAMBIUM_STATUS_OK;
}

cambium_status_t ManifestReader::readTrees(const Json &json,
                                           cambium_entry &entry) {
  unsigned size = 0;
  CAMBIUM_TRY(json.readArray(size));
  for (Json item = json.first(); item.exists(); item = item.next()) {
    cambium_tree_info_t info = {};
    CAMBIUM_TRY(item.expectObject());
    CAMBIUM_TRY(readName(item["name"], info.name));
    CAMBIUM_TRY(readIndex(item["space"],
                          static_cast<int64_t>(entry.spaces.size()), "spaces",
                          info.space));
    info.arity = -1;
    if (item["arity"].isPresent())
      CAMBIUM_TRY(item["arity"].readInteger(info.arity));
    if (info.arity < -1)
      return fail(CAMBIUM_STATUS_MALFORMED,
                  "%s.arity: expected -1 or more, but got %lld",
                  item.where().c_str(), static_cast<long long>(info.arity));
    info.single_root = true;
    if (item["single_root"].isPresent())
      CAMBIUM_TRY(item["single_root"].readBool(info.single_root));
    entry.trees.push_back(info);
  }
  return CAMBIUM_STATUS_OK;
}

cambium_status_t
ManifestReader::readTensors(const Json &json, const cambium_entry &entry,
                            std::vector<cambium_tensor_info_t> &tensors) {
  unsigned size = 0;
  CAMBIUM_TRY(json.readArray(size));
  auto numSpaces = static_cast<int64_t>(entry.spaces.size());
  for (Json item = json.first(); item.exists(); item = item.next()) {
    cambium_tensor_info_t info = {};
    CAMBIUM_TRY(item.expectObject());
    CAMBIUM_TRY(readName(item["name"], info.name));
    CAMBIUM_TRY(readType(item["type"], info.type));
    int64_t elements = 0;
    CAMBIUM_TRY(readShape(item["shape"], info.rank, info.shape, elements));
    info.row_bytes = elements * cambium_type_size(info.type);
    info.space = CAMBIUM_SPACE_EXAMPLE;
    info.edges_of = -1;
    if (item["edges_of"].isPresent()) {
      CAMBIUM_TRY(readIndex(item["edges_of"],
                            static_cast<int64_t>(entry.trees.size()), "forests",
                            info.edges_of));
    } else {
      int64_t space = 0, lowest = CAMBIUM_SPACE_CALL;
      CAMBIUM_TRY(item["space"].readInteger(space));
      if (space < lowest || space >= numSpaces)
        return fail(CAMBIUM_STATUS_MALFORMED,
                    "%s.space: expected a number in [%lld, %lld), but got %lld",
                    item.where().c_str(), static_cast<long long>(lowest),
                    static_cast<long long>(numSpaces),
                    static_cast<long long>(space));
      info.space = static_cast<int32_t>(space);
    }
    if (item["limit"].isPresent()) {
      CAMBIUM_TRY(item["limit"].readInteger(info.limit));
      bool isId =
          info.type == CAMBIUM_TYPE_I32 || info.type == CAMBIUM_TYPE_I64;
      if (info.limit < 0 || (info.limit > 0 && !isId))
        return fail(CAMBIUM_STATUS_MALFORMED,
                    "%s.limit: expected a limit of i32 or i64 ids",
                    item.where().c_str());
    }
    tensors.push_back(info);
  }
  return CAMBIUM_STATUS_OK;
}

cambium_status_t ManifestReader::readScalars(const Json &json,
                                             cambium_entry &entry) {
  unsigned size = 0;
  CAMBIUM_TRY(json.readArray(size));
  if (size > 0 && entry.info.kind != CAMBIUM_ENTRY_APPLY)
    return fail(CAMBIUM_STATUS_MALFORMED,
                "%s: expected scalars of apply entries only",
                json.where().c_str());
  for (Json item = json.first(); item.exists(); item = item.next()) {
    const char *name = nullptr;
    CAMBIUM_TRY(readName(item, name));
    if (std::strncmp(name, "lr.", 3) != 0 &&
        std::strcmp(name, "gradient_scale") != 0)
      return fail(CAMBIUM_STATUS_INCOMPATIBLE,
                  "%s: expected lr.<group> or gradient_scale, but got \"%s\"",
                  item.where().c_str(), name);
    entry.scalars.push_back(name);
  }
  return CAMBIUM_STATUS_OK;
}

/// No two items of a list have the same name.
template <typename Info>
static cambium_status_t checkNames(const Json &json,
                                   const std::vector<Info> &infos) {
  for (size_t i = 0; i < infos.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (std::strcmp(infos[i].name, infos[j].name) == 0)
        return fail(CAMBIUM_STATUS_MALFORMED,
                    "%s[%zu]: expected different names, but got \"%s\" twice",
                    json.where().c_str(), i, infos[i].name);
  return CAMBIUM_STATUS_OK;
}

cambium_status_t ManifestReader::readEntry(const Json &json) {
  cambium_entry entry;
  CAMBIUM_TRY(json.expectObject());
  CAMBIUM_TRY(readName(json["name"], entry.info.name));
  for (const cambium_entry &other : manifest.entries)
    if (std::strcmp(other.info.name, entry.info.name) == 0)
      return fail(CAMBIUM_STATUS_MALFORMED,
                  "%s: expected different names, but got \"%s\" twice",
                  json.where().c_str(), entry.info.name);
  CAMBIUM_TRY(readKind(json, entry));
  CAMBIUM_TRY(readSpaces(json["spaces"], entry));
  CAMBIUM_TRY(readTrees(json["forests"], entry));
  CAMBIUM_TRY(readTensors(json["inputs"], entry, entry.inputs));
  CAMBIUM_TRY(readTensors(json["outputs"], entry, entry.outputs));
  CAMBIUM_TRY(readScalars(json["scalars"], entry));
  CAMBIUM_TRY(checkNames(json["forests"], entry.trees));
  CAMBIUM_TRY(checkNames(json["inputs"], entry.inputs));
  CAMBIUM_TRY(checkNames(json["outputs"], entry.outputs));
  if (json["random"].isPresent())
    CAMBIUM_TRY(json["random"].readBool(entry.info.random));
  if (entry.info.kind == CAMBIUM_ENTRY_ACCUMULATE &&
      (entry.outputs.empty() ||
       entry.outputs[0].row_bytes != cambium_type_size(entry.outputs[0].type) ||
       entry.outputs[0].space != CAMBIUM_SPACE_CALL ||
       entry.outputs[0].type > CAMBIUM_TYPE_F64))
    return fail(CAMBIUM_STATUS_MALFORMED,
                "%s.outputs: expected the loss first, one f32 or f64 per call",
                json.where().c_str());
  entry.info.num_spaces = static_cast<int64_t>(entry.spaces.size());
  entry.info.num_trees = static_cast<int64_t>(entry.trees.size());
  entry.info.num_inputs = static_cast<int64_t>(entry.inputs.size());
  entry.info.num_outputs = static_cast<int64_t>(entry.outputs.size());
  entry.info.num_scalars = static_cast<int64_t>(entry.scalars.size());
  manifest.entries.push_back(std::move(entry));
  return CAMBIUM_STATUS_OK;
}

/// Every step has both halves, and `accumulate` leads to the right one.
cambium_status_t ManifestReader::checkSteps(const Json &entries) {
  for (const char *step : manifest.steps) {
    int64_t halves[2] = {-1, -1};
    for (size_t i = 0; i < manifest.entries.size(); ++i) {
      const cambium_entry_info_t &info = manifest.entries[i].info;
      if (std::strcmp(info.step, step) != 0)
        continue;
      int64_t &half = halves[info.kind == CAMBIUM_ENTRY_APPLY];
      if (half >= 0)
        half = -2;
      else if (half == -1)
        half = static_cast<int64_t>(i);
    }
    if (halves[0] < 0 || halves[1] < 0)
      return fail(CAMBIUM_STATUS_MALFORMED,
                  "%s: expected one accumulate and one apply entry of step "
                  "\"%s\"",
                  entries.where().c_str(), step);
    int64_t &link = manifest.entries[static_cast<size_t>(halves[1])].accumulate;
    if (link >= 0 && link != halves[0])
      return fail(CAMBIUM_STATUS_MALFORMED,
                  "%s[%lld].accumulate: expected %lld, but got %lld",
                  entries.where().c_str(), static_cast<long long>(halves[1]),
                  static_cast<long long>(halves[0]),
                  static_cast<long long>(link));
    link = halves[0];
  }
  return CAMBIUM_STATUS_OK;
}
