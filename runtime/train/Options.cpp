//===-- runtime/train/Options.cpp - Options, saved and compared -----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "Format.h"
#include "Names.h"

#include <algorithm>
#include <charconv>
#include <cmath>

using namespace cambium;
using namespace cambium::train;

/// The options are not changed through the result.
static OptionValue valueOf(const OptionInfo &option, const Options &options) {
  return option.valueOf(const_cast<Options &>(options));
}

//===----------------------------------------------------------------------===//
// Texts
//===----------------------------------------------------------------------===//

static std::string numberText(double value) {
  char buffer[64];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  return std::string(buffer, end);
}

namespace {

struct ToText {
  std::string operator()(const bool *value) { return *value ? "true" : ""; }
  std::string operator()(const double *value) { return numberText(*value); }
  std::string operator()(const std::string *value) { return *value; }
  std::string operator()(const std::vector<std::string> *value) {
    std::string text;
    for (const std::string &item : *value)
      text += (text.empty() ? "" : ",") + item;
    return text;
  }
  template <typename T> std::string operator()(const T *value) {
    return std::to_string(*value);
  }
};

/// Parses a text into the value; false if it is none.
struct FromText {
  std::string_view text;

  bool operator()(bool *value) {
    *value = text.empty() || text == "true";
    return *value || text == "false";
  }
  bool operator()(std::string *value) {
    value->assign(text);
    return true;
  }
  bool operator()(std::vector<std::string> *value) {
    value->emplace_back(text);
    return true;
  }
  template <typename T> bool operator()(T *value) {
    const char *end = text.data() + text.size();
    T parsed{};
    const auto result = std::from_chars(text.data(), end, parsed);
    if (result.ec != std::errc() || result.ptr != end)
      return false;
    *value = parsed;
    return true;
  }
};

/// The value as a number; none where it is no number.
struct ToNumber {
  double operator()(const int *value) { return *value; }
  double operator()(const int64_t *value) { return double(*value); }
  double operator()(const uint64_t *value) { return double(*value); }
  double operator()(const double *value) { return *value; }
  template <typename T> double operator()(const T *) { return kNone; }
};

} // namespace

/// "a whole number from 1 to 4096".
static std::string expectation(const OptionInfo &option,
                               const OptionValue &value) {
  const bool isWhole = !std::holds_alternative<double *>(value);
  const bool isNatural = std::holds_alternative<uint64_t *>(value);
  std::string text = isWhole ? "a whole number" : "a number";
  if (isNatural)
    return text + " from 0 to 18446744073709551615";
  if (std::isfinite(option.least))
    text += (option.excludesLeast ? " above " : " from ") +
            formatNumber(option.least, 15);
  if (std::isfinite(option.most))
    text += (std::isfinite(option.least) && !option.excludesLeast
                 ? " to "
                 : " of at most ") +
            formatNumber(option.most, 15);
  return text;
}

static std::vector<std::string> choicesOf(const OptionInfo &option) {
  std::vector<std::string> choices;
  std::string_view rest = option.choices;
  while (true) {
    const size_t comma = rest.find(',');
    choices.emplace_back(rest.substr(0, comma));
    if (comma == std::string_view::npos)
      return choices;
    rest.remove_prefix(comma + 1);
  }
}

std::string train::textOf(const OptionInfo &option, const Options &options) {
  return std::visit(ToText(), valueOf(option, options));
}

Status train::setOption(const OptionInfo &option, std::string_view text,
                        Options &options) {
  Options changed = options;
  const OptionValue value = option.valueOf(changed);
  auto expected = [&](const std::string &what, const std::string &hint = "") {
    return Status::error("expected " + what + ", but got '" +
                         std::string(text) + "'" + hint);
  };
  if (option.choices) {
    const std::vector<std::string> choices = choicesOf(option);
    std::string list;
    for (const std::string &choice : choices)
      list += (list.empty() ? "" : ", ") + choice;
    if (std::find(choices.begin(), choices.end(), text) == choices.end())
      return expected("one of " + list, didYouMean(text, choices));
  }
  if (!std::visit(FromText{text}, value))
    return expected(std::holds_alternative<bool *>(value)
                        ? "true or false"
                        : expectation(option, value));
  if (const double number = std::visit(ToNumber(), value);
      number < option.least || number > option.most ||
      (option.excludesLeast && number == option.least) ||
      (std::holds_alternative<double *>(value) && !std::isfinite(number)))
    return expected(expectation(option, value));
  options = std::move(changed);
  return Status();
}

/// What an item of GROUP=RATE is about; nothing in an alternative without it.
static std::string_view keyOf(const OptionInfo &option, std::string_view item) {
  const size_t equals = item.find('=');
  const bool isAlternative =
      std::string_view(option.valueName).find('|') != std::string_view::npos;
  return equals == item.npos && isAlternative ? "" : item.substr(0, equals);
}

/// One of two items about the same would have no effect.
static Status refuseTwice(const OptionInfo &option, const OptionValue &target,
                          std::string_view item) {
  const auto *list = std::get_if<std::vector<std::string> *>(&target);
  if (!list ||
      std::string_view(option.valueName).find('=') == std::string_view::npos)
    return Status();
  for (const std::string &other : **list)
    if (keyOf(option, other) == keyOf(option, item))
      return Status::error("expected each of '" +
                           std::string(option.valueName) + "' once, but got '" +
                           other + "' and '" + std::string(item) + "'");
  return Status();
}

Status train::refuseDoubles(const OptionInfo &option, const Options &options) {
  const OptionValue value = valueOf(option, options);
  const auto *list = std::get_if<std::vector<std::string> *>(&value);
  if (!list)
    return Status();
  std::vector<std::string> before;
  Status status;
  for (const std::string &item : **list) {
    if (status.ok())
      status = refuseTwice(option, &before, item);
    before.push_back(item);
  }
  return status;
}

Status Options::set(std::string_view name, std::string_view value) {
  const OptionInfo *option = findOption(name);
  if (!option) {
    std::vector<std::string> names;
    for (const OptionInfo &each : optionTable())
      names.emplace_back(each.name);
    return Status::error("expected the name of an option, but got '" +
                         std::string(name) + "'" + didYouMean(name, names));
  }
  // What is given replaces the default, and then what is given adds up.
  const OptionValue target = option->valueOf(*this);
  if (auto *list = std::get_if<std::vector<std::string> *>(&target);
      list && !given.count(name))
    (*list)->clear();
  Status status = refuseTwice(*option, target, value);
  if (status.ok())
    status = setOption(*option, value, *this);
  if (!status.ok())
    return Status::error("--" + std::string(name) + ": " + status.message());
  given.emplace(name);
  return status;
}

//===----------------------------------------------------------------------===//
// Saved options
//===----------------------------------------------------------------------===//

namespace {

struct ToJson {
  template <typename T> Json operator()(const T *value) { return Json(*value); }
};

/// False if the JSON value is of another type.
struct FromJson {
  const Json &json;

  bool operator()(std::string *value) {
    *value = json.text(*value);
    return json.isText();
  }
  bool operator()(bool *value) {
    *value = json.truth(*value);
    return json.isTruth();
  }
  bool operator()(int64_t *value) {
    *value = json.integer(*value);
    return json.isInteger();
  }
  bool operator()(int *value) {
    const int64_t number = json.integer(*value);
    *value = static_cast<int>(number);
    return json.isInteger() && *value == number;
  }
  bool operator()(uint64_t *value) {
    *value = json.natural(*value);
    return json.isNatural();
  }
  bool operator()(double *value) {
    *value = json.number(*value);
    return json.isNumber();
  }
  bool operator()(std::vector<std::string> *value) {
    value->clear();
    for (const Json &item : json.items()) {
      if (!item.isText())
        return false;
      value->push_back(item.text());
    }
    return json.isArray();
  }
};

} // namespace

Json train::optionsToJson(const Options &options) {
  Json object = Json::object();
  for (const OptionInfo &option : optionTable())
    if (option.onResume != OnResume::NotKept)
      object.set(option.name, std::visit(ToJson(), valueOf(option, options)));
  return object;
}

Status train::optionsFromJson(const Json &object, const std::string &source,
                              Options &options) {
  for (const OptionInfo &option : optionTable()) {
    const Json &json = object[option.name];
    if (option.onResume == OnResume::NotKept || json.isNull())
      continue;
    if (!std::visit(FromJson{json}, option.valueOf(options)))
      return Status::error(source + ": options." + option.name + ": expected " +
                           expectation(option, option.valueOf(options)) +
                           " or a value of the option's type, but got " +
                           json.compact());
  }
  return Status();
}

Status train::checkSaved(const Options &options, const std::string &source) {
  static const Options defaults;
  Options scratch;
  for (const OptionInfo &option : optionTable()) {
    const std::string text = textOf(option, options);
    // Defaults may be beyond what can be given: no seeds, no threads.
    if (text == textOf(option, defaults))
      continue;
    if (Status status = setOption(option, text, scratch); !status.ok())
      return Status::error(source + ": options." + option.name + ": " +
                           status.message());
  }
  return Status();
}

bool train::isGiven(const OptionInfo &option, const Options &options) {
  static const Options defaults;
  return options.given.count(option.name) > 0 ||
         textOf(option, options) != textOf(option, defaults);
}

void train::copyOption(const OptionInfo &option, const Options &from,
                       Options &to) {
  std::visit(
      [&](auto *value) {
        using T = std::remove_pointer_t<decltype(value)>;
        *value = *std::get<T *>(valueOf(option, from));
      },
      option.valueOf(to));
}

Status train::mergeResumed(const Options &saved, const std::string &source,
                           Options &options) {
  std::string refused;
  Options merged = options;
  for (const OptionInfo &option : optionTable()) {
    if (option.onResume == OnResume::NotKept)
      continue;
    const bool given = isGiven(option, options);
    const std::string before = textOf(option, saved);
    const std::string now = textOf(option, options);
    if (given && option.onResume == OnResume::Refuse && before != now)
      refused += std::string(refused.empty() ? "" : ", ") + "--" + option.name +
                 " (there '" + before + "', now '" + now + "')";
    if (!given || option.onResume == OnResume::Refuse)
      copyOption(option, saved, merged);
  }
  if (!refused.empty())
    return Status::error("expected the options of the training in " + source +
                         ", but got other values for " + refused);
  merged.model.module =
      options.model.module.empty() ? saved.model.module : options.model.module;
  options = std::move(merged);
  return Status();
}
