//===-- tools/cambium-run/Main.cpp - The program without its engines ------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Output.h"
#include "runtime/train/Format.h"
#include "runtime/train/Names.h"
#include "tools/Channels.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <new>
#include <sstream>
#include <unistd.h>

using namespace cambium;
using namespace cambium::run;
using namespace cambium::train;

static const char kFooter[] = R"help(Examples:
  cambium-compile tree_lstm.mlir -o model.so
  cambium-run inspect model.so
  cambium-run train model.so --data ptb --train train.txt --dev dev.txt --out run
  cambium-run eval --run run test.txt
  echo "(2 (2 a) (3 (3 fine) (2 film)))" | cambium-run infer --run run

Exit codes: 0 done; 1 an error; 2 wrong usage; 130 and 143 after Ctrl-C and a
request to terminate (a training is saved first).)help";

/// The command line as it would be typed again.
static std::string typedCommand(int argc, char **argv) {
  std::string text;
  for (int i = 0; i < argc; ++i) {
    std::string argument = argv[i];
    bool isPlain = !argument.empty() &&
                   argument.find_first_of(" \t\n\"'\\$&|;<>()*?[]#~`!") ==
                       std::string::npos;
    if (!isPlain) {
      std::string quoted = "'";
      for (char c : argument)
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
      argument = quoted + "'";
    }
    text += (i ? " " : "") + argument;
  }
  return text;
}

/// Hands the arguments to the program beside this one that has an interpreter,
/// so that this one needs no compiler. Returns only if there is none.
static int runInterpreter(char **argv) {
  std::error_code error;
  std::filesystem::path self =
      std::filesystem::read_symlink("/proc/self/exe", error);
  std::string program = (self.parent_path() / "cambium-run-interpret").string();
  execv(program.c_str(), argv);
  return run::fail(Status::error("--interpret: cannot run " + program + ": " +
                                 strerror(errno)));
}

int run::fail(const Status &status) {
  (void)flushOutput();
  fprintf(stderr, "cambium-run: error: %s\n",
          train::printable(status.message()).c_str());
  return 1;
}

/// What an argument that nobody knows may have been meant as.
static void explainExtras(const CLI::App &app) {
  std::vector<std::string> commands;
  for (const CLI::App *command : app.get_subcommands({}))
    commands.push_back(command->get_name());
  for (const std::string &extra : app.remaining())
    if (std::string meant = train::closestName(extra, commands); !meant.empty())
      fprintf(stderr, "%s: did you mean '%s'?\n",
              train::printable(extra).c_str(), meant.c_str());
  for (const CLI::App *command : app.get_subcommands()) {
    std::vector<std::string> names;
    for (const CLI::Option *option : command->get_options())
      for (const std::string &name : option->get_lnames())
        names.push_back("--" + name);
    for (const std::string &extra : command->remaining())
      if (std::string meant =
              train::closestName(extra.substr(0, extra.find('=')), names);
          !meant.empty())
        fprintf(stderr, "%s: did you mean '%s'?\n", extra.c_str(),
                meant.c_str());
  }
}

/// An empty value is one that a script has lost. It would be taken for none,
/// and a training would begin without its checkpoint. Only `train --resume
/// --average ''` means what it says: no longer.
static void refuseEmptyValues(CLI::App &app) {
  const CLI::Validator isThere(
      [](std::string &text) {
        return text.empty() ? std::string("expected a value, but got ''")
                            : std::string();
      },
      "");
  for (CLI::App *command : app.get_subcommands({}))
    for (CLI::Option *option : command->get_options())
      if (option->get_items_expected_max() > 0 &&
          !option->check_lname("average"))
        option->check(isThere);
}

int run::runMain(int argc, char **argv) {
  fillStandardChannels();
  for (int i = 1; i < argc && !hasInterpreter(); ++i)
    if (!strcmp(argv[i], "--interpret"))
      return runInterpreter(argv);
  // Files that reach the limit of their size are an error, not the end.
  std::signal(SIGXFSZ, SIG_IGN);
  CLI::App app("Trains, evaluates and runs compiled models.", "cambium-run");
  app.footer(kFooter);
  app.get_formatter()->column_width(36);
  app.require_subcommand(1);
  app.set_version_flag("--version",
                       std::string("cambium-run ") + cambium_version());
  int exitCode = 0;
  addTrainCommand(app, typedCommand(argc, argv), exitCode);
  addEvalCommand(app, exitCode);
  addInferCommand(app, exitCode);
  addRowsCommand(app, exitCode);
  addImportCommand(app, typedCommand(argc, argv), exitCode);
  addInspectCommand(app, exitCode);
  addBenchCommand(app, exitCode);
  addOptionsCommand(app, exitCode);
  refuseEmptyValues(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    // Help and the version, too, are output that is checked.
    std::ostringstream output, errors;
    exitCode = app.exit(error, output, errors) == 0 ? 0 : 2;
    printText(output.str());
    fputs(errors.str().c_str(), stderr);
    explainExtras(app);
  } catch (const std::bad_alloc &) {
    exitCode = fail(Status::error("not enough memory"));
  }
  // What was printed must have arrived: a full disk is found here at the
  // latest. A command that failed has said why.
  if (Status status = flushOutput(); !status.ok() && exitCode == 0)
    return fail(status);
  return exitCode;
}
