//===-- lib/Target/Assemble.cpp - Machine code of GPUs --------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Target/Assemble.h"
#include "cambium/Target/Object.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

using namespace llvm;

std::string cambium::findAssembler(StringRef name, std::string &program) {
  ErrorOr<std::string> found =
      sys::findProgramByName(name.empty() ? "ptxas" : name);
  if (!found && name.empty()) {
    SmallString<64> own(sys::Process::GetEnv("CUDA_HOME").value_or(""));
    if (!own.empty())
      sys::path::append(own, "bin");
    found = sys::findProgramByName("ptxas", {own.str(), "/usr/local/cuda/bin"});
  }
  // A path is taken as it stands.
  if (found && !sys::fs::can_execute(*found))
    found = std::make_error_code(std::errc::no_such_file_or_directory);
  if (found) {
    program = *found;
    return "";
  }
  if (!name.empty())
    return ("expected --ptxas as a program, but got '" + name +
            "': " + found.getError().message())
        .str();
  return "expected ptxas in PATH, $CUDA_HOME/bin or /usr/local/cuda/bin, but "
         "there is none; --ptxas=<program> names another";
}

namespace {
/// A file of the system's folder for such, which goes with it.
class TemporaryFile {
public:
  explicit TemporaryFile(StringRef suffix) {
    error = sys::fs::createTemporaryFile("cambium", suffix, path);
  }
  ~TemporaryFile() {
    if (!error)
      sys::fs::remove(path);
  }
  TemporaryFile(const TemporaryFile &) = delete;
  TemporaryFile &operator=(const TemporaryFile &) = delete;

  StringRef name() const { return path; }
  std::string fault() const {
    return error ? "cannot make a temporary file: " + error.message() : "";
  }
  /// What the file holds now; nothing where it cannot be read.
  std::string contents() const {
    ErrorOr<std::unique_ptr<MemoryBuffer>> buffer =
        MemoryBuffer::getFile(path, /*IsText=*/false,
                              /*RequiresNullTerminator=*/false);
    return buffer ? (*buffer)->getBuffer().str() : std::string();
  }

private:
  SmallString<128> path;
  std::error_code error;
};
} // namespace

std::string cambium::assemblePtx(StringRef program, StringRef arch,
                                 StringRef text, std::string &cubin) {
  TemporaryFile source("ptx"), result("cubin"), said("log");
  for (const TemporaryFile *file : {&source, &result, &said})
    if (std::string fault = file->fault(); !fault.empty())
      return fault;
  if (std::string fault = writeFile(text, source.name()); !fault.empty())
    return fault;
  std::string option = ("-arch=" + arch).str(), reason;
  int status = sys::ExecuteAndWait(
      program, {program, option, source.name(), "-o", result.name()},
      /*Env=*/std::nullopt, {StringRef(""), said.name(), said.name()},
      /*SecondsToWait=*/0, /*MemoryLimit=*/0, &reason);
  if (status != 0) {
    std::string words = StringRef(said.contents()).trim().str();
    return ("'" + program + "' makes no code for " + arch + ": " +
            (words.empty()
                 ? reason.empty() ? "status " + std::to_string(status) : reason
                 : words))
        .str();
  }
  cubin = result.contents();
  if (!StringRef(cubin).starts_with("\x7F"
                                    "ELF"))
    return ("expected '" + program + "' to make an ELF file for " + arch +
            ", but got " + std::to_string(cubin.size()) + " other bytes")
        .str();
  return "";
}
