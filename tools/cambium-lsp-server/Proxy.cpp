//===-- tools/cambium-lsp-server/Proxy.cpp - Between editor and server ----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Proxy.h"
#include "Answers.h"
#include "cambium/Support/CheckText.h"
#include "cambium/Support/JsonDepth.h"
#include "cambium/Support/UnknownNames.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Errno.h"
#include <csignal>
#include <mutex>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace cambium;
using llvm::StringRef;
namespace json = llvm::json;
namespace lsp = llvm::lsp;

/// Whether all of it was written.
static bool writeAll(int channel, StringRef text) {
  while (!text.empty()) {
    ssize_t count = llvm::sys::RetryAfterSignal(-1, write, channel, text.data(),
                                                text.size());
    if (count < 0)
      return false;
    text = text.drop_front(count);
  }
  return true;
}

static std::string withHeader(StringRef message) {
  return ("Content-Length: " + llvm::Twine(message.size()) + "\r\n\r\n" +
          message)
      .str();
}

//===----------------------------------------------------------------------===//
// What is added
//===----------------------------------------------------------------------===//

namespace {
/// What the answer to a request gets.
struct Addition {
  std::optional<lsp::Hover> hover;
  std::vector<lsp::CompletionItem> items;
  bool isInitialization = false;
};

/// Follows the texts and the requests of an editor.
class Conversation {
public:
  Conversation(llvm::ArrayRef<std::string> folders,
               const mlir::DialectRegistry &registry)
      : folders(folders), registry(registry) {}

  /// Looks at a message to the server. Whether it became another one.
  bool hear(json::Value &message) {
    json::Object *object = message.getAsObject();
    json::Object *params = object ? object->getObject("params") : nullptr;
    if (!params)
      return false;
    StringRef method = object->getString("method").value_or("");
    json::Object *document = params->getObject("textDocument");
    std::string uri =
        document ? document->getString("uri").value_or("").str() : "";
    if (method == "textDocument/didOpen")
      return keep(uri, *document);
    if (method == "textDocument/didChange")
      return change(uri, *params);
    if (method == "textDocument/didClose")
      forget(uri);
    else if (const json::Value *id = object->get("id"))
      ask(method, uri, *params, *id);
    return false;
  }

  /// Whether the answer of the server became another one.
  bool extend(json::Value &message) {
    json::Object *object = message.getAsObject();
    if (object && object->getString("method") ==
                      StringRef("textDocument/publishDiagnostics"))
      return addMeant(*object);
    json::Value *id = object ? object->get("id") : nullptr;
    json::Value *result = object ? object->get("result") : nullptr;
    if (!id || !result)
      return false;
    std::lock_guard lock(mutex);
    auto found = asked.find(keyOf(*id));
    if (found == asked.end())
      return false;
    Addition addition = std::move(found->second);
    asked.erase(found);
    if (addition.isInitialization)
      return addTrigger(*result);
    return addition.hover ? addHover(*result, *addition.hover)
                          : addItems(*result, addition.items);
  }

private:
  static std::string keyOf(const json::Value &id) {
    return llvm::formatv("{0}", id).str();
  }

  /// The server asks for whole texts.
  bool change(StringRef uri, json::Object &params) {
    json::Array *changes = params.getArray("contentChanges");
    json::Object *last =
        changes && !changes->empty() ? changes->back().getAsObject() : nullptr;
    return last && keep(uri, *last);
  }

  /// The parser of the server gets nothing of a text that it would not survive.
  bool keep(StringRef uri, json::Object &holder) {
    std::lock_guard lock(mutex);
    std::string &text = texts[uri];
    text = holder.getString("text").value_or("").str();
    std::optional<TextError> error = findTextError(text);
    refused.erase(uri);
    if (!error)
      return false;
    lsp::Position place = positionAt(text, error->place);
    refused[uri] =
        json::Object{{"category", "Parse Error"},
                     {"message", error->message},
                     {"range", toJSON(lsp::Range(place))},
                     {"severity", int(lsp::DiagnosticSeverity::Error)},
                     {"source", "cambium"}};
    holder["text"] = "";
    return true;
  }
  void forget(StringRef uri) {
    std::lock_guard lock(mutex);
    texts.erase(uri);
    refused.erase(uri);
  }

  /// What is wrong with a text that the server has not got.
  bool addRefused(StringRef uri, json::Array &errors) {
    std::lock_guard lock(mutex);
    auto error = refused.find(uri);
    if (error == refused.end())
      return false;
    errors.push_back(json::Object(error->second));
    return true;
  }

  void ask(StringRef method, StringRef uri, const json::Object &params,
           const json::Value &id) {
    Addition addition;
    addition.isInitialization = method == "initialize";
    lsp::Position position;
    json::Path::Root root;
    const json::Value *place = params.get("position");
    auto text = texts.find(uri);
    if (place && text != texts.end() && fromJSON(*place, position, root)) {
      position = placeIn(text->second, position);
      if (method == "textDocument/hover")
        addition.hover = documentationAt(text->second, position);
      else if (method == "textDocument/completion")
        addition.items = complete(text->second, pathOf(uri), position);
    }
    if (!addition.isInitialization && !addition.hover && addition.items.empty())
      return;
    std::lock_guard lock(mutex);
    asked[keyOf(id)] = std::move(addition);
  }

  std::vector<lsp::CompletionItem> complete(StringRef text, StringRef path,
                                            lsp::Position position) {
    std::vector<lsp::CompletionItem> items =
        completionsAt(text, path, position, folders);
    return items.empty()
               ? operationsAt(text, position, [&] { return operations(); })
               : items;
  }

  static std::string pathOf(StringRef uri) {
    llvm::Expected<lsp::URIForFile> file = lsp::URIForFile::fromURI(uri);
    if (file)
      return file->file().str();
    llvm::consumeError(file.takeError());
    return "";
  }

  /// A name begins with `@`, a string with a quote.
  static bool addTrigger(json::Value &result) {
    json::Object *object = result.getAsObject();
    object = object ? object->getObject("capabilities") : nullptr;
    object = object ? object->getObject("completionProvider") : nullptr;
    json::Array *letters =
        object ? object->getArray("triggerCharacters") : nullptr;
    for (const char *letter : {"@", "\""})
      if (letters && !llvm::is_contained(*letters, json::Value(letter)))
        letters->push_back(letter);
    return letters;
  }

  /// What the op means stands before what the server tells of it.
  static bool addHover(json::Value &result, lsp::Hover &hover) {
    const json::Object *object = result.getAsObject();
    object = object ? object->getObject("contents") : nullptr;
    if (object)
      hover.contents.value +=
          ("\n\n***\n\n" + object->getString("value").value_or("")).str();
    result = toJSON(hover);
    return true;
  }

  static bool addItems(json::Value &result,
                       llvm::ArrayRef<lsp::CompletionItem> items) {
    json::Object *object = result.getAsObject();
    json::Array *all = object ? object->getArray("items") : nullptr;
    if (!all) {
      lsp::CompletionList list;
      list.items = items;
      result = toJSON(list);
      return true;
    }
    for (const lsp::CompletionItem &item : items)
      all->push_back(toJSON(item));
    return true;
  }

  /// A name that no dialect has gets a note of what was meant: the server
  /// looks at errors before a handler of ours could add one.
  bool addMeant(json::Object &message) {
    json::Object *params = message.getObject("params");
    json::Array *errors = params ? params->getArray("diagnostics") : nullptr;
    if (!errors)
      return false;
    bool added = addRefused(params->getString("uri").value_or(""), *errors);
    for (json::Value &value : *errors) {
      json::Object *error = value.getAsObject();
      json::Value *range = error ? error->get("range") : nullptr;
      std::string meant =
          range ? meantBy(
                      error->getString("message").value_or(""),
                      textBefore(params->getString("uri").value_or(""), *range))
                : "";
      if (meant.empty())
        continue;
      added = true;
      json::Object note{
          {"location",
           json::Object{{"uri", params->getString("uri").value_or("").str()},
                        {"range", *range}}},
          {"message", "did you mean '" + meant + "'?"}};
      if (json::Array *notes = error->getArray("relatedInformation"))
        notes->push_back(std::move(note));
      else
        (*error)["relatedInformation"] = json::Array{std::move(note)};
    }
    return added;
  }

  /// The text before an error. Another thread hears of changes.
  std::string textBefore(StringRef uri, const json::Value &range) {
    lsp::Range place;
    json::Path::Root root;
    std::lock_guard lock(mutex);
    auto text = texts.find(uri);
    if (text == texts.end() || !fromJSON(range, place, root))
      return "";
    return cambium::textBefore(text->second, place.start.line + 1,
                               place.start.character + 1)
        .str();
  }

  std::string meantBy(StringRef error, StringRef before) {
    return findMeant(known(), error, before);
  }

  /// With all dialects; nothing is added to it.
  mlir::MLIRContext *known() {
    std::call_once(isMade, [&] {
      context = std::make_unique<mlir::MLIRContext>(
          registry, mlir::MLIRContext::Threading::DISABLED);
      context->loadAllAvailableDialects();
    });
    return context.get();
  }

  std::vector<StringRef> operations() {
    std::vector<StringRef> names;
    for (mlir::RegisteredOperationName name :
         known()->getRegisteredOperations())
      names.push_back(name.getStringRef());
    return names;
  }

  llvm::ArrayRef<std::string> folders; ///< Of -I.
  const mlir::DialectRegistry &registry;
  /// Made when it is needed.
  std::unique_ptr<mlir::MLIRContext> context;
  std::once_flag isMade;
  /// By their URIs; written by the thread that hears.
  llvm::StringMap<std::string> texts;
  llvm::StringMap<json::Object> refused;
  /// By the numbers of the requests.
  std::map<std::string, Addition> asked;
  std::mutex mutex;
};
} // namespace

//===----------------------------------------------------------------------===//
// Passing on
//===----------------------------------------------------------------------===//

/// Calls `handle` with each message until the channel ends.
static void readMessages(int channel, lsp::JSONStreamStyle style,
                         llvm::function_ref<void(std::string)> handle) {
  FILE *file = fdopen(channel, "r");
  lsp::JSONTransportInputOverFile input(file, style);
  while (!input.isEndOfInput() && !input.hasError()) {
    std::string message;
    if (llvm::succeeded(input.readMessage(message)))
      handle(std::move(message));
  }
  fclose(file);
}

static void passRequests(Conversation &conversation, int server,
                         lsp::JSONStreamStyle style) {
  readMessages(dup(STDIN_FILENO), style, [&](std::string message) {
    // Nor would the server survive it; no editor waits for an answer.
    if (isJsonTooDeep(message))
      return;
    llvm::Expected<json::Value> value = json::parse(message);
    if (!value)
      llvm::consumeError(value.takeError());
    else if (conversation.hear(*value))
      message = llvm::formatv("{0}", *value).str();
    // The server reads the same style. One that has ended reads nothing.
    (void)writeAll(server, style == lsp::JSONStreamStyle::Delimited
                               ? message + "\n// -----\n"
                               : withHeader(message));
  });
  close(server);
}

static void passAnswers(Conversation &conversation, int server) {
  readMessages(
      server, lsp::JSONStreamStyle::Standard, [&](std::string message) {
        llvm::Expected<json::Value> value = json::parse(message);
        if (!value)
          llvm::consumeError(value.takeError());
        else if (conversation.extend(*value))
          message = llvm::formatv(
              StringRef(message).contains('\n') ? "{0:2}" : "{0}", *value);
        // The server ends by what the editor says, also if this one is gone.
        (void)writeAll(STDOUT_FILENO, withHeader(message));
      });
}

int cambium::runBehindProxy(lsp::JSONStreamStyle style,
                            llvm::ArrayRef<std::string> folders,
                            const mlir::DialectRegistry &registry,
                            llvm::function_ref<int()> server) {
  int requests[2], answers[2];
  if (pipe(requests) != 0 || pipe(answers) != 0)
    llvm::report_fatal_error("cannot make a pipe");
  pid_t child = fork();
  if (child < 0)
    llvm::report_fatal_error("cannot start a process");
  if (child == 0) {
    dup2(requests[0], STDIN_FILENO);
    dup2(answers[1], STDOUT_FILENO);
    for (int channel : {requests[0], requests[1], answers[0], answers[1]})
      close(channel);
    return server();
  }
  close(requests[0]);
  close(answers[1]);
  signal(SIGPIPE, SIG_IGN);
  Conversation conversation(folders, registry);
  // It may wait for an editor that says nothing more: it ends with the process.
  std::thread([&, channel = requests[1]] {
    passRequests(conversation, channel, style);
  }).detach();
  passAnswers(conversation, answers[0]);
  int status = 0;
  llvm::sys::RetryAfterSignal(-1, waitpid, child, &status, 0);
  // No destructor runs under the thread that hears, and nothing waits for the
  // lock of the standard input, which that thread holds.
  fflush(stdout);
  fflush(stderr);
  _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}
