//===-- tools/cambium-run/ImportCommand.cpp - cambium-run import ----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Output.h"
#include "runtime/train/Learned.h"
#include "runtime/train/RunLock.h"
#include "runtime/train/TrainingChecks.h"
#include "runtime/train/Weights.h"

using namespace cambium;
using namespace cambium::run;
using namespace cambium::train;

static const char kImportFooter[] = R"help(Examples:
  cambium-run import minilm.so --weights model.safetensors --names bert.names \
    --data text --tokenizer tokenizer.json --max-tokens 256 --out minilm
  echo "A man sleeps." | cambium-run infer --run minilm
  cambium-run train classifier.so --init minilm/best.safetensors ... --out fine

A file of names has a rule per line: a tensor of the file, the parameter here (- : it is not
needed), and 'transpose' for matrices that PyTorch keeps as [out, in]:
  prefix bert.
  embeddings.word_embeddings.weight    words
  encoder.layer.*.output.dense.weight  W_2_*   transpose
  pooler.**                            -
* stands for a text without a dot, ** for any; the first rule that fits counts.
`prefix` names what names may begin with. Without the file, names are the same.
Everything that does not fit is listed at once. F16, BF16, F32 and F64 are read.)help";

namespace {

struct ImportOptions {
  Options run; ///< What the folder's config.json keeps.
  bool partial = false, overwrite = false;
};

} // namespace

/// What the reader is given beside the tokenizer, by where the folder keeps it.
static std::vector<std::pair<std::string, std::string>>
filesOf(const DataOptions &data, const RunFolder &folder) {
  std::vector<std::pair<std::string, std::string>> files;
  if (!data.vocabulary.empty())
    files.emplace_back(data.vocabulary, folder.vocabulary());
  for (const std::string &text : data.vocabularies) {
    const size_t equals = text.find('=');
    files.emplace_back(text.substr(equals + 1),
                       folder.vocabulary(text.substr(0, equals)));
  }
  if (!data.labels.empty())
    files.emplace_back(data.labels, folder.labels());
  return files;
}

static Status fillFolder(ImportOptions &options, Setup &setup,
                         const std::string &summary) {
  const RunFolder folder(options.run.out);
  Options &kept = options.run;
  Status status = folder.create();
  if (status.ok())
    status = copyFile(kept.model.module, folder.model(kept.model.interpret));
  if (status.ok() && !kept.data.tokenizer.empty())
    status =
        copyFile(kept.data.tokenizer, folder.tokenizer(kept.data.tokenizer));
  for (const auto &[from, to] : filesOf(kept.data, folder))
    if (status.ok())
      status = copyFile(from, to);
  if (status.ok())
    status = setup.engine->save(folder.best(), /*parametersOnly=*/true);
  Json facts = Json::object();
  facts.set("weights", options.run.weights);
  if (status.ok())
    status = folder.writeConfig(kept, facts);
  if (status.ok())
    print("%s: %s\n", kept.out.c_str(), summary.c_str());
  return status;
}

/// What is wrong with what the reader is given is found before the folder is
/// filled.
static Status readGiven(const DataOptions &data, Setup &setup) {
  const bool isGiven = !data.vocabulary.empty() || !data.vocabularies.empty() ||
                       !data.labels.empty();
  if (data.format.empty())
    return isGiven ? Status::error("expected --data beside --vocab, --vocab-of "
                                   "and --labels")
                   : Status();
  Status status = setup.makeReader(data);
  if (status.ok() && !data.labels.empty())
    status = loadLabels(data, *setup.reader);
  return status.ok() ? loadVocabularies(data, *setup.reader) : status;
}

static Status import(ImportOptions &options) {
  for (const auto &[value, name] :
       {std::pair(options.run.out.empty(), "--out"),
        std::pair(options.run.weights.empty(), "--weights")})
    if (value)
      return Status::error(std::string("expected ") + name);
  if (Status status = checkTexts(options.run); !status.ok())
    return status;
  const RunFolder folder(options.run.out);
  if (folder.has(folder.path("config.json")) && !options.overwrite)
    return Status::error(options.run.out +
                         " holds a run already: give --overwrite to replace "
                         "it");
  RunLock lock;
  const bool hadFolder = folder.has(options.run.out);
  if (hadFolder)
    if (Status status = folder.refuseLosses(options.run); !status.ok())
      return status;
  if (hadFolder)
    if (Status status = lock.acquire(options.run.out); !status.ok())
      return status;
  NameMap map;
  if (!options.run.names.empty())
    if (Status status = NameMap::load(options.run.names, map); !status.ok())
      return status;
  Setup setup;
  Status status = setup.loadModel(options.run.model);
  if (status.ok())
    status = readGiven(options.run.data, setup);
  if (status.ok())
    status = setup.engine->initialize(options.run.seed);
  std::string summary;
  if (status.ok())
    status = importWeights(options.run.weights, map, options.partial,
                           *setup.engine, summary);
  if (status.ok())
    status = lock.acquire(options.run.out);
  if (status.ok())
    status = fillFolder(options, setup, summary);
  if (!status.ok() && lock.isHeld())
    folder.discard(lock, hadFolder);
  return status;
}

void run::addImportCommand(CLI::App &app, const std::string &typed,
                           int &exitCode) {
  CLI::App *command = app.add_subcommand(
      "import", "Makes a run folder from a safetensors file made elsewhere");
  command->footer(kImportFooter);
  auto options = std::make_shared<ImportOptions>();
  Options &kept = options->run;
  kept.command = typed;
  command
      ->add_option("module", kept.model.module,
                   "Module made by cambium-compile")
      ->required();
  command->add_flag("--partial", options->partial,
                    "Parameters that the file lacks are drawn, with --seed");
  command->add_flag("--overwrite", options->overwrite,
                    "Replace a run that is in the folder");
  addOption(*command, *findOption("seed"), kept,
            "Of parameters that are drawn");
  addOptions(*command, kept, /*ofModel=*/true);
  for (const char *name : {"out", "weights", "names"})
    addOption(*command, *findOption(name), kept);
  command->callback([options, &exitCode] {
    Status status = import(*options);
    exitCode = status.ok() ? 0 : fail(status);
  });
}
