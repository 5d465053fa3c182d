//===-- test/Fuzz/Replay.cpp - Runs a fuzz target over files --------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Stands in for libFuzzer in normal builds: every file of the corpus, and of
/// every file damaged copies (ends cut off, bytes changed) that are the same in
/// every run.
/// usage: PROGRAM DAMAGED-COPIES FOLDER...
///
//===----------------------------------------------------------------------===//
#include "Target.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

static void run(const std::string &bytes) {
  // A copy of its own, so that reading past its end is noticed.
  std::vector<uint8_t> copy(bytes.begin(), bytes.end());
  LLVMFuzzerTestOneInput(copy.data(), copy.size());
}

static std::string damage(std::string bytes, std::mt19937 &random) {
  if (bytes.empty())
    return bytes;
  if (random() % 4 == 0)
    bytes.resize(random() % bytes.size());
  for (unsigned i = 0, n = random() % 4; i < n && !bytes.empty(); ++i) {
    size_t place = random() % bytes.size();
    if (random() % 2)
      bytes[place] = static_cast<char>(random());
    else if (random() % 2)
      bytes.erase(place, 1 + random() % 8);
    else
      bytes.insert(place, bytes.substr(random() % bytes.size(), 12));
  }
  return bytes;
}

int main(int argc, char **argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: %s DAMAGED-COPIES FOLDER...\n", argv[0]);
    return 2;
  }
  const int copies = std::atoi(argv[1]);
  std::vector<std::filesystem::path> files;
  for (int i = 2; i < argc; ++i)
    for (const auto &entry : std::filesystem::directory_iterator(argv[i]))
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  if (files.empty()) {
    std::fprintf(stderr, "error: expected a file in the corpus\n");
    return 1;
  }
  std::mt19937 random(1);
  for (const std::filesystem::path &file : files) {
    std::ifstream stream(file, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    // Shown if it crashes.
    std::fprintf(stderr, "%s\n", file.c_str());
    run(bytes);
    for (int i = 0; i < copies; ++i)
      run(damage(bytes, random));
  }
  std::printf("%zu files, %zu inputs\n", files.size(),
              files.size() * (static_cast<size_t>(copies) + 1));
  return 0;
}
