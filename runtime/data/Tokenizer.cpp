//===-- runtime/data/Tokenizer.cpp - Texts to ids by a program ------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tokenizer.h"
#include "Text.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

using namespace cambium::data;

extern char **environ;

static void closeAndForget(int &descriptor) {
  if (descriptor >= 0)
    ::close(descriptor);
  descriptor = -1;
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

namespace {

/// Both ends of the three channels; what is left of them is closed at the end.
struct Channels {
  int ours[3] = {-1, -1, -1}, theirs[3] = {-1, -1, -1};

  ~Channels() {
    for (int channel = 0; channel < 3; ++channel) {
      closeAndForget(ours[channel]);
      closeAndForget(theirs[channel]);
    }
  }
  /// Sockets, as writing to one whose other end is closed can be an error
  /// instead of a signal.
  bool open() {
    for (int channel = 0; channel < 3; ++channel) {
      int ends[2];
      if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
      ours[channel] = ends[0];
      theirs[channel] = ends[1];
    }
    return true;
  }
};

} // namespace

/// Runs a program with its standard channels; its signals are not ours (Ctrl-C
/// ends it with the last of our ends). An error number.
static int spawn(const std::vector<std::string> &command,
                 const Channels &channels, pid_t &process) {
  std::vector<char *> arguments;
  for (const std::string &argument : command)
    arguments.push_back(const_cast<char *>(argument.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  for (int channel = 0; channel < 3; ++channel)
    posix_spawn_file_actions_adddup2(&actions, channels.theirs[channel],
                                     channel);
  sigset_t all;
  sigfillset(&all);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP |
                                            POSIX_SPAWN_SETSIGDEF |
                                            POSIX_SPAWN_SETSIGMASK);
  const int error = posix_spawnp(&process, arguments[0], &actions, &attributes,
                                 arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return error;
}

Status Tokenizer::start(const ReaderOptions &options) {
  if (process >= 0)
    return Status();
  Channels channels;
  if (!channels.open())
    return Status::error(options.tokenizerProgram +
                         ": cannot be reached: " + strerror(errno));
  std::vector<std::string> command = {options.tokenizerProgram, "encode",
                                      "--pairs", "--types"};
  if (options.maxTokens > 0)
    command.push_back("--max-tokens=" + std::to_string(options.maxTokens));
  command.insert(command.end(), {"--", options.tokenizer});
  pid_t started = -1;
  if (const int error = spawn(command, channels, started))
    return Status::error(options.tokenizerProgram +
                         ": cannot run the program "
                         "that cuts texts into "
                         "pieces: " +
                         strerror(error));
  process = started;
  input = std::exchange(channels.ours[0], -1);
  output = std::exchange(channels.ours[1], -1);
  errors = std::exchange(channels.ours[2], -1);
  answers.clear();
  complaints.clear();
  numLines = 0;
  return Status();
}

int Tokenizer::stop() {
  closeAndForget(input);
  closeAndForget(output);
  closeAndForget(errors);
  int result = 0;
  if (process >= 0) {
    // It has ended, or has nothing to say that anybody waits for.
    ::kill(process, SIGKILL);
    while (::waitpid(process, &result, 0) < 0 && errno == EINTR) {
    }
  }
  process = -1;
  return result;
}

//===----------------------------------------------------------------------===//
// Questions and answers
//===----------------------------------------------------------------------===//

/// Reads what is there; false at the end.
static bool readSome(int descriptor, std::string &text) {
  char buffer[1 << 14];
  const ssize_t count = ::recv(descriptor, buffer, sizeof buffer, MSG_DONTWAIT);
  if (count < 0)
    return errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK;
  text.append(buffer, static_cast<size_t>(count));
  return count > 0;
}

bool Tokenizer::readAnswers() {
  const size_t before = answers.size();
  const bool goesOn = readSome(output, answers);
  numLines += static_cast<size_t>(std::count(
      answers.begin() + static_cast<int64_t>(before), answers.end(), '\n'));
  return goesOn;
}

void Tokenizer::readErrors() {
  constexpr size_t kLongest = 1 << 12;
  if (!readSome(errors, complaints))
    closeAndForget(errors);
  if (complaints.size() > kLongest)
    complaints.erase(0, complaints.size() - kLongest);
}

Status Tokenizer::ended(const ReaderOptions &options) {
  // What it said before it ended is there already, or comes soon.
  pollfd item = {errors, POLLIN, 0};
  while (errors >= 0 && ::poll(&item, 1, 1000) > 0) {
    readErrors();
    item.fd = errors;
  }
  // Let it end by itself, so that we know how.
  int result = 0;
  for (int i = 0; i < 100 && process >= 0; ++i) {
    if (::waitpid(process, &result, WNOHANG) == process)
      process = -1;
    else
      ::usleep(10000);
  }
  if (process >= 0)
    result = stop();
  stop();
  std::string text = complaints;
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r'))
    text.pop_back();
  constexpr std::string_view kPrefix = "cambium-tokenize: error: ";
  if (text.substr(0, kPrefix.size()) == kPrefix)
    return Status::error(text.substr(kPrefix.size()));
  const std::string how =
      WIFSIGNALED(result) ? "signal " + std::to_string(WTERMSIG(result))
                          : "exit code " + std::to_string(WEXITSTATUS(result));
  return Status::error(options.tokenizerProgram +
                       ": expected the ids of each text, but it ended with " +
                       how + (text.empty() ? "" : ": " + text));
}

Status Tokenizer::exchange(const ReaderOptions &options,
                           std::string_view questions, size_t numAnswers) {
  while (numLines < numAnswers) {
    pollfd items[3] = {{output, POLLIN, 0},
                       {errors, POLLIN, 0},
                       {questions.empty() ? -1 : input, POLLOUT, 0}};
    const int count =
        ::poll(items, 3, static_cast<int>(options.tokenizerSeconds * 1000));
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0) {
      stop();
      return Status::error(options.tokenizerProgram +
                           ": expected the ids of each text, but got nothing "
                           "for " +
                           std::to_string(options.tokenizerSeconds) + " s");
    }
    if (items[1].revents)
      readErrors();
    if (items[0].revents && !readAnswers())
      return ended(options);
    if (items[2].revents) {
      const ssize_t sent = ::send(input, questions.data(), questions.size(),
                                  MSG_NOSIGNAL | MSG_DONTWAIT);
      if (sent >= 0)
        questions.remove_prefix(static_cast<size_t>(sent));
      else if (errno == EPIPE || errno == ECONNRESET)
        questions = {}; // The end of the answers says why.
    }
  }
  return Status();
}

//===----------------------------------------------------------------------===//
// Answers
//===----------------------------------------------------------------------===//

static bool parseNumbers(std::string_view text, std::vector<int32_t> &numbers) {
  for (const Column &word : cutWords(text)) {
    numbers.push_back(0);
    if (!parseInt(word.text, numbers.back()) || numbers.back() < 0)
      return false;
  }
  return true;
}

static bool parsePieces(std::string_view answer, Pieces &pieces) {
  const std::vector<Column> columns = cutColumns(answer);
  return columns.size() == 2 && parseNumbers(columns[0].text, pieces.ids) &&
         parseNumbers(columns[1].text, pieces.segments) &&
         pieces.ids.size() == pieces.segments.size();
}

Status Tokenizer::encode(const ReaderOptions &options,
                         const std::vector<std::string> &lines,
                         std::vector<Pieces> &pieces) {
  pieces.clear();
  std::string questions;
  for (const std::string &line : lines)
    questions += line + "\n";
  Status status = start(options);
  if (status.ok())
    status = exchange(options, questions, lines.size());
  if (!status.ok())
    return status;
  const std::string source = options.tokenizerProgram;
  LineCutter cutter(answers, source, 1);
  for (Line line{}; cutter.next(line);) {
    pieces.emplace_back();
    if (!parsePieces(line.text, pieces.back()) ||
        pieces.size() > lines.size()) {
      stop();
      return Status::error(source +
                           ": expected ids, a tab and as many segments for "
                           "each text, but got " +
                           quote(line.text));
    }
  }
  answers.clear();
  numLines = 0;
  return Status();
}
