//===-- lib/Support/PlainText.cpp - Texts without control codes -----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/PlainText.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace cambium;

/// The length of the character that begins there; 0 if it is to be escaped.
static size_t plainLength(StringRef text, size_t at) {
  const auto *begin = text.bytes_begin() + at;
  if (*begin < 0x80)
    return (*begin >= 0x20 && *begin != 0x7F) || *begin == '\n' ||
           *begin == '\t';
  size_t length = llvm::getNumBytesForUTF8(*begin);
  bool isC1 = *begin == 0xC2 && at + 1 < text.size() && begin[1] < 0xA0;
  return at + length <= text.size() && !isC1 &&
                 llvm::isLegalUTF8Sequence(begin, begin + length)
             ? length
             : 0;
}

size_t cambium::findControl(StringRef text, size_t from) {
  while (from < text.size()) {
    // A carriage return belongs to the end of a line.
    size_t length =
        text.substr(from).starts_with("\r\n") ? 2 : plainLength(text, from);
    if (length == 0)
      return from;
    from += length;
  }
  return StringRef::npos;
}

std::string cambium::escapeControls(StringRef text) {
  std::string result;
  for (size_t at = 0; at < text.size();) {
    size_t length = plainLength(text, at);
    if (length > 0) {
      result += text.substr(at, length);
      at += length;
      continue;
    }
    result += "\\x" + llvm::toHex(text.substr(at, 1));
    ++at;
  }
  return result;
}

std::string cambium::firstLines(StringRef text, size_t most) {
  size_t end = 0;
  for (size_t line = 0; line < most; ++line) {
    end = text.find('\n', end);
    if (end == StringRef::npos)
      return text.str();
    ++end;
  }
  size_t left = text.drop_front(end).rtrim('\n').count('\n') + 1;
  if (text.drop_front(end).empty())
    return text.str();
  return (text.take_front(end) + "... (" + Twine(left) + " more lines)").str();
}

//===----------------------------------------------------------------------===//
// PlainDiagnostics
//===----------------------------------------------------------------------===//

PlainDiagnostics::PlainDiagnostics(MLIRContext *context)
    : handler(context,
              [this](Diagnostic &diagnostic) { return take(diagnostic); }) {}

/// The handler that shows errors prints a line of the file that a location
/// names, whatever it is, and would wait for a pipe.
bool PlainDiagnostics::isPlain(StringRef file) {
  auto [known, isNew] = isPlainFile.try_emplace(file, true);
  if (!isNew)
    return known->second;
  llvm::sys::fs::file_status status;
  bool &result = known->second;
  result = findControl(file) == StringRef::npos;
  if (!result || llvm::sys::fs::status(file, status) ||
      llvm::sys::fs::is_directory(status))
    return result;
  auto text = llvm::sys::fs::is_regular_file(status)
                  ? llvm::MemoryBuffer::getFile(file)
                  : std::make_error_code(std::errc::invalid_argument);
  return result = text && findControl((*text)->getBuffer()) == StringRef::npos;
}

/// The place; where it must not be shown, its name.
Location PlainDiagnostics::plainPlace(Location place) {
  FileLineColLoc strange;
  place->walk([&](Location each) {
    auto file = dyn_cast<FileLineColLoc>(each);
    if (!file || isPlain(file.getFilename().getValue()))
      return WalkResult::advance();
    strange = file;
    return WalkResult::interrupt();
  });
  if (!strange)
    return place;
  // Printed names have escapes.
  std::string name = strange.getFilename().str() + ":" +
                     std::to_string(strange.getLine()) + ":" +
                     std::to_string(strange.getColumn());
  return NameLoc::get(StringAttr::get(place.getContext(), name));
}

/// Of an op that a note prints with its regions: what does not fit a screen
/// would hide the message.
static constexpr size_t kMostLines = 16;

void PlainDiagnostics::escapeMessage(Diagnostic &diagnostic) {
  using Kind = DiagnosticArgument::DiagnosticArgumentKind;
  for (DiagnosticArgument &argument : diagnostic.getArguments()) {
    // Attributes and types escape their names.
    if (argument.getKind() != Kind::String)
      continue;
    StringRef given = argument.getAsString();
    std::string shown = firstLines(given, kMostLines);
    if (findControl(shown) != StringRef::npos)
      shown = escapeControls(shown);
    if (shown == given)
      continue;
    texts.push_back(std::make_unique<std::string>(std::move(shown)));
    argument = DiagnosticArgument(StringRef(*texts.back()));
  }
}

LogicalResult PlainDiagnostics::take(Diagnostic &diagnostic) {
  texts.clear();
  escapeMessage(diagnostic);
  Location place = plainPlace(diagnostic.getLocation());
  bool isShown = place == diagnostic.getLocation();
  for (Diagnostic &note : diagnostic.getNotes()) {
    escapeMessage(note);
    isShown &= plainPlace(note.getLocation()) == note.getLocation();
  }
  if (isShown)
    return failure(); // The next handler shows it.
  Diagnostic other(place, diagnostic.getSeverity());
  other << diagnostic.str();
  for (Diagnostic &note : diagnostic.getNotes())
    other.attachNote(plainPlace(note.getLocation())) << note.str();
  place.getContext()->getDiagEngine().emit(std::move(other));
  return success();
}
