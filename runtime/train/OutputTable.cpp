//===-- OutputTable.cpp - All outputs of a function as columns ------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OutputTable.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

using namespace cambium;
using namespace cambium::train;

static bool isFloat(const TensorSpec &output) {
  return output.type == CAMBIUM_TYPE_F32 || output.type == CAMBIUM_TYPE_F64;
}

/// The type of the column that holds an output.
static std::string typeOf(const TensorSpec &output) {
  const bool isRows = output.space >= 0;
  const std::string width = "=" + std::to_string(output.rowElements);
  if (!isFloat(output))
    return isRows || !output.shape.empty() ? "ids" : "id";
  if (output.shape.empty())
    return isRows ? "numbers" : "number";
  return (isRows ? "vectors" : "vector") + width;
}

Status OutputTable::chooseName(const data::Dataset &dataset,
                               const std::string &name, std::string &column) {
  const std::string &function = setup.evaluator.predict->name;
  auto isTaken = [&](const std::string &other) {
    return dataset.find(other) ||
           std::find(dataset.extraNames.begin(), dataset.extraNames.end(),
                     other) != dataset.extraNames.end();
  };
  column = name;
  if (setup.reader->columnsAtHand().empty() || !isTaken(name))
    return Status();
  column = function + "." + name;
  if (isTaken(column))
    return Status::error("output '" + name + "' of '" + function +
                         "': expected that " + dataset.source +
                         " has no column '" + name + "', or none '" + column +
                         "', but it has both: rename one, or the output "
                         "(cambium.name)");
  notes += "note: output '" + name + "' of '" + function + "' is column '" +
           column + "', since " + dataset.source + " has a column '" + name +
           "'\n";
  return Status();
}

Status OutputTable::writeNames(const data::Dataset &dataset,
                               std::string &text) {
  const EntrySpec &entry = *setup.evaluator.predict;
  std::string names = setup.reader->columnsAtHand();
  for (const TensorSpec &output : entry.outputs) {
    const std::string place =
        "output '" + output.name + "' of '" + entry.name + "'";
    if (output.space == CAMBIUM_SPACE_CALL || output.edgesOf >= 0)
      return Status::error(place +
                           ": expected values of examples or rows for "
                           "--outputs, but got values of " +
                           (output.edgesOf >= 0 ? "edges" : "a call"));
    std::string column;
    if (Status status = chooseName(dataset, output.name, column); !status.ok())
      return status;
    names += (names.empty() ? "" : "\t") + column + ":" + typeOf(output);
  }
  text += names + "\n";
  return Status();
}

/// A number that is read again to the last bit.
static void appendNumber(const TensorSpec &spec, double value,
                         std::string &text) {
  char buffer[64];
  char *end;
  if (spec.type == CAMBIUM_TYPE_F32)
    end =
        std::to_chars(buffer, buffer + sizeof buffer, static_cast<float>(value))
            .ptr;
  else if (spec.type == CAMBIUM_TYPE_F64)
    end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  else
    end = std::to_chars(buffer, buffer + sizeof buffer,
                        static_cast<int64_t>(value))
              .ptr;
  text.append(buffer, end);
}

/// The cell of an output: its rows [begin, end).
static Status appendCell(const TensorSpec &spec, const Output &output,
                         int64_t begin, int64_t end, std::string &text) {
  for (int64_t i = begin * spec.rowElements; i < end * spec.rowElements; ++i) {
    const double value = output.at(i);
    if (!std::isfinite(value))
      return Status::error("output '" + spec.name +
                           "': expected finite numbers, but got " +
                           (std::isnan(value) ? "a NaN" : "an infinity"));
    text += i > begin * spec.rowElements ? " " : "";
    appendNumber(spec, value, text);
  }
  return Status();
}

Status OutputTable::append(const data::Dataset &dataset, std::string &text) {
  const std::vector<TensorSpec> &specs = setup.evaluator.predict->outputs;
  Status status;
  if (!hasNames)
    status = writeNames(dataset, text);
  if (!status.ok())
    return status;
  hasNames = true;
  const bool isTable = !setup.reader->columnsAtHand().empty();
  return setup.evaluator.forEachBatch(
      dataset, [&](const Batch &batch, const std::vector<Output> &outputs,
                   int64_t first) {
        for (int64_t i = 0; i < batch.numExamples(); ++i) {
          if (isTable)
            text += dataset.texts[first + i];
          for (size_t k = 0; k < specs.size(); ++k) {
            const int32_t *offsets = specs[k].space >= 0
                                         ? batch.spaceOffsets(specs[k].space)
                                         : nullptr;
            text += k > 0 || isTable ? "\t" : "";
            Status cell =
                appendCell(specs[k], outputs[k], offsets ? offsets[i] : i,
                           offsets ? offsets[i + 1] : i + 1, text);
            if (!cell.ok())
              return Status::error(dataset.where(first + i) + ": " +
                                   cell.message());
          }
          text += "\n";
        }
        return Status();
      });
}

//===----------------------------------------------------------------------===//
// Files that grow
//===----------------------------------------------------------------------===//

GrowingFile::~GrowingFile() {
  if (!file)
    return;
  fclose(file);
  if (temporary != path)
    ::unlink(temporary.c_str());
}

Status GrowingFile::fail(const char *what) const {
  return Status::error(path + ": " + what + ": " + strerror(errno));
}

Status GrowingFile::append(std::string_view text) {
  if (!file) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    const bool isFile = !std::filesystem::exists(status) ||
                        std::filesystem::is_regular_file(status);
    temporary = path;
    const int descriptor =
        isFile ? data::openTemporary(path, temporary)
               : ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
                        0666);
    if (descriptor >= 0)
      file = fdopen(descriptor, "w");
    if (!file) {
      Status status = fail("cannot create");
      if (descriptor >= 0)
        ::close(descriptor);
      if (descriptor >= 0 && isFile)
        ::unlink(temporary.c_str());
      return status;
    }
  }
  return fwrite(text.data(), 1, text.size(), file) == text.size()
             ? Status()
             : fail("cannot write");
}

Status GrowingFile::close() {
  if (Status status = append(""); !status.ok())
    return status;
  // Pipes and devices have no disk.
  const bool isWritten =
      fflush(file) == 0 &&
      (fsync(fileno(file)) == 0 || errno == EINVAL || errno == EROFS);
  if (!isWritten)
    return fail("cannot write");
  Status status;
  if (fclose(std::exchange(file, nullptr)) != 0)
    status = fail("cannot write");
  else if (temporary != path && rename(temporary.c_str(), path.c_str()) != 0)
    status = fail("cannot rename the temporary file to it");
  if (!status.ok() && temporary != path)
    ::unlink(temporary.c_str());
  return status;
}
