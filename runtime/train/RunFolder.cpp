//===-- runtime/train/RunFolder.cpp - The folder of a training ------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunFolder.h"
#include "TensorBoard.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

using namespace cambium;
using namespace cambium::train;
namespace fs = std::filesystem;

bool RunFolder::has(const std::string &file) const {
  std::error_code error;
  return fs::exists(file, error);
}

/// The files of a run folder. The checkpoints first: without one there is
/// nothing to resume.
static constexpr const char *kFiles[] = {
    "last.safetensors", "best.safetensors", "config.json",     "log.jsonl",
    "module.so",        "model.mlir",       "vocabulary.txt",  "labels.tsv",
    "predictions.tsv",  "tree.json",        "trees.jsonl",     "summary.json",
    kEventFile,         "tokenizer.json",   "tokenizer.model", "report.html"};

void RunFolder::removeLeftovers() const {
  std::error_code error;
  std::vector<fs::path> found;
  for (fs::directory_iterator file(folder, error), end; !error && file != end;
       file.increment(error))
    for (const char *name : kFiles)
      if (file->path().filename().string().rfind(std::string(name) + ".tmp",
                                                 0) == 0)
        found.push_back(file->path());
  for (const fs::path &file : found)
    fs::remove(file, error);
}

Status RunFolder::create() const {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    return Status::error(folder +
                         ": cannot create the run folder: " + error.message());
  removeLeftovers();
  for (const char *name : kFiles) {
    fs::remove(path(name), error);
    if (error)
      return Status::error(path(name) + ": cannot remove: " + error.message());
  }
  return Status();
}

Status RunFolder::writeConfig(const Options &options, const Json &facts) const {
  Json data = Json::object();
  data.set("train", options.train);
  data.set("dev", options.dev);
  if (!options.tests.empty())
    data.set("test", options.tests);
  Json config = Json::object();
  config.set("command", options.command);
  config.set("model", options.model.module);
  config.set("format", options.data.format);
  config.set("data", data);
  config.set("metric", options.metric);
  config.set("seed", options.seed);
  config.set("threads", options.model.threads);
  for (const auto &[key, value] : facts.members())
    config.set(key.c_str(), value);
  config.set("options", optionsToJson(options));
  return data::writeFileAtomically(path("config.json"), config.pretty());
}

Status RunFolder::readConfig(Json &config) const {
  std::string text;
  const std::string file = path("config.json");
  if (Status status = data::readFile(file, text); !status.ok())
    return Status::error(status.message() +
                         " (expected the folder of a training)");
  if (Status status = Json::parseObject(text, file, config); !status.ok())
    return status;
  if (!config["options"].isObject())
    return Status::error(file + ": expected an object 'options', but there is "
                                "none");
  return Status();
}

Status RunFolder::applyConfig(const Json &config, Options &options) const {
  options.model.module = config["model"].text(options.model.module);
  return optionsFromJson(config["options"], path("config.json"), options);
}

Status RunFolder::log(const Json &event) const {
  const std::string file = path("log.jsonl");
  FILE *out = fopen(file.c_str(), "ae");
  if (!out)
    return Status::error(file + ": cannot open: " + strerror(errno));
  const std::string line = event.compact() + "\n";
  bool failed = fwrite(line.data(), 1, line.size(), out) != line.size();
  failed |= fclose(out) != 0;
  return failed ? Status::error(file + ": cannot write: " + strerror(errno))
                : Status();
}

Status RunFolder::readLog(std::vector<Json> &events) const {
  const std::string file = path("log.jsonl");
  std::string text;
  if (!has(file))
    return Status();
  if (Status status = data::readFile(file, text); !status.ok())
    return status;
  size_t first = 0, number = 1;
  for (size_t end; (end = text.find('\n', first)) != std::string::npos;
       first = end + 1, ++number) {
    Json event;
    if (Status status =
            Json::parseObject(text.substr(first, end - first),
                              file + ":" + std::to_string(number), event);
        !status.ok())
      return status;
    events.push_back(std::move(event));
  }
  return Status();
}

int64_t RunFolder::logSize() const {
  std::error_code error;
  auto size = fs::file_size(path("log.jsonl"), error);
  return error ? 0 : static_cast<int64_t>(size);
}

Status RunFolder::cutLog(int64_t size) const {
  const std::string file = path("log.jsonl");
  if (logSize() > size && truncate(file.c_str(), size) != 0)
    return Status::error(file + ": cannot shorten: " + strerror(errno));
  return Status();
}

Status train::copyFile(const std::string &from, const std::string &to) {
  std::string contents;
  if (Status status = data::readFile(from, contents); !status.ok())
    return status;
  return data::writeFileAtomically(to, contents);
}
