//===-- runtime/core/Manifest.cpp - Reading the parameters of manifests ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ManifestReader.h"

using namespace cambium::runtime;

cambium_status_t ManifestReader::readText(const Json &json, const char *&text) {
  const char *data = nullptr;
  size_t size = 0;
  CAMBIUM_TRY(json.readString(data, size));
  text = manifest.intern(data, size);
  return CAMBIUM_STATUS_OK;
}

cambium_status_t ManifestReader::readName(const Json &json, const char *&text) {
  CAMBIUM_TRY(readText(json, text));
  if (!*text)
    return fail(CAMBIUM_STATUS_MALFORMED, "%s: expected a name, but got \"\"",
                json.where().c_str());
  return CAMBIUM_STATUS_OK;
}

cambium_status_t ManifestReader::readType(const Json &json,
                                          cambium_type_t &type) {
  const char *text = nullptr;
  size_t size = 0;
  CAMBIUM_TRY(json.readString(text, size));
  for (int i = CAMBIUM_TYPE_F32; i <= CAMBIUM_TYPE_I1; ++i) {
    type = static_cast<cambium_type_t>(i);
    if (std::strcmp(cambium_type_name(type), text) == 0)
      return CAMBIUM_STATUS_OK;
  }
  return fail(CAMBIUM_STATUS_MALFORMED,
              "%s: expected f32, f64, i32, i64, i8 or i1, but got \"%s\"",
              json.where().c_str(), text);
}

cambium_status_t ManifestReader::readShape(const Json &json, int32_t &rank,
                                           const int64_t *&shape,
                                           int64_t &elements) {
  if (!json.isPresent())
    return json.expected("an array of sizes");
  unsigned size = 0;
  CAMBIUM_TRY(json.readArray(size));
  constexpr unsigned maxRank = 16;
  if (size > maxRank)
    return fail(CAMBIUM_STATUS_MALFORMED,
                "%s: expected at most %u dimensions, but got %u",
                json.where().c_str(), maxRank, size);
  std::vector<int64_t> sizes(size);
  elements = 1;
  Json dimension = json.first();
  for (unsigned i = 0; i < size; ++i, dimension = dimension.next()) {
    CAMBIUM_TRY(dimension.readInteger(sizes[i]));
    // 8 bytes per element and some room must fit into 63 bits.
    constexpr int64_t limit = int64_t{1} << 58;
    if (sizes[i] < 0 || sizes[i] > limit ||
        (elements > 0 && sizes[i] > limit / elements))
      return fail(CAMBIUM_STATUS_MALFORMED,
                  "%s: expected a size that fits into memory, but got %lld",
                  dimension.where().c_str(), static_cast<long long>(sizes[i]));
    elements *= sizes[i];
  }
  rank = static_cast<int32_t>(size);
  shape = manifest.keep(std::move(sizes));
  return CAMBIUM_STATUS_OK;
}

cambium_status_t ManifestReader::readIndex(const Json &json, int64_t size,
                                           const char *what, int32_t &index) {
  int64_t value = 0;
  CAMBIUM_TRY(json.readInteger(value));
  if (value < 0 || value >= size)
    return fail(CAMBIUM_STATUS_MALFORMED,
                "%s: expected the index of one of %lld %s, but got %lld",
                json.where().c_str(), static_cast<long long>(size), what,
                static_cast<long long>(value));
  index = static_cast<int32_t>(value);
  return CAMBIUM_STATUS_OK;
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

static constexpr const char *kInitNames[] = {
    "zeros",         "constant",         "uniform",
    "normal",        "truncated_normal", "xavier_uniform",
    "xavier_normal", "orthogonal",       "file",
    "sinusoidal"};

cambium_status_t ManifestReader::readInit(const Json &json,
                                          cambium_parameter_info_t &info) {
  cambium_init_t &init = info.init;
  if (!json.isPresent())
    return CAMBIUM_STATUS_OK; // zeros
  CAMBIUM_TRY(json.expectObject());
  const char *kind = nullptr;
  size_t size = 0;
  CAMBIUM_TRY(json["kind"].readString(kind, size));
  int found = -1;
  for (int i = CAMBIUM_INIT_ZEROS; i <= CAMBIUM_INIT_SINUSOIDAL; ++i)
    if (std::strcmp(kInitNames[i], kind) == 0)
      found = i;
  if (found < 0)
    return fail(CAMBIUM_STATUS_MALFORMED,
                "%s.kind: expected an initializer, but got \"%s\"",
                json.where().c_str(), kind);
  init.kind = static_cast<cambium_init_kind_t>(found);
  if (init.kind == CAMBIUM_INIT_FILE) {
    CAMBIUM_TRY(readName(json["path"], init.path));
    return readName(json["tensor"], init.tensor);
  }
  if (init.kind >= CAMBIUM_INIT_XAVIER_UNIFORM)
    init.a = 1; // the gain
  bool needsA = init.kind == CAMBIUM_INIT_CONSTANT;
  bool needsBoth = init.kind >= CAMBIUM_INIT_UNIFORM &&
                   init.kind <= CAMBIUM_INIT_TRUNCATED_NORMAL;
  if (needsA || needsBoth || json["a"].isPresent())
    CAMBIUM_TRY(json["a"].readNumber(init.a));
  if (needsBoth || json["b"].isPresent())
    CAMBIUM_TRY(json["b"].readNumber(init.b));
  return checkInit(json, info);
}

cambium_status_t
ManifestReader::checkInit(const Json &json,
                          const cambium_parameter_info_t &info) {
  bool isFloat = info.type == CAMBIUM_TYPE_F32 || info.type == CAMBIUM_TYPE_F64;
  if (!isFloat && info.init.kind >= CAMBIUM_INIT_UNIFORM)
    return fail(CAMBIUM_STATUS_MALFORMED,
                "%s: expected an f32 or f64 parameter for %s, but got %s",
                json.where().c_str(), kInitNames[info.init.kind],
                cambium_type_name(info.type));
  bool needsMatrix = info.init.kind == CAMBIUM_INIT_ORTHOGONAL ||
                     info.init.kind == CAMBIUM_INIT_SINUSOIDAL;
  int32_t rank = info.rank - info.slices;
  if (needsMatrix && rank < 2)
    return fail(CAMBIUM_STATUS_MALFORMED,
                "%s: expected at least two dimensions for %s, but got %d",
                json.where().c_str(), kInitNames[info.init.kind], rank);
  return CAMBIUM_STATUS_OK;
}

/// How many leading dimensions number slices.
static cambium_status_t readSlices(const Json &json,
                                   cambium_parameter_info_t &info) {
  if (!json.isPresent())
    return CAMBIUM_STATUS_OK;
  int64_t slices = 0;
  CAMBIUM_TRY(json.readInteger(slices));
  if (slices < 0 || slices > info.rank)
    return fail(CAMBIUM_STATUS_MALFORMED,
                "%s: expected 0 to %d dimensions, but got %lld",
                json.where().c_str(), info.rank,
                static_cast<long long>(slices));
  info.slices = static_cast<int32_t>(slices);
  return CAMBIUM_STATUS_OK;
}

/// The panels of a parameter have at most the columns that it has.
static cambium_status_t readPanels(const Json &parameter,
                                   const cambium_parameter_info_t &info,
                                   PanelShape &panels) {
  const Json json = parameter["panels"], format = parameter["panel_format"];
  if (json.isPresent())
    CAMBIUM_TRY(json.readInteger(panels.columns));
  int64_t most = info.rank < 2 ? 0 : info.shape[info.rank - 1];
  if (panels.columns < 0 || panels.columns > most)
    return fail(CAMBIUM_STATUS_MALFORMED,
                "%s: expected 0 to %lld columns, but got %lld",
                json.where().c_str(), static_cast<long long>(most),
                static_cast<long long>(panels.columns));
  const Json alone = parameter["panels_alone"];
  if (alone.isPresent())
    CAMBIUM_TRY(alone.readBool(panels.areAlone));
  if (panels.areAlone && panels.columns == 0)
    return fail(CAMBIUM_STATUS_MALFORMED,
                "%s: expected panels of a parameter that is read in them alone",
                alone.where().c_str());
  if (!format.isPresent())
    return CAMBIUM_STATUS_OK;
  const char *text = nullptr;
  size_t size = 0;
  CAMBIUM_TRY(format.readString(text, size));
  std::string name(text, size);
  if (panels.columns == 0 || info.type != CAMBIUM_TYPE_F32 ||
      (name != "bf16" && name != "int8"))
    return fail(CAMBIUM_STATUS_MALFORMED,
                "%s: expected bf16 or int8 for panels of f32, but got \"%s\" "
                "for %lld columns of %s",
                format.where().c_str(), name.c_str(),
                static_cast<long long>(panels.columns),
                cambium_type_name(info.type));
  panels.format = name == "bf16" ? PanelFormat::BF16 : PanelFormat::Int8;
  return CAMBIUM_STATUS_OK;
}

/// The shapes of the optimizer's state. A factored one is of a matrix: without
/// its columns, and without its rows.
static cambium_status_t readState(const Json &json, Manifest &manifest,
                                  cambium_parameter_info_t &info,
                                  StateShape &state) {
  if (json["state_slots"].isPresent()) {
    int64_t slots = 0;
    CAMBIUM_TRY(json["state_slots"].readInteger(slots));
    if (slots < 0 || slots > 2)
      return fail(CAMBIUM_STATUS_MALFORMED,
                  "%s.state_slots: expected 0, 1 or 2, but got %lld",
                  json.where().c_str(), static_cast<long long>(slots));
    info.state_slots = static_cast<int32_t>(slots);
  }
  bool isFactored = false;
  const Json factored = json["factored"];
  if (factored.isPresent())
    CAMBIUM_TRY(factored.readBool(isFactored));
  if (isFactored && (info.rank < 2 || info.state_slots != 2))
    return fail(CAMBIUM_STATUS_MALFORMED,
                "%s: expected two slots and two dimensions or more, but got %d "
                "and %d",
                factored.where().c_str(), info.state_slots, info.rank);
  for (int slot = 0; slot < 2; ++slot) {
    state.slots[slot] = {info.rank, info.shape, info.num_elements};
    if (!isFactored)
      continue;
    std::vector<int64_t> shape(info.shape, info.shape + info.rank);
    shape.erase(shape.end() - 1 - slot);
    int64_t elements = 1;
    bool isTooLarge = false;
    for (int64_t size : shape)
      isTooLarge |= __builtin_mul_overflow(elements, size, &elements);
    if (isTooLarge || elements > INT64_MAX / int64_t{sizeof(double)})
      return fail(CAMBIUM_STATUS_MALFORMED,
                  "%s: expected sizes that fit into memory",
                  factored.where().c_str());
    state.slots[slot] = {info.rank - 1, manifest.keep(std::move(shape)),
                         elements};
  }
  return CAMBIUM_STATUS_OK;
}

cambium_status_t ManifestReader::readParameter(const Json &json) {
  cambium_parameter_info_t info = {};
  CAMBIUM_TRY(json.expectObject());
  CAMBIUM_TRY(readName(json["name"], info.name));
  // Names are keys of checkpoints, in which "#" marks optimizer state.
  if (std::strchr(info.name, '#') ||
      std::strcmp(info.name, "__metadata__") == 0)
    return fail(CAMBIUM_STATUS_MALFORMED,
                "%s.name: expected a name that is free in checkpoints, but got "
                "\"%s\"",
                json.where().c_str(), info.name);
  for (const cambium_parameter_info_t &other : manifest.parameters)
    if (std::strcmp(other.name, info.name) == 0)
      return fail(CAMBIUM_STATUS_MALFORMED,
                  "%s: expected different names, but got \"%s\" twice",
                  json.where().c_str(), info.name);
  CAMBIUM_TRY(readType(json["type"], info.type));
  CAMBIUM_TRY(
      readShape(json["shape"], info.rank, info.shape, info.num_elements));
  CAMBIUM_TRY(readSlices(json["slices"], info));
  info.trainable = info.decay = true;
  info.group = "default";
  if (json["trainable"].isPresent())
    CAMBIUM_TRY(json["trainable"].readBool(info.trainable));
  if (json["decay"].isPresent())
    CAMBIUM_TRY(json["decay"].readBool(info.decay));
  if (json["row_sparse"].isPresent())
    CAMBIUM_TRY(json["row_sparse"].readBool(info.row_sparse));
  if (json["group"].isPresent())
    CAMBIUM_TRY(readName(json["group"], info.group));
  if (info.row_sparse && (info.rank < 1 || info.shape[0] > kMaxRows))
    return fail(CAMBIUM_STATUS_MALFORMED,
                "%s.row_sparse: expected 1 to %lld rows", json.where().c_str(),
                static_cast<long long>(kMaxRows));
  CAMBIUM_TRY(readInit(json["init"], info));
  PanelShape panels = {0, PanelFormat::Values, false};
  CAMBIUM_TRY(readPanels(json, info, panels));
  StateShape state = {};
  CAMBIUM_TRY(readState(json, manifest, info, state));
  manifest.parameters.push_back(info);
  manifest.states.push_back(state);
  manifest.panels.push_back(panels);
  return CAMBIUM_STATUS_OK;
}

cambium_status_t ManifestReader::read(const Json &root) {
  CAMBIUM_TRY(root.expectObject());
  int64_t abi = 0;
  CAMBIUM_TRY(root["abi"].readInteger(abi));
  if (abi != CAMBIUM_ABI_VERSION)
    return fail(CAMBIUM_STATUS_INCOMPATIBLE, "abi: expected %u, but got %lld",
                CAMBIUM_ABI_VERSION, static_cast<long long>(abi));
  unsigned size = 0;
  Json parameters = root["params"];
  CAMBIUM_TRY(parameters.readArray(size));
  for (Json item = parameters.first(); item.exists(); item = item.next())
    CAMBIUM_TRY(readParameter(item));
  Json kept = root["kept"];
  if (kept.isPresent()) {
    CAMBIUM_TRY(kept["bytes"].readInteger(manifest.kept.bytes));
    CAMBIUM_TRY(kept["marks"].readInteger(manifest.kept.marks));
    if (manifest.kept.marks < 0 || manifest.kept.marks > manifest.kept.bytes)
      return kept.expected("marks within the bytes");
  }
  Json entries = root["entries"];
  if (!entries.isPresent())
    return entries.expected("an array");
  CAMBIUM_TRY(entries.readArray(size));
  for (Json item = entries.first(); item.exists(); item = item.next())
    CAMBIUM_TRY(readEntry(item));
  return checkSteps(entries);
}

cambium_status_t cambium::runtime::parseManifest(const char *text,
                                                 Manifest &manifest) {
  JsonDocument document;
  std::string reason;
  document.parse(text, std::strlen(text), reason);
  if (!reason.empty())
    return fail(CAMBIUM_STATUS_MALFORMED, "%s", reason.c_str());
  return ManifestReader(manifest).read(Json(document, ""));
}
