//===-- tools/cambium-run/OptionsCommand.cpp - cambium-run options --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Output.h"

using namespace cambium;
using namespace cambium::run;
using train::OptionInfo;

static const char kHead[] = R"md(# Options of a training

`cambium-run options` prints this page from the table that the command line, `config.json`,
`--resume` and the C++ library
([`options.set(NAME, VALUE)`](Embedding.md#training-with-the-library)) use. With `--resume`, an
option that is given again is compared with the saved one (*same*), or replaces it, also by its
default value (*changes*); the others are no part of the saved run (-).
)md";

/// A text as a cell of a table.
static std::string cell(const std::string &text) {
  std::string result;
  for (char c : text)
    result += c == '|' ? std::string("\\|") : std::string(1, c);
  return result;
}

static const char *resumeText(const OptionInfo &option) {
  switch (option.onResume) {
  case train::OnResume::Refuse:
    return "same";
  case train::OnResume::Change:
    return "changes";
  case train::OnResume::NotKept:
    return "-";
  }
  return "";
}

static void printOptions() {
  const train::Options defaults;
  std::string group;
  printText(kHead);
  for (const OptionInfo &option : train::optionTable()) {
    if (group != option.group)
      print("\n## %s\n\n| option | default | `--resume` | meaning |\n"
            "|---|---|---|---|\n",
            option.group);
    group = option.group;
    const std::string name =
        std::string("--") + option.name +
        (option.valueName ? std::string(" ") + option.valueName : "");
    const std::string value = textOf(option, defaults);
    print("| `%s` | %s | %s | %s |\n", cell(name).c_str(),
          value.empty() ? "" : ("`" + value + "`").c_str(), resumeText(option),
          cell(option.summary).c_str());
  }
}

void run::addOptionsCommand(CLI::App &app, int &exitCode) {
  CLI::App *command = app.add_subcommand(
      "options", "Prints every option of a training, as a page");
  command->callback([&exitCode] {
    printOptions();
    exitCode = 0;
  });
}
