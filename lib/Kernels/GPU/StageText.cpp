//===-- StageText.cpp - What a stage is, for people -----------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "StageText.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace mlir;

namespace {
/// Names and lines, as locations have them.
class Places {
public:
  void add(Location loc) {
    if (!seen.insert(loc).second)
      return;
    if (auto fused = dyn_cast<FusedLoc>(loc)) {
      for (Location part : fused.getLocations())
        add(part);
      return;
    }
    if (auto name = dyn_cast<NameLoc>(loc)) {
      names.insert(name.getName());
      return add(name.getChildLoc());
    }
    // Where it is written, not where that is used.
    if (auto call = dyn_cast<CallSiteLoc>(loc))
      return add(call.getCallee());
    auto place = dyn_cast<FileLineColLoc>(loc);
    // Functions of the compiler's own have no file.
    if (place && place.getFilename() != "-")
      lines[place.getFilename()].insert(place.getLine());
  }

  std::string text() const {
    SmallVector<std::string> parts;
    for (StringAttr name : names)
      parts.push_back(name.str());
    for (const auto &[file, numbers] : lines)
      parts.push_back(shortened(file) + ":" + rangesOf(numbers));
    return llvm::join(parts, ", ");
  }

private:
  /// The file with its folder: models of one name stand in several.
  static std::string shortened(StringRef path) {
    StringRef name = llvm::sys::path::filename(path);
    StringRef folder =
        llvm::sys::path::filename(llvm::sys::path::parent_path(path));
    return folder.empty() ? name.str() : (folder + "/" + name).str();
  }

  /// "7-9,12".
  static std::string rangesOf(const std::set<unsigned> &numbers) {
    std::string text;
    for (auto it = numbers.begin(); it != numbers.end();) {
      unsigned first = *it, last = first;
      while (++it != numbers.end() && *it == last + 1)
        last = *it;
      text += (text.empty() ? "" : ",") + std::to_string(first);
      if (last != first)
        text += "-" + std::to_string(last);
    }
    return text;
  }

  DenseSet<Location> seen;
  llvm::SetVector<StringAttr> names;
  llvm::MapVector<StringAttr, std::set<unsigned>> lines;
};
} // namespace

std::string cambium::describeStage(ArrayRef<Operation *> ops) {
  Places places;
  for (Operation *op : ops)
    op->walk<WalkOrder::PreOrder>(
        [&](Operation *inner) { places.add(inner->getLoc()); });
  return places.text();
}
