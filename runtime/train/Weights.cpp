//===-- runtime/train/Weights.cpp - Parameters from files -----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Weights.h"
#include "Format.h"
#include "Safetensors.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <set>

using namespace cambium;
using namespace cambium::train;
using runtime::Differences;
using runtime::FileTensor;
using runtime::TensorReader;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// IEEE 754 binary16; exact.
static float fromHalf(uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const float magnitude =
      exponent == 31 ? (fraction ? NAN : INFINITY)
      : exponent == 0
          ? std::ldexp(static_cast<float>(fraction), -24)
          : std::ldexp(static_cast<float>(1024 + fraction), exponent - 25);
  return bits & 0x8000 ? -magnitude : magnitude;
}

static double numberAt(const std::string &type, const char *bytes,
                       int64_t index) {
  auto load = [&](auto value) {
    memcpy(&value, bytes + index * static_cast<int64_t>(sizeof value),
           sizeof value);
    return value;
  };
  if (type == "F32")
    return load(float());
  if (type == "F64")
    return load(double());
  if (type == "F16")
    return fromHalf(load(uint16_t()));
  return std::bit_cast<float>(uint32_t(load(uint16_t())) << 16); // BF16
}

static bool isNumeric(const std::string &type) {
  return type == "F16" || type == "BF16" || type == "F32" || type == "F64";
}

static void setNumber(cambium_type_t type, void *data, int64_t index,
                      double number) {
  if (type == CAMBIUM_TYPE_F64)
    static_cast<double *>(data)[index] = number;
  else
    static_cast<float *>(data)[index] = static_cast<float>(number);
}

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

namespace {

/// Tensors of files and the parameters that they become.
class Import {
public:
  explicit Import(Engine &engine) : engine(engine) {}

  Status open(const std::vector<std::string> &files);
  /// Notes what does not fit.
  void match(const NameMap &map, bool isPartial, bool allowsExtra);
  /// An error if anything does not.
  Status verdict() const;
  Status copy();

  std::vector<std::string> found, kept;
  size_t numDropped = 0;

private:
  struct Source {
    TensorReader *reader;
    std::string name;
    const FileTensor *tensor;
    NameMap::Fate fate;

    bool isTransposed() const { return fate.isTransposed; }
    /// The shape of its rows that are wanted.
    std::vector<int64_t> shape() const;
  };
  /// A parameter, and the slice of it; -1: all of it.
  using Place = std::pair<size_t, int64_t>;

  void take(size_t parameter, const Source &source);
  /// Notes slices that no tensor becomes; false if the parameter has none.
  bool checkSlices(size_t parameter);
  Status copyOne(Place place, const Source &source, char *values);
  void complain(const std::string &text) { differences.add(text); }

  Engine &engine;
  std::vector<std::unique_ptr<TensorReader>> readers;
  std::vector<Source> tensors;
  std::map<Place, Source> sources;
  Differences differences;
  std::string files;
};

} // namespace

static std::string describe(const ParameterSpec &parameter) {
  return runtime::describeTensor(runtime::fileTypeName(parameter.type),
                                 parameter.shape.data(),
                                 parameter.shape.size());
}

static std::string describe(const FileTensor &tensor) {
  return runtime::describeTensor(tensor.type, tensor.shape.data(),
                                 tensor.shape.size());
}

Status Import::open(const std::vector<std::string> &paths) {
  for (const std::string &path : paths) {
    readers.push_back(std::make_unique<TensorReader>());
    TensorReader &reader = *readers.back();
    cambium_status_t status = reader.open(path.c_str(), "file");
    if (!status && reader.metadata.count(runtime::kChecksumKey))
      status = reader.verify();
    if (status)
      return Status::error(cambium_last_error());
    for (const auto &[name, tensor] : reader.tensors)
      if (name.find("#state") == std::string::npos)
        tensors.push_back({&reader, name, &tensor, {}});
    files += (files.empty() ? "" : ", ") + path;
  }
  return Status();
}

std::vector<int64_t> Import::Source::shape() const {
  std::vector<int64_t> shape = tensor->shape;
  if (fate.end >= 0 && !shape.empty())
    shape[0] = fate.end - fate.begin;
  if (fate.isTransposed && shape.size() == 2)
    std::swap(shape[0], shape[1]);
  return shape;
}

void Import::take(size_t index, const Source &source) {
  const ParameterSpec &parameter = engine.parameters[index];
  const int64_t slice = source.fate.slice;
  const std::string as =
      parameter.name + (slice < 0 ? "" : "[" + std::to_string(slice) + "]");
  const std::string name =
      "'" + source.name + "'" + (source.name == as ? "" : " (as '" + as + "')");
  if (!sources.emplace(Place(index, slice), source).second)
    return complain(name + ": expected one tensor, but '" +
                    sources.at({index, slice}).name +
                    "' becomes this parameter too");
  if (parameter.type != CAMBIUM_TYPE_F32 && parameter.type != CAMBIUM_TYPE_F64)
    return complain(name +
                    ": expected a parameter of floating-point numbers, "
                    "but it is " +
                    describe(parameter));
  const std::vector<int64_t> &file = source.tensor->shape;
  if (source.fate.end > (file.empty() ? 0 : file[0]))
    return complain(name + ": expected rows up to " +
                    std::to_string(source.fate.end) + ", but got " +
                    describe(*source.tensor));
  std::vector<int64_t> wanted = parameter.shape;
  if (slice >= 0) {
    if (wanted.empty() || slice >= wanted[0])
      return complain(name + ": expected a slice of " + describe(parameter));
    wanted.erase(wanted.begin());
  }
  const bool fits = source.shape() == wanted &&
                    (!source.isTransposed() || wanted.size() == 2) &&
                    isNumeric(source.tensor->type);
  if (!fits)
    complain(name + ": expected " +
             runtime::describeTensor(runtime::fileTypeName(parameter.type),
                                     wanted.data(), wanted.size()) +
             (source.isTransposed() ? " transposed" : "") + ", but got " +
             describe(*source.tensor));
}

bool Import::checkSlices(size_t index) {
  const ParameterSpec &parameter = engine.parameters[index];
  if (sources.count({index, -1})) {
    auto slice = sources.lower_bound({index, 0});
    if (slice != sources.end() && slice->first.first == index)
      complain("'" + parameter.name +
               "': expected one tensor or slices, but '" + slice->second.name +
               "' becomes a slice of it too");
    return true;
  }
  std::string missing;
  int64_t count = 0, slices = parameter.shape.empty() ? 0 : parameter.shape[0];
  auto at = sources.lower_bound({index, 0});
  for (; at != sources.end() && at->first.first == index; ++at)
    ++count;
  if (count > 0 && count < slices)
    for (int64_t i = 0; i < slices; ++i)
      if (!sources.count({index, i})) {
        complain("'" + parameter.name + "[" + std::to_string(i) +
                 "]' is missing, beside " + std::to_string(count) +
                 " slices that are there");
        break;
      }
  return count > 0;
}

void Import::match(const NameMap &map, bool isPartial, bool allowsExtra) {
  for (const Source &tensor : tensors)
    for (const NameMap::Fate &fate : map.fatesOf(tensor.name)) {
      Source source = tensor;
      source.fate = fate;
      const auto &all = engine.parameters;
      auto named =
          std::find_if(all.begin(), all.end(), [&](const ParameterSpec &each) {
            return each.name == fate.name;
          });
      numDropped += fate.isDropped;
      if (fate.isKnown && !fate.isDropped && named != all.end())
        take(named - all.begin(), source);
      else if (!fate.isDropped && !allowsExtra)
        differences.add("'" + source.name + "' " + describe(*source.tensor) +
                            (fate.isKnown && fate.name != source.name
                                 ? " becomes '" + fate.name +
                                       "', which is no parameter of the model"
                                 : " is in the file, but not in the model"),
                        Differences::Extra);
    }
  for (size_t i = 0; i < engine.parameters.size(); ++i) {
    const ParameterSpec &parameter = engine.parameters[i];
    const bool isFound = checkSlices(i);
    (isFound ? found : kept).push_back(parameter.name);
    if (!isFound && !isPartial)
      complain("'" + parameter.name + "' is missing, expected " +
               describe(parameter));
  }
  if (found.empty())
    complain("none of the parameters of the model is in the file");
}

Status Import::verdict() const {
  const size_t count = differences.size();
  if (!count)
    return Status();
  return Status::error(
      files + ": expected the parameters of the model, but got " +
      std::to_string(count) + (count == 1 ? " difference:" : " differences:") +
      differences.text());
}

//===----------------------------------------------------------------------===//
// Copying
//===----------------------------------------------------------------------===//

/// Reads a tensor, as numbers of the parameter; the place of the first one that
/// is infinite or not a number is noted.
Status Import::copyOne(Place place, const Source &source, char *values) {
  const ParameterSpec &parameter = engine.parameters[place.first];
  const FileTensor &tensor = *source.tensor;
  std::vector<char> bytes(tensor.end - tensor.begin);
  if (source.reader->read(tensor, bytes.data()))
    return Status::error(cambium_last_error());
  int64_t elements = parameter.numElements, first = 0, skipped = 0;
  if (place.second >= 0) {
    elements /= parameter.shape[0];
    first = place.second * elements;
  }
  if (source.fate.end >= 0)
    skipped =
        source.fate.begin * (elements / (source.fate.end - source.fate.begin));
  const int64_t columns = source.isTransposed() ? tensor.shape[1] : elements;
  const int64_t rows = columns ? elements / columns : 0;
  bool isFinite = true;
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column) {
      const int64_t at = row * columns + column, from = skipped + at;
      const double number = numberAt(tensor.type, bytes.data(), from);
      if (isFinite && !std::isfinite(number)) {
        isFinite = false;
        complain("'" + source.name +
                 "': expected finite numbers, but element " +
                 std::to_string(from) + " is infinite or not a number");
      }
      setNumber(parameter.type, values,
                first + (source.isTransposed() ? column * rows + row : at),
                number);
    }
  return Status();
}

Status Import::copy() {
  // Nothing changes before all of it is known to be good.
  std::map<size_t, std::vector<char>> all;
  for (const auto &[place, source] : sources) {
    const ParameterSpec &parameter = engine.parameters[place.first];
    std::vector<char> &values = all[place.first];
    values.resize(parameter.numElements * cambium_type_size(parameter.type));
    if (Status status = copyOne(place, source, values.data()); !status.ok())
      return status;
  }
  if (Status status = verdict(); !status.ok())
    return status;
  for (const auto &[index, values] : all)
    if (Status status = engine.setValue(index, values.data()); !status.ok())
      return status;
  return Status();
}

static std::string listOf(const std::vector<std::string> &names) {
  constexpr size_t kMost = 8;
  std::string list;
  for (size_t i = 0; i < names.size() && i < kMost; ++i)
    list += (i ? ", " : "") + names[i];
  return names.size() > kMost
             ? list + " and " + std::to_string(names.size() - kMost) + " more"
             : list;
}

Status train::importWeights(const std::vector<std::string> &files,
                            const NameMap &map, bool isPartial, Engine &engine,
                            std::string &summary) {
  Import import(engine);
  if (Status status = import.open(files); !status.ok())
    return status;
  import.match(map, isPartial, /*allowsExtra=*/false);
  Status status = import.verdict();
  if (status.ok())
    status = import.copy();
  summary = formatCount(static_cast<int64_t>(import.found.size())) +
            " parameters from the file";
  if (import.numDropped)
    summary += "; " + std::to_string(import.numDropped) + " tensors not needed";
  if (!import.kept.empty())
    summary += "; drawn: " + listOf(import.kept);
  return status;
}

Status train::loadInitial(const std::string &path, Engine &engine,
                          std::string &summary) {
  Import import(engine);
  if (Status status = import.open({path}); !status.ok())
    return status;
  import.match(NameMap(), /*isPartial=*/true, /*allowsExtra=*/true);
  Status status = import.verdict();
  if (status.ok())
    status = import.copy();
  summary = path + ": " + std::to_string(import.found.size()) + " of " +
            std::to_string(engine.parameters.size()) + " parameters";
  if (!import.kept.empty())
    summary += "; drawn: " + listOf(import.kept);
  summary += "\n";
  return status;
}
