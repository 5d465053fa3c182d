//===-- runtime/train/Digests.cpp - What a training was made of -----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Digests.h"

using namespace cambium;
using namespace cambium::train;

Status Digests::add(const std::string &what, const std::string &path) {
  if (path.empty())
    return Status();
  std::string digest;
  Status status = data::digestPath(path, digest);
  if (status.ok())
    add(what, path, digest);
  return status;
}

void Digests::add(const std::string &what, const std::string &path,
                  const std::string &digest) {
  entries.push_back({what, path, digest});
}

Status Digests::compare(const Json &saved, const std::string &source) const {
  std::string changes;
  for (const Entry &entry : entries) {
    const std::string before = saved[entry.what].text();
    if (before != entry.digest)
      changes += "\n  " + entry.what + " (" + entry.path + "): digest " +
                 (before.empty() ? "(none)" : before) + " there, " +
                 entry.digest + " now";
  }
  return changes.empty()
             ? Status()
             : Status::error("expected what the training in " + source +
                             " was made of, but this has changed:" + changes);
}

Json Digests::toJson() const {
  Json object = Json::object();
  for (const Entry &entry : entries)
    object.set(entry.what.c_str(), entry.digest);
  return object;
}
