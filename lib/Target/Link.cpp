//===-- lib/Target/Link.cpp - Shared objects and archives ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Target/Object.h"
#include "cambium/abi.h"
#include "cambium/trailer.h"
#include "lld/Common/Driver.h"
#include "llvm/Object/ArchiveWriter.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"
#include <cstring>

LLD_HAS_DRIVER(elf)

using namespace llvm;

static std::string notWritten(StringRef path, const std::string &reason) {
  return ("cannot write '" + path + "': " + reason).str();
}

std::string cambium::cannotWrite(StringRef path) {
  StringRef folder = sys::path::parent_path(path);
  folder = folder.empty() ? "." : folder;
  sys::fs::file_status status;
  if (path.empty() || path == "-")
    return "";
  std::error_code error;
  if (!sys::fs::status(path, status) && sys::fs::is_directory(status))
    error = std::make_error_code(std::errc::is_a_directory);
  // What is no file is written to as it is.
  else if (!sys::fs::exists(status) || sys::fs::is_regular_file(status))
    error = sys::fs::access(folder, sys::fs::AccessMode::Write);
  if (!error && !sys::fs::is_directory(folder))
    error = std::make_error_code(std::errc::not_a_directory);
  return error ? notWritten(path, error.message()) : "";
}

/// A name for a file next to `path`, on the same file system.
static std::error_code createTemporary(StringRef path, int &file,
                                       SmallString<128> &name) {
  return sys::fs::createUniqueFile(path + ".%%%%%%.tmp", file, name,
                                   sys::fs::OF_None,
                                   sys::fs::all_read | sys::fs::all_write);
}

/// Puts a finished file where it belongs, all at once. What is no file there (a
/// pipe, /dev/null) is written to: it must not be replaced.
static std::error_code putInPlace(StringRef file, StringRef path) {
  sys::fs::file_status status;
  std::error_code error;
  if (sys::fs::status(path, status) || !sys::fs::is_other(status))
    error = sys::fs::rename(file, path);
  else if (!(error = sys::fs::copy_file(file, path)))
    return sys::fs::remove(file);
  if (error)
    sys::fs::remove(file);
  return error;
}

/// Closes a stream, which must have no error when it is destroyed. The reason
/// if not all was written.
static std::string finish(raw_fd_ostream &stream) {
  stream.close();
  if (!stream.has_error())
    return "";
  std::string reason = stream.error().message();
  stream.clear_error();
  return reason;
}

/// Writes to the standard output, to the end: an error that is left there would
/// end the process by LLVM's fatal error.
static std::string writeOutput(StringRef bytes) {
  raw_fd_ostream &stream = outs();
  stream << bytes;
  stream.flush();
  if (!stream.has_error())
    return "";
  std::string reason = stream.error().message();
  stream.clear_error();
  return "cannot write the standard output: " + reason;
}

std::string cambium::writeFile(StringRef bytes, StringRef path) {
  if (path == "-")
    return writeOutput(bytes);
  int file = -1;
  SmallString<128> name;
  if (std::error_code error = createTemporary(path, file, name))
    return notWritten(path, error.message());
  raw_fd_ostream stream(file, /*shouldClose=*/true);
  stream << bytes;
  if (std::string reason = finish(stream); !reason.empty()) {
    sys::fs::remove(name);
    return notWritten(path, reason);
  }
  if (std::error_code error = putInPlace(name, path))
    return notWritten(path, error.message());
  return "";
}

/// Runs lld on object files; its messages are the error text.
static std::string runLinker(ArrayRef<std::string> inputs, const char *output,
                             const char *soname) {
  std::string messages;
  raw_string_ostream stream(messages);
  SmallVector<const char *> arguments = {"ld.lld",
                                         "-shared",
                                         "--gc-sections",
                                         "-z",
                                         "now",
                                         "-z",
                                         "relro",
                                         "--build-id=none",
                                         "--strip-all",
                                         "--hash-style=both",
                                         "-soname",
                                         soname,
                                         "-o",
                                         output};
  for (const std::string &input : inputs)
    arguments.push_back(input.c_str());
  lld::Result result =
      lld::lldMain(arguments, stream, stream, {{lld::Gnu, &lld::elf::link}});
  return result.retCode == 0 ? "" : "cannot link: " + messages;
}

/// Puts a checksum behind a shared object, which the runtime verifies before it
/// hands the file to the dynamic loader.
static std::string appendTrailer(StringRef path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> linked = MemoryBuffer::getFile(
      path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!linked)
    return notWritten(path, linked.getError().message());
  StringRef bytes = (*linked)->getBuffer();
  cambium_trailer_t trailer;
  std::memcpy(trailer.magic, CAMBIUM_TRAILER_MAGIC, sizeof(trailer.magic));
  trailer.size = bytes.size();
  trailer.checksum = xxHash64(bytes);
  linked->reset();
  std::error_code error;
  raw_fd_ostream stream(path, error, sys::fs::OF_Append);
  if (error)
    return notWritten(path, error.message());
  stream.write(reinterpret_cast<const char *>(&trailer), sizeof(trailer));
  std::string reason = finish(stream);
  return reason.empty() ? "" : notWritten(path, reason);
}

/// A folder next to `path`, on the same file system.
static std::error_code createTemporaryFolder(StringRef path,
                                             SmallString<128> &name) {
  std::error_code error;
  do {
    sys::fs::createUniquePath(path + ".%%%%%%.tmp", name,
                              /*MakeAbsolute=*/false);
    error = sys::fs::create_directory(name, /*IgnoreExisting=*/false);
  } while (error == std::errc::file_exists);
  return error;
}

/// Writes and links in a folder, and puts the result where it belongs.
static std::string linkIn(StringRef folder,
                          ArrayRef<cambium::ObjectBytes> objects,
                          StringRef path) {
  std::vector<std::string> inputs;
  for (const cambium::ObjectBytes &object : objects) {
    inputs.push_back((folder + "/" + Twine(inputs.size()) + ".o").str());
    std::string error = cambium::writeFile(
        StringRef(object.data(), object.size()), inputs.back());
    if (!error.empty())
      return error;
  }
  std::string output = (folder + "/linked.so").str();
  std::string soname = sys::path::filename(path).str();
  std::string error = runLinker(inputs, output.c_str(), soname.c_str());
  if (error.empty())
    error = appendTrailer(output);
  if (error.empty())
    if (std::error_code code = putInPlace(output, path))
      error = notWritten(path, code.message());
  return error;
}

std::string cambium::linkSharedObject(ArrayRef<ObjectBytes> objects,
                                      StringRef path) {
  // All files lie beside the output: what lld cannot write is found out here,
  // and the output appears at once. What lld leaves of its own files, where the
  // system refuses something, goes with the folder.
  SmallString<128> folder;
  if (std::error_code error = createTemporaryFolder(path, folder))
    return notWritten(path, error.message());
  std::string error = linkIn(folder, objects, path);
  sys::fs::remove_directories(folder);
  return error;
}

std::string cambium::writeArchive(StringRef object, StringRef path,
                                  StringRef memberName) {
  std::string name = memberName.str();
  std::vector<NewArchiveMember> members;
  members.emplace_back(MemoryBufferRef(object, name));
  Expected<std::unique_ptr<MemoryBuffer>> archive = writeArchiveToBuffer(
      members, SymtabWritingMode::NormalSymtab, object::Archive::K_GNU,
      /*Deterministic=*/true, /*Thin=*/false);
  if (!archive)
    return notWritten(path, toString(archive.takeError()));
  return writeFile((*archive)->getBuffer(), path);
}

std::string cambium::writeHeader(StringRef path, StringRef prefix) {
  std::string text;
  raw_string_ostream stream(text);
  std::string guard = (prefix + "_CAMBIUM_MODULE_H").str();
  for (char &letter : guard)
    letter = toUpper(letter);
  stream << "/* The model '" << prefix
         << "', compiled by Cambium. Load it with\n"
         << " *   cambium_module_from_query(" << prefix
         << "_" CAMBIUM_ABI_QUERY_SYMBOL << ", &module);\n */\n"
         << "#ifndef " << guard << "\n#define " << guard << "\n\n"
         << "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
         << "struct cambium_abi_module;\n"
         << "const struct cambium_abi_module *" << prefix
         << "_" CAMBIUM_ABI_QUERY_SYMBOL << "(void);\n\n"
         << "#ifdef __cplusplus\n}\n#endif\n\n#endif /* " << guard << " */\n";
  return writeFile(text, path);
}
