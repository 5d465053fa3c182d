//===-- runtime/train/RunFolder.cpp - The folder of a training ------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunFolder.h"
#include "RunLock.h"
#include "TensorBoard.h"

#include <algorithm>
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
    "last.safetensors", "best.safetensors", "mean.safetensors",
    "config.json",      "log.jsonl",        "module.so",
    "model.mlir",       "vocabulary.txt",   "labels.tsv",
    "predictions.tsv",  "tree.json",        "trees.jsonl",
    "summary.json",     kEventFile,         "tokenizer.json",
    "tokenizer.model",  "report.html",      "columns.tsv",
    "tasks.json",       "rows.json"};

/// What stands between a beginning and an end of a name; empty if not both do.
static std::string between(const std::string &name, std::string_view begin,
                           std::string_view end) {
  const bool isBoth =
      name.size() > begin.size() + end.size() && name.rfind(begin, 0) == 0 &&
      name.compare(name.size() - end.size(), end.size(), end) == 0;
  return isBoth ? name.substr(begin.size(),
                              name.size() - begin.size() - end.size())
                : std::string();
}

/// The number in the name of a file of parameters; -1 if it is another file.
static int64_t numberOf(const std::string &name, std::string_view begin) {
  const std::string number = between(name, begin, ".safetensors");
  const bool isNumber =
      !number.empty() && number.size() < 16 &&
      number.find_first_not_of("0123456789") == std::string::npos;
  return isNumber ? std::stoll(number) : -1;
}

/// The number of an epoch whose parameters a file keeps; 0 if it is another.
static int64_t epochOf(const std::string &name) {
  return std::max<int64_t>(numberOf(name, "epoch-"), 0);
}

/// Whether a file is one of a run: of the list, a vocabulary with a name, an
/// epoch that was kept, or an average.
static bool isOfRun(const std::string &name) {
  if (!between(name, "vocabulary-", ".txt").empty() || epochOf(name) > 0 ||
      numberOf(name, "average-") >= 0)
    return true;
  return std::find(std::begin(kFiles), std::end(kFiles), name) !=
         std::end(kFiles);
}

/// The files of a folder whose names are those of a run with `suffix`.
static std::vector<fs::path> filesOfRun(const std::string &folder,
                                        std::string_view suffix) {
  std::error_code error;
  std::vector<fs::path> found;
  for (fs::directory_iterator file(folder, error), end; !error && file != end;
       file.increment(error)) {
    const std::string name = file->path().filename().string();
    const size_t at = suffix.empty() ? name.size() : name.rfind(suffix);
    // Temporary files have numbers at their ends, or nothing.
    if (at != std::string::npos && isOfRun(name.substr(0, at)) &&
        name.find_first_not_of("-0123456789", at + suffix.size()) ==
            std::string::npos)
      found.push_back(file->path());
  }
  return found;
}

std::vector<std::string>
RunFolder::parts(const std::vector<std::string> &begins) const {
  std::error_code error;
  std::vector<std::string> found;
  for (fs::directory_iterator file(folder, error), end; !error && file != end;
       file.increment(error)) {
    std::error_code noFolder;
    const std::string name = file->path().filename().string();
    for (const std::string &begin : begins)
      if (name.rfind(begin, 0) == 0 && file->is_directory(noFolder))
        found.push_back(name);
  }
  std::sort(found.begin(), found.end());
  return found;
}

void RunFolder::removeLeftovers() const {
  std::error_code error;
  for (const fs::path &file : filesOfRun(folder, ".tmp"))
    fs::remove(file, error);
}

std::vector<int64_t> RunFolder::epochs() const {
  std::vector<int64_t> numbers;
  for (const fs::path &file : filesOfRun(folder, ""))
    if (int64_t number = epochOf(file.filename().string()))
      numbers.push_back(number);
  std::sort(numbers.rbegin(), numbers.rend());
  return numbers;
}

std::vector<std::string> RunFolder::vocabularies() const {
  std::vector<std::string> names;
  for (const fs::path &file : filesOfRun(folder, "")) {
    const std::string name = file.filename().string();
    const std::string own = between(name, "vocabulary-", ".txt");
    if (!own.empty() || name == "vocabulary.txt")
      names.push_back(own);
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string RunFolder::result() const {
  for (const std::string &file : {mean(), best()})
    if (has(file))
      return file;
  return last();
}

Status RunFolder::keepEpochs(const std::vector<int64_t> &numbers) const {
  std::error_code error;
  for (int64_t number : epochs())
    if (!error &&
        std::find(numbers.begin(), numbers.end(), number) == numbers.end())
      fs::remove(epoch(number), error);
  return error ? Status::error(folder +
                               ": cannot remove epochs: " + error.message())
               : Status();
}

Status RunFolder::removeAverages(int64_t updates) const {
  std::error_code error;
  for (const fs::path &file : filesOfRun(folder, ""))
    if (const int64_t number = numberOf(file.filename().string(), "average-");
        number >= 0 && number != updates && !error)
      fs::remove(file, error);
  return error ? Status::error(folder +
                               ": cannot remove averages: " + error.message())
               : Status();
}

bool train::isInFolder(const std::string &file, const std::string &folder) {
  std::error_code error;
  return fs::equivalent(fs::absolute(file, error).parent_path(), folder,
                        error) ||
         fs::equivalent(fs::weakly_canonical(file, error).parent_path(), folder,
                        error);
}

std::vector<std::string> train::inputsOf(const Options &options) {
  std::vector<std::string> inputs = {
      options.model.module, options.train,           options.dev,
      options.init,         options.names,           options.data.tokenizer,
      options.data.parses,  options.data.vocabulary, options.data.labels,
      options.tasks};
  for (const auto *more : {&options.tests, &options.weights})
    inputs.insert(inputs.end(), more->begin(), more->end());
  for (const auto *named :
       {&options.stepData, &options.vectors, &options.data.vocabularies})
    for (const std::string &text : *named)
      inputs.push_back(text.substr(text.find('=') + 1));
  return inputs;
}

bool RunFolder::holds(const std::string &file) const {
  std::error_code error;
  const fs::path target = fs::weakly_canonical(file, error);
  const bool isPart = isOfRun(fs::path(file).filename().string()) ||
                      isOfRun(target.filename().string());
  return !file.empty() && isPart && isInFolder(file, folder);
}

Status RunFolder::refuseInputs(const Options &options) const {
  for (const std::string &file : inputsOf(options))
    if (holds(file))
      return Status::error("expected files outside of " + folder +
                           ", where they are replaced, but got " + file);
  return Status();
}

bool RunFolder::isOfTraining() const {
  return has(path("config.json")) || RunLock::isLock(path("lock"));
}

Status RunFolder::refuseLosses(const Options &options) const {
  if (Status status = refuseInputs(options); !status.ok())
    return status;
  if (isOfTraining())
    return Status();
  for (const char *suffix : {"", ".tmp"})
    for (const fs::path &file : filesOfRun(folder, suffix))
      return Status::error(
          "expected --out with a folder that is new or one of a training, but "
          "got " +
          folder + " with " + file.filename().string() +
          ", which would be removed");
  return Status();
}

Status RunFolder::create() const {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    return Status::error(folder +
                         ": cannot create the run folder: " + error.message());
  return removeFiles();
}

Status RunFolder::removeFiles() const {
  std::error_code error;
  removeLeftovers();
  // In the order of the list; named vocabularies are of no use without it.
  std::vector<fs::path> files = filesOfRun(folder, "");
  auto place = [](const fs::path &file) {
    return std::find(std::begin(kFiles), std::end(kFiles),
                     file.filename().string());
  };
  std::sort(files.begin(), files.end(),
            [&](const fs::path &a, const fs::path &b) {
              return place(a) < place(b);
            });
  for (const fs::path &file : files) {
    fs::remove(file, error);
    if (error)
      return Status::error(file.string() +
                           ": cannot remove: " + error.message());
  }
  return Status();
}

void RunFolder::discard(RunLock &lock, bool hadFolder) const {
  std::error_code error;
  if (has(path("config.json")) || !removeFiles().ok() || hadFolder)
    return;
  lock.release();
  fs::remove(folder, error); // Unless somebody put something into it.
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
  const std::string file = path("config.json");
  Status status = optionsFromJson(config["options"], file, options);
  return status.ok() ? checkSaved(options, file) : status;
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
