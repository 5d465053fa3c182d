//===-- runtime/train/TensorBoard.h - Event files ---------------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The epochs of a training as TensorBoard reads them: a TFRecord file of Event
/// messages. Both formats are small enough to be written here; a library of
/// protocol buffers would be larger than this tool.
///
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TRAIN_TENSORBOARD_H
#define CAMBIUM_TRAIN_TENSORBOARD_H

#include "Json.h"

namespace cambium::train {

/// The name of the event file in a run folder.
inline constexpr char kEventFile[] = "events.out.tfevents.0.cambium";

/// An event file that says what log.jsonl says (docs/RunFolder.md).
class EventFile {
public:
  explicit EventFile(std::string path) : path(std::move(path)) {}

  /// Writes the file anew: the epochs since the last restart among `events`.
  Status rewrite(const std::vector<Json> &events) const;
  /// Appends an epoch.
  Status append(const Json &event) const;

private:
  std::string path;
};

/// The checksum of the records: CRC-32C, rotated and shifted so that sums of
/// data that holds sums do not degenerate.
uint32_t maskedCrc32c(std::string_view data);

} // namespace cambium::train

#endif // CAMBIUM_TRAIN_TENSORBOARD_H
