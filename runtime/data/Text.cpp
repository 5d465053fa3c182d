//===-- runtime/data/Text.cpp - Lines and places in a text ----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Text.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace cambium::data;

Status Line::expected(size_t offset, std::string_view what,
                      std::string_view got) const {
  int64_t column = 1;
  for (size_t i = 0; i < offset && i < text.size(); ++i)
    column += (static_cast<unsigned char>(text[i]) & 0xC0) != 0x80;
  std::string message = *source + ":" + std::to_string(number) + ":" +
                        std::to_string(column) + ": expected ";
  message.append(what).append(", but got ").append(got);
  return Status::error(std::move(message));
}

LineCutter::LineCutter(std::string_view text, const std::string &source,
                       int64_t firstLine)
    : rest(text), source(&source), number(firstLine - 1) {
  if (rest.substr(0, 3) == "\xEF\xBB\xBF")
    rest.remove_prefix(3);
}

bool LineCutter::next(Line &line) {
  if (rest.empty())
    return false;
  size_t end = rest.find('\n');
  std::string_view text = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  if (!text.empty() && text.back() == '\r')
    text.remove_suffix(1);
  line = {text, source, ++number};
  return true;
}

Status cambium::data::forEachLine(std::string_view text,
                                  const std::string &source, int64_t firstLine,
                                  const LineTaker &take) {
  LineCutter lines(text, source, firstLine);
  for (Line line{}; lines.next(line);)
    if (Status status = take(line); !status.ok())
      return status;
  return Status();
}

Status cambium::data::forEachLine(const std::string &path,
                                  const LineTaker &take) {
  std::string text;
  if (Status status = readTextFile(path, text); !status.ok())
    return status;
  return forEachLine(text, path, 1, take);
}

std::vector<Column> cambium::data::cutColumns(std::string_view text) {
  std::vector<Column> columns;
  size_t begin = 0;
  while (true) {
    size_t end = text.find('\t', begin);
    columns.push_back({text.substr(begin, end - begin), begin});
    if (end == std::string_view::npos)
      return columns;
    begin = end + 1;
  }
}

std::vector<std::string> cambium::data::cutNames(std::string_view text) {
  std::vector<std::string> names;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    names.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

std::vector<Column> cambium::data::cutWords(std::string_view text,
                                            size_t offset) {
  std::vector<Column> words;
  size_t at = 0;
  while ((at = text.find_first_not_of(" \t", at)) != std::string_view::npos) {
    size_t end = std::min(text.find_first_of(" \t", at), text.size());
    words.push_back({text.substr(at, end - at), offset + at});
    at = end;
  }
  return words;
}

std::string
cambium::data::joinWords(const std::vector<std::string_view> &words) {
  std::string text;
  for (std::string_view word : words)
    text.append(text.empty() ? "" : " ").append(word);
  return text;
}

std::string cambium::data::lowerCase(std::string_view text) {
  std::string result(text);
  for (char &c : result)
    if (c >= 'A' && c <= 'Z')
      c += 'a' - 'A';
  return result;
}

bool cambium::data::isBlank(std::string_view text) {
  return text.find_first_not_of(" \t") == std::string_view::npos;
}

std::string cambium::data::quote(std::string_view text) {
  constexpr size_t kLongest = 40;
  std::string result = "'";
  size_t length = text.size();
  if (length > kLongest) {
    length = kLongest;
    // Do not cut a character of several bytes.
    while (length > 0 &&
           (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80)
      --length;
  }
  auto byteAt = [&](size_t i) {
    return static_cast<unsigned char>(i < length ? text[i] : 0);
  };
  size_t escaped = 0; // Bytes behind the first one of U+0080 to U+009F.
  for (size_t i = 0; i < length; ++i) {
    const unsigned char byte = byteAt(i), next = byteAt(i + 1);
    if (byte == 0xC2 && next >= 0x80 && next < 0xA0)
      escaped = i + 2;
    if (i >= escaped && byte >= 0x20 && byte != 0x7F) {
      result += text[i];
      continue;
    }
    char code[8];
    snprintf(code, sizeof code, "\\x%02X", byte);
    result += code;
  }
  return result + (length < text.size() ? "...'" : "'");
}

bool cambium::data::parseInt(std::string_view text, int32_t &result) {
  const char *end = text.data() + text.size();
  auto [stop, error] = std::from_chars(text.data(), end, result);
  return error == std::errc() && stop == end;
}

bool cambium::data::parseFloat(std::string_view text, float &result) {
  const char *end = text.data() + text.size();
  auto [stop, error] = std::from_chars(text.data(), end, result);
  return error == std::errc() && stop == end && std::isfinite(result);
}

size_t cambium::data::fieldIndex(Dataset &dataset, std::string_view name,
                                 FieldKind kind, bool perRow) {
  for (size_t i = 0; i < dataset.fields.size(); ++i)
    if (dataset.fields[i].name == name)
      return i;
  Field field;
  field.name = name;
  field.kind = kind;
  field.perRow = perRow;
  dataset.fields.push_back(std::move(field));
  return dataset.fields.size() - 1;
}

void cambium::data::dropUnfinished(Dataset &dataset) {
  // Which fields there are is known with the first example.
  if (dataset.texts.empty())
    dataset.fields.clear();
  for (Field &field : dataset.fields)
    field.cutBack(dataset.size());
}

static Status systemError(const std::string &path, const char *what) {
  return Status::error(path + ": " + what + ": " + strerror(errno));
}

static Status readAll(int descriptor, const std::string &path,
                      std::string &contents) {
  char buffer[1 << 16];
  while (true) {
    ssize_t count = ::read(descriptor, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return systemError(path, "cannot read");
    if (count == 0)
      return Status();
    contents.append(buffer, static_cast<size_t>(count));
  }
}

/// A pipe or a device, which a new file must not replace.
static bool isNoFile(const std::string &path) {
  struct stat info;
  return ::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode) &&
         !S_ISDIR(info.st_mode);
}

Status cambium::data::expectRegular(const std::string &path) {
  return isNoFile(path)
             ? Status::error(path + ": expected a regular file, but got a pipe "
                                    "or a device")
             : Status();
}

Status cambium::data::readFile(const std::string &path, std::string &contents) {
  Status status = expectRegular(path);
  return status.ok() ? readStream(path, contents) : status;
}

Status cambium::data::readStream(const std::string &path,
                                 std::string &contents) {
  contents.clear();
  if (path == "-")
    return readAll(STDIN_FILENO, "<stdin>", contents);
  int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    return systemError(path, "cannot open");
  Status status = readAll(descriptor, path, contents);
  ::close(descriptor);
  return status;
}

static Status writeAll(int descriptor, const std::string &path,
                       std::string_view contents) {
  while (!contents.empty()) {
    ssize_t count = ::write(descriptor, contents.data(), contents.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return systemError(path, "cannot write");
    contents.remove_prefix(static_cast<size_t>(count));
  }
  // Pipes and devices have no disk.
  if (::fsync(descriptor) != 0 && errno != EINVAL && errno != EROFS)
    return systemError(path, "cannot write to the disk");
  return Status();
}

static Status writeInPlace(const std::string &path, std::string_view contents) {
  int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0)
    return systemError(path, "cannot open");
  Status status = writeAll(descriptor, path, contents);
  if (::close(descriptor) != 0 && status.ok())
    status = systemError(path, "cannot write");
  return status;
}

int cambium::data::openTemporary(const std::string &path,
                                 std::string &temporary) {
  static std::atomic<unsigned> counter{0};
  while (true) {
    temporary = path + ".tmp-" + std::to_string(::getpid()) + "-" +
                std::to_string(counter.fetch_add(1));
    const int descriptor = ::open(
        temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0 || errno != EEXIST)
      return descriptor;
  }
}

Status cambium::data::writeFileAtomically(const std::string &path,
                                          std::string_view contents) {
  if (isNoFile(path))
    return writeInPlace(path, contents);
  std::string temporary;
  const int descriptor = openTemporary(path, temporary);
  if (descriptor < 0)
    return systemError(path, "cannot create");
  Status status = writeAll(descriptor, path, contents);
  if (::close(descriptor) != 0 && status.ok())
    status = systemError(path, "cannot write");
  if (status.ok() && ::rename(temporary.c_str(), path.c_str()) != 0)
    status = systemError(path, "cannot rename the temporary file to it");
  if (!status.ok())
    ::unlink(temporary.c_str());
  return status;
}
