//===-- runtime/core/TensorWriter.cpp - Writing files of tensors ----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Checksum.h"
#include "Safetensors.h"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace cambium::runtime;

namespace {

/// A file under a temporary name, removed again unless it is published.
class TemporaryFile {
public:
  explicit TemporaryFile(std::string target) : target(std::move(target)) {}
  TemporaryFile(const TemporaryFile &) = delete;
  TemporaryFile &operator=(const TemporaryFile &) = delete;
  ~TemporaryFile() {
    if (file >= 0)
      close(file);
    if (isThere)
      unlink(path.c_str());
  }

  cambium_status_t create();
  cambium_status_t write(const void *data, int64_t size);
  cambium_status_t writeAt(int64_t offset, const void *data, int64_t size);
  /// Flushes the file to the disk and gives it its name.
  cambium_status_t publish();

private:
  cambium_status_t failed(const char *step) const {
    int error = errno;
    return fail(CAMBIUM_STATUS_IO_ERROR,
                "cannot write '%s': cannot %s '%s': %s", target.c_str(), step,
                path.c_str(), std::strerror(error));
  }
  void flushFolder() const;

  std::string target, path, folder;
  int file = -1;
  bool isThere = false;
};

cambium_status_t TemporaryFile::create() {
  // Now, since nothing may fail once the file has its name.
  size_t slash = target.rfind('/');
  folder = slash == std::string::npos ? "."
           : slash == 0               ? "/"
                                      : target.substr(0, slash);
  // A pipe or a device, which a new file must not replace.
  struct stat info;
  if (stat(target.c_str(), &info) == 0 && !S_ISREG(info.st_mode) &&
      !S_ISDIR(info.st_mode))
    return fail(CAMBIUM_STATUS_IO_ERROR,
                "cannot write '%s': not a regular file", target.c_str());
  static std::atomic<unsigned> counter{0};
  do {
    path = format("%s.tmp-%ld-%u", target.c_str(), static_cast<long>(getpid()),
                  counter.fetch_add(1));
    file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (file < 0 && errno == EEXIST);
  if (file < 0)
    return failed("create");
  isThere = true;
  return CAMBIUM_STATUS_OK;
}

cambium_status_t TemporaryFile::write(const void *data, int64_t size) {
  const char *bytes = static_cast<const char *>(data);
  while (size > 0) {
    ssize_t done = ::write(file, bytes, static_cast<size_t>(size));
    if (done < 0 && errno == EINTR)
      continue;
    if (done < 0)
      return failed("write");
    bytes += done;
    size -= done;
  }
  return CAMBIUM_STATUS_OK;
}

cambium_status_t TemporaryFile::writeAt(int64_t offset, const void *data,
                                        int64_t size) {
  if (lseek(file, offset, SEEK_SET) != offset)
    return failed("write");
  return write(data, size);
}

void TemporaryFile::flushFolder() const {
  int handle = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  // The data is safe already; some file systems cannot flush a folder.
  if (handle < 0 || fsync(handle) != 0)
    log(CAMBIUM_LOG_WARNING, "cannot flush the folder '%s': %s", folder.c_str(),
        std::strerror(errno));
  if (handle >= 0)
    close(handle);
}

cambium_status_t TemporaryFile::publish() {
  if (fsync(file) != 0)
    return failed("flush");
  int closed = close(file);
  file = -1;
  if (closed != 0)
    return failed("close");
  if (rename(path.c_str(), target.c_str()) != 0)
    return failed("rename");
  isThere = false;
  flushFolder();
  return CAMBIUM_STATUS_OK;
}

using JsonBuffer =
    rapidjson::GenericStringBuffer<rapidjson::UTF8<>, JsonAllocator>;
using JsonWriter = rapidjson::Writer<JsonBuffer, rapidjson::UTF8<>,
                                     rapidjson::UTF8<>, JsonAllocator>;

void writeText(JsonWriter &json, const std::string &text) {
  json.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
}

/// The header with its length in front, padded so that the data is aligned.
std::string
makeHeader(const std::vector<TensorToWrite> &tensors,
           const std::map<std::string, std::string, std::less<>> &metadata) {
  JsonBuffer buffer;
  JsonWriter json(buffer);
  json.StartObject();
  json.Key("__metadata__");
  json.StartObject();
  json.Key(kChecksumKey);
  writeText(json, std::string(kChecksumDigits, '0'));
  for (const auto &item : metadata) {
    writeText(json, item.first);
    writeText(json, item.second);
  }
  json.EndObject();
  int64_t offset = 0;
  for (const TensorToWrite &tensor : tensors) {
    writeText(json, tensor.name);
    json.StartObject();
    json.Key("dtype");
    json.String(fileTypeName(tensor.type));
    json.Key("shape");
    json.StartArray();
    for (int32_t i = 0; i < tensor.rank; ++i)
      json.Int64(tensor.shape[i]);
    json.EndArray();
    json.Key("data_offsets");
    json.StartArray();
    json.Int64(offset);
    json.Int64(offset += tensor.bytes);
    json.EndArray();
    json.EndObject();
  }
  json.EndObject();
  std::string text(buffer.GetString(), buffer.GetSize());
  while ((text.size() + sizeof(uint64_t)) % kAlignment != 0)
    text += ' ';
  uint64_t length = text.size();
  return std::string(reinterpret_cast<const char *>(&length), sizeof(length)) +
         text;
}

} // namespace

cambium_status_t cambium::runtime::writeTensors(
    const char *path, const std::vector<TensorToWrite> &tensors,
    const std::map<std::string, std::string, std::less<>> &metadata) {
  std::string header = makeHeader(tensors, metadata);
  TemporaryFile file(path);
  CAMBIUM_TRY(file.create());
  Checksum checksum;
  checksum.add(header.data(), static_cast<int64_t>(header.size()));
  CAMBIUM_TRY(file.write(header.data(), static_cast<int64_t>(header.size())));
  for (const TensorToWrite &tensor : tensors) {
    checksum.add(tensor.data, tensor.bytes);
    CAMBIUM_TRY(file.write(tensor.data, tensor.bytes));
  }
  std::string digits =
      format("%016llx", static_cast<unsigned long long>(checksum.finish()));
  size_t place = header.find(kChecksumPrefix) + std::strlen(kChecksumPrefix);
  CAMBIUM_TRY(file.writeAt(static_cast<int64_t>(place), digits.data(),
                           kChecksumDigits));
  return file.publish();
}
