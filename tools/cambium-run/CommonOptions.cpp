//===-- CommonOptions.cpp - Options that several commands share -----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Numbers.h"

using namespace cambium;
using namespace cambium::run;

static std::string formatsHelp() {
  std::string text = "Format of the data files:";
  for (const data::FormatInfo &format : data::formats())
    text += std::string(text.back() == ':' ? " " : " | ") + format.name;
  return text;
}

void run::addDataOptions(CLI::App &command, DataOptions &data) {
  command.add_option("--data", data.format, formatsHelp());
  command
      .add_option("--map", data.maps,
                  "Feed input INPUT with the field FIELD of the data; may be "
                  "repeated")
      ->type_name("INPUT=FIELD")
      ->allow_extra_args(false);
  command.add_flag("--lowercase", data.lowercase, "Read words in lower case");
  command.add_option("--parses", data.parses,
                     "Folder with the words and trees of sentences: id.txt, "
                     "a.toks, a.parents, a.cparents, ..., or a folder of such "
                     "ones (pairs)");
  command.add_option("--tokenizer", data.tokenizer,
                     "What cuts texts into pieces (text): tokenizer.json, or a "
                     "SentencePiece .model");
  command
      .add_option("--max-tokens", data.maxTokens,
                  "Cut longer texts (text; default: as the tokenizer says)")
      ->check(kNotNegative);
  command
      .add_option("--binarize", data.binarize,
                  "Nodes of more than two children of a tree in brackets: "
                  "(A b c d) becomes (A (A b c) d) with 'left', "
                  "(A b (A c d)) with 'right'")
      ->check(CLI::IsMember({"none", "left", "right"}));
  command
      .add_option("--classes", data.classes,
                  "The class of each label (ptb): 0=0,1=0,3=1,4=1 makes two of "
                  "five; examples and nodes with other labels do not count")
      ->type_name("LABEL=CLASS,...");
  command.add_flag("--collapse-unary", data.collapseUnary,
                   "A node of one child and that child become one (trees in "
                   "brackets)");
}

void run::addRunOptions(CLI::App &command, ModelOptions &model) {
  command.add_flag("--interpret", model.interpret,
                   "The model is a description (.mlir): run it with the slow "
                   "reference interpreter");
  command
      .add_option("--threads", model.threads,
                  "Threads of a call (default: one per processor)")
      ->check(CLI::Range(1, 4096));
}

void run::addSourceOptions(CLI::App &command, Source &source) {
  command.add_option(
      "--run", source.run,
      "Folder of a training: its module, best checkpoint, format "
      "and vocabulary");
  command.add_option(
      "--model", source.model.module,
      "A module made by cambium-compile, instead of the folder's");
  command.add_option("--checkpoint", source.checkpoint,
                     "Parameters to load, instead of the folder's best ones");
  command.add_option("--vocab", source.data.vocabulary,
                     "Vocabulary: a word per line");
  command.add_option("--predict", source.model.predict,
                     "The function that predicts (default: predict)");
  command.add_option("--loss", source.model.loss,
                     "The function of the loss (default: loss)");
  command.add_option("--data-dir", source.model.dataDir,
                     "Folder of files that parameters are initialized from");
  command.add_option("--seed", source.seed,
                     "Seed of the parameters where there is no checkpoint");
  addDataOptions(command, source.data);
  addRunOptions(command, source.model);
}
