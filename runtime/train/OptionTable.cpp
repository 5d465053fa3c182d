//===-- runtime/train/OptionTable.cpp - Every option of a training --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The command line, config.json, --resume and docs/TrainingOptions.md are
/// made from this table: a new option is a member of Options and an entry here.
///
//===----------------------------------------------------------------------===//

#include "Schedule.h"
#include "cambium/train.h"

#include <cfloat>

using namespace cambium;
using namespace cambium::train;

/// Where the option's value is.
#define AT(member) [](Options &all) -> OptionValue { return &all.member; }

static constexpr auto kRefuse = OnResume::Refuse;
static constexpr auto kChange = OnResume::Change;
static constexpr auto kNotKept = OnResume::NotKept;
static constexpr double kAny = std::numeric_limits<double>::infinity();
/// Numbers of examples, epochs, ...: such that their products are in range.
static constexpr double kMostCount = 1e9;

static std::string formatNames() {
  std::string names;
  for (const data::FormatInfo &format : data::formats())
    names += std::string(names.empty() ? "" : " | ") + format.name;
  return "Format of the data files: " + names;
}

static std::string metricNames() {
  std::string names;
  for (const MetricSummary &metric : metrics())
    names += std::string(names.empty() ? "" : "; ") + metric.name + ", " +
             metric.summary;
  return "Chooses the best epoch (default: the usual one of the format): " +
         names;
}

static void addModelOptions(std::vector<OptionInfo> &table) {
  const char *group = "Model";
  table.insert(
      table.end(),
      {{"predict", group, AT(model.predict), kRefuse, "NAME",
        "The function that predicts", -kAny, kAny, false, nullptr, nullptr,
        true},
       {"loss", group, AT(model.loss), kRefuse, "NAME",
        "The function of the loss on other data", -kAny, kAny, false, nullptr,
        nullptr, true},
       {"step", group, AT(step), kRefuse, "NAME[:N][/M],...",
        "The training step (default: the only one), or several in turn: each "
        "makes N updates (or one) from a batch, in every M batches (or in "
        "each); the last one makes one from each, and its loss is the "
        "training's"},
       {"step-data", group, AT(stepData), kRefuse, "STEP=FILE",
        "Data of a step before the last one, of which it takes a batch for "
        "each update; may be repeated"},
       {"data-dir", group, AT(model.dataDir), kRefuse, "FOLDER",
        "Folder of files that parameters are initialized from", -kAny, kAny,
        false, nullptr, nullptr, true},
       {"vectors", group, AT(vectors), kRefuse, "PARAMETER[:NAME]=FILE",
        "Begin the rows of a parameter with the word vectors of a file "
        "(GloVe's format); the vocabulary, of a table the one of that name, "
        "then also has the words of the file. May be repeated"},
       {"init", group, AT(init), kRefuse, "FILE",
        "Begin with the parameters of a checkpoint (a run's "
        "best.safetensors) that the model has too, by name"},
       {"weights", group, AT(weights), kRefuse, "FILE",
        "Begin with the tensors of a safetensors file made elsewhere; the "
        "model's other parameters are drawn. May be repeated"},
       {"names", group, AT(names), kRefuse, "FILE",
        "Which tensor of --weights becomes which parameter (cambium-run import "
        "--help)"},
       {"interpret", group, AT(model.interpret), kRefuse, nullptr,
        "The model is a description (.mlir): run it with the slow reference "
        "interpreter",
        -kAny, kAny, false, nullptr, nullptr, true},
       {"device", group, AT(model.device), kChange, "NAME",
        "Where calls run: cpu, gpu, or gpu:N for the GPU of that number; the "
        "module is compiled with --gpu-arch",
        -kAny, kAny, false, nullptr, nullptr, true},
       {"threads", group, AT(model.threads), kChange, "N",
        "Threads of a call (default: as many processors as the process may "
        "use)",
        1, 4096, false, nullptr, nullptr, true}});
}

static void addDataOptions(std::vector<OptionInfo> &table) {
  static const std::string formats = formatNames();
  const char *group = "Data";
  table.insert(
      table.end(),
      {{"train", group, AT(train), kRefuse, "FILE", "Training data"},
       {"dev", group, AT(dev), kRefuse, "FILE",
        "Data to choose the best epoch by"},
       {"test", group, AT(tests), kChange, "FILE",
        "Data that the best epoch is evaluated on at the end; may be repeated"},
       {"data", group, AT(data.format), kRefuse, "FORMAT", formats.c_str(),
        -kAny, kAny, false, nullptr, nullptr, true},
       {"map", group, AT(data.maps), kRefuse, "INPUT=FIELD",
        "Feed input INPUT with the field FIELD of the data; may be repeated",
        -kAny, kAny, false, nullptr, nullptr, true},
       {"value", group, AT(data.values), kRefuse, "INPUT=NUMBER",
        "Feed input INPUT with a number, the same for all examples, or with a "
        "formula of 'epoch' and 'training', which go from 0 to 1 in a training "
        "(2*training^2), and are 1 elsewhere; may be repeated",
        -kAny, kAny, false, nullptr, nullptr, true},
       {"set", group, AT(data.set), kRefuse, "N",
        "A function that takes sets sees N lines as one example: any lines, in "
        "each epoch others, or with --set-by lines of one set that follow one "
        "another",
        1, kMostCount, false, nullptr, nullptr, true},
       {"set-by", group, AT(data.setBy), kRefuse, "COLUMN",
        "The same with the lines that have the same number or class in a "
        "column",
        -kAny, kAny, false, nullptr, nullptr, true},
       {"carry", group, AT(data.carry), kRefuse, "INPUT=OUTPUT",
        "Feed input INPUT with the output OUTPUT of the line before in the "
        "same text, and with zeros where a text begins; may be repeated",
        -kAny, kAny, false, nullptr, nullptr, true},
       {"carry-by", group, AT(data.carryBy), kRefuse, "COLUMN",
        "Lines that follow one another and have the same number or class in "
        "this column are a text (default: a file is one text, which a training "
        "cuts into --batch-size ones)",
        -kAny, kAny, false, nullptr, nullptr, true},
       {"vocab", group, AT(data.vocabulary), kNotKept, "FILE",
        "Vocabulary, a word per line (default: from the training data)", -kAny,
        kAny, false, nullptr, nullptr, true},
       {"vocab-of", group, AT(data.vocabularies), kNotKept, "NAME=FILE",
        "The same of a vocabulary that columns of a table name; may be "
        "repeated",
        -kAny, kAny, false, nullptr, nullptr, true},
       {"labels", group, AT(data.labels), kNotKept, "FILE",
        "What classes are called: a run's labels.tsv (default: from the "
        "training data)",
        -kAny, kAny, false, nullptr, nullptr, true}});
}

/// How a reader takes files.
static void addReaderOptions(std::vector<OptionInfo> &table) {
  const char *group = "Data";
  table.insert(
      table.end(),
      {{"min-count", group, AT(data.minCount), kRefuse, "N",
        "Words seen less often in training are unknown words", 1, kMostCount},
       {"lowercase", group, AT(data.lowercase), kRefuse, nullptr,
        "Read words in lower case", -kAny, kAny, false, nullptr, nullptr, true},
       {"layout", group, AT(data.layout), kRefuse, "COLUMN,...",
        "What the columns hold, where the first line does not say so: of pairs "
        "sentence_a, sentence_b, tree_a, tree_b, score, label, id; of text "
        "text, text_b, label, score; and others",
        -kAny, kAny, false, nullptr, nullptr, true},
       {"parses", group, AT(data.parses), kRefuse, "FOLDER",
        "Folder with the words and trees of sentences: id.txt, a.toks, "
        "a.parents, a.cparents, ..., or a folder of such ones (pairs)",
        -kAny, kAny, false, nullptr, nullptr, true},
       {"binarize", group, AT(data.binarize), kRefuse, "SIDE",
        "Nodes of more than two children of a tree in brackets: (A b c d) "
        "becomes (A (A b c) d) with 'left', (A b (A c d)) with 'right'",
        -kAny, kAny, false, "none,left,right", nullptr, true},
       {"collapse-unary", group, AT(data.collapseUnary), kRefuse, nullptr,
        "A node of one child and that child become one (trees in brackets)",
        -kAny, kAny, false, nullptr, nullptr, true},
       {"classes", group, AT(data.classes), kRefuse, "LABEL=CLASS,...",
        "The class of each label (ptb): 0=0,1=0,3=1,4=1 makes two of five; "
        "examples and nodes with other labels do not count",
        -kAny, kAny, false, nullptr, nullptr, true},
       {"tokenizer", group, AT(data.tokenizer), kRefuse, "FILE",
        "What cuts texts into pieces (text, table): tokenizer.json, or a "
        "SentencePiece .model",
        -kAny, kAny, false, nullptr, nullptr, true},
       {"max-tokens", group, AT(data.maxTokens), kRefuse, "N",
        "Cut longer texts (text; 0: as the tokenizer says)", 0, kMostCount,
        false, nullptr, nullptr, true}});
}

static void addBatchOptions(std::vector<OptionInfo> &table) {
  const char *group = "Batches";
  table.insert(
      table.end(),
      {{"epochs", group, AT(epochs), kChange, "N", "Passes over the data", 1,
        kMostCount},
       {"batch-size", group, AT(batchSize), kRefuse, "N", "Examples of a batch",
        1, kMostCount},
       {"eval-batch-size", group, AT(evalBatchSize), kRefuse, "N",
        "The same in evaluations", 1, kMostCount},
       {"accumulate", group, AT(accumulate), kRefuse, "N",
        "Batches of one update of the parameters", 1, kMostCount},
       {"batch-nodes", group, AT(batchNodes), kRefuse, "N",
        "A batch ends before it has more nodes (or words) in all; an example "
        "with more is alone (0: never)",
        0, kMostCount},
       {"bucket", group, AT(bucket), kRefuse, "BY",
        "Put examples with similar numbers of nodes or words into a batch; "
        "--bucket=height: trees of similar height",
        -kAny, kAny, false, "none,size,height", "size"},
       {"prefetch", group, AT(prefetch), kChange, "N",
        "Batches made ahead of time, by another thread (0: none); changes no "
        "number",
        0, 1000}});
}

static void addLearningOptions(std::vector<OptionInfo> &table) {
  const char *group = "Learning";
  static const std::string schedules = [] {
    std::string all;
    for (const std::string &kind : Schedule::kinds())
      all += (all.empty() ? "" : ",") + kind;
    return all;
  }();
  table.insert(
      table.end(),
      {{"lr", group, AT(rates), kRefuse, "RATE|GROUP=RATE",
        "Learning rate, of all groups or of one; may be repeated"},
       {"schedule", group, AT(schedule), kRefuse, "KIND",
        "How rates fall after the warm-up", -kAny, kAny, false,
        schedules.c_str()},
       {"warmup", group, AT(warmup), kRefuse, "N|Nepochs",
        "Updates (500) or epochs (1epoch) in which rates rise"},
       {"power", group, AT(power), kRefuse, "X", "Of the polynomial schedule",
        0, 1e6, true},
       {"decay", group, AT(decay), kRefuse, "X",
        "Factor of the schedules exponential, steps and plateau", 0, 1, true},
       {"decay-every", group, AT(decayEvery), kRefuse, "N|Nepochs",
        "Updates or epochs in which rates fall by --decay (exponential, "
        "steps)"},
       {"group-schedule", group, AT(groupSchedules), kRefuse, "GROUP=KIND",
        "The schedule of one group of parameters; may be repeated"},
       {"freeze", group, AT(freeze), kRefuse, "GROUP[=EPOCHS]",
        "A rate of 0 for a group, in the first epochs or in all; may "
        "be repeated"},
       {"final-factor", group, AT(finalFactor), kRefuse, "X",
        "Rates fall to this part of their value", 0, 1}});
}

static void addTaskOptions(std::vector<OptionInfo> &table) {
  const char *group = "Tasks one after the other";
  table.insert(
      table.end(),
      {{"tasks", group, AT(tasks), kRefuse, "FILE",
        "Train on the tasks of this list one after the other, each from the "
        "parameters that the one before has left, and evaluate all of them "
        "after each (docs/Tasks.md)"},
       {"memory", group, AT(memory), kRefuse, "X",
        "The part of the training examples of each task that is kept for later "
        "ones",
        0, 1},
       {"memory-by", group, AT(memoryBy), kRefuse, "FUNCTION",
        "Keep those nearest to the centres of K-means on its first output "
        "(default: drawn ones)"},
       {"replay", group, AT(replay), kRefuse, "STEP",
        "The step of --step whose data is the memory; as STEP:earlier it makes "
        "as many updates as there were tasks before"},
       {"before", group, AT(before), kRefuse, "FUNCTION",
        "Its outputs before a task are columns old.NAME of the task's training "
        "data and of the memory"}});
}

static void addEndOptions(std::vector<OptionInfo> &table) {
  static const std::string metricText = metricNames();
  const char *group = "The course of a training";
  table.insert(
      table.end(),
      {{"seed", group, AT(seed), kRefuse, "N", "Of all random numbers"},
       {"seeds", group, AT(seeds), kChange, "N",
        "Train so many times, with --seed and the numbers after it, each in a "
        "folder of its own in the folder; then mean and deviation",
        1, 1e6},
       {"folds", group, AT(folds), kRefuse, "N",
        "Cut the training data into so many parts with the same shares of "
        "classes; train once per part, which is tested on, with the next one "
        "as dev data; then mean and deviation",
        3, 1000},
       {"keep", group, AT(keep), kChange, "N",
        "Keep the parameters of the last N epochs, for --average of eval and "
        "infer",
        0, kMostCount},
       {"keep-best", group, AT(keepBest), kChange, "N",
        "Keep those of the N epochs that are best by --metric", 0, kMostCount},
       {"average", group, AT(average), kChange, "last:N|best:N",
        "End with the mean of the parameters of the last or the best N epochs, "
        "or of as many as there are: the tests are evaluated with it, eval and "
        "infer take it"},
       {"moving-average", group, AT(movingAverage), kRefuse, "DECAY",
        "Evaluate and keep the average of the parameters over the updates, "
        "which fade by this factor (0.999; at update n at most n / (n + 9))",
        0, 1},
       {"metric", group, AT(metric), kRefuse, "NAME", metricText.c_str()},
       {"patience", group, AT(patience), kChange, "N",
        "Stop after so many epochs without a better one (0: never)", 0,
        kMostCount},
       {"checkpoint-every", group, AT(checkpointSeconds), kChange, "SECONDS",
        "Seconds between checkpoints within an epoch", 0, DBL_MAX},
       {"restart-after", group, AT(restartAfter), kRefuse, "N",
        "Restart with a new seed if the training loss of this epoch is not "
        "below that of the first (0: never; else from 2)",
        0, kMostCount},
       {"restart-gain", group, AT(restartGain), kRefuse, "X",
        "The part of the loss by which it must be below", 0, 1},
       {"restarts", group, AT(restarts), kRefuse, "N", "Restarts at most", 0,
        kMostCount},
       {"out", "The folder", AT(out), kNotKept, "FOLDER",
        "Folder of this training"},
       {"resume", "The folder", AT(resume), kNotKept, nullptr,
        "Go on where the training in the folder was stopped"},
       {"overwrite", "The folder", AT(overwrite), kNotKept, nullptr,
        "Replace a training that is in the folder"}});
}

#undef AT

const std::vector<OptionInfo> &train::optionTable() {
  static const std::vector<OptionInfo> all = [] {
    std::vector<OptionInfo> table;
    addDataOptions(table);
    addReaderOptions(table);
    addModelOptions(table);
    addBatchOptions(table);
    addLearningOptions(table);
    addTaskOptions(table);
    addEndOptions(table);
    return table;
  }();
  return all;
}

const OptionInfo *train::findOption(std::string_view name) {
  for (const OptionInfo &option : optionTable())
    if (name == option.name)
      return &option;
  return nullptr;
}
