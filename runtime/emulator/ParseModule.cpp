//===-- runtime/emulator/ParseModule.cpp - Modules and variables ----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Parser.h"

#include <algorithm>
#include <cstring>
#include <sstream>

using namespace cambium::emulator;

namespace {

uint64_t roundUp(uint64_t value, uint64_t align) {
  return (value + align - 1) / align * align;
}

/// `sm_90a`, `debug`, ...
void parseTarget(TokenReader &tokens, Module &module, Placement &placement) {
  Token word = tokens.peek();
  std::string name = tokens.word("a target");
  while (tokens.accept(","))
    tokens.word("a target");
  if (name.compare(0, 3, "sm_"))
    throw ParseError(word.line,
                     "expected a target like sm_90, but got '" + name + "'");
  module.target = std::atoi(name.c_str() + 3);
  module.exactTarget = name.back() == 'a';
  if (module.exactTarget ? module.target != placement.architecture
                         : module.target > placement.architecture)
    throw ParseError(word.line,
                     "expected code for sm_" +
                         std::to_string(placement.architecture) +
                         ", but got '" + name + "'",
                     ParseError::Reason::Target);
}

/// Drivers of CUDA 12.N know PTX 8.N.
void parseVersion(TokenReader &tokens, Module &module, Placement &placement) {
  Token word = tokens.take();
  int major = 0, minor = 0;
  if (std::sscanf(word.text.c_str(), "%2d.%2d", &major, &minor) != 2)
    throw ParseError(word.line, "expected a version like 8.0, but got '" +
                                    word.text + "'");
  module.version = major * 10 + minor;
  int known = (placement.driverVersion / 1000 - 4) * 10 +
              placement.driverVersion % 1000 / 10;
  if (module.version > known || module.version < 60)
    throw ParseError(
        word.line,
        "expected a version from 6.0 to " + std::to_string(known / 10) + "." +
            std::to_string(known % 10) + ", but got '" + word.text + "'",
        ParseError::Reason::Version);
}

/// Places of shared variables: those of the module, those of functions, then
/// those of each kernel, which are alone.
void placeShared(Module &module) {
  uint64_t end = kSharedBegin, longest = 0;
  auto put = [&](Variable &variable, uint64_t &at) {
    at = roundUp(at, variable.align);
    variable.address = at;
    at += variable.size;
  };
  auto isKernel = [&](const Variable &v) {
    return v.owner >= 0 &&
           module.functions[static_cast<size_t>(v.owner)]->isEntry;
  };
  for (Variable &variable : module.variables)
    if (variable.space == Space::Shared && !variable.dynamic &&
        !isKernel(variable))
      put(variable, end);
  longest = end;
  for (size_t f = 0; f < module.functions.size(); ++f) {
    uint64_t at = end;
    for (Variable &variable : module.variables)
      if (variable.space == Space::Shared && isKernel(variable) &&
          variable.owner == static_cast<int>(f))
        put(variable, at);
    module.functions[f]->staticShared = static_cast<uint32_t>(at);
    longest = std::max(longest, at);
  }
  uint64_t align = 16;
  for (const Variable &variable : module.variables)
    if (variable.dynamic)
      align = std::max(align, variable.align);
  if (longest > 1 << 24)
    throw ParseError(0, "expected at most 16 MB of shared memory, but got " +
                            std::to_string(longest));
  module.dynamicBegin = static_cast<uint32_t>(roundUp(longest, align));
  for (Variable &variable : module.variables)
    if (variable.dynamic)
      variable.address = module.dynamicBegin;
}

/// Gives every lane its copy of the constants.
void spreadConstants(Module &module, Function &function) {
  function.constantLanes.reset(new uint64_t[function.constantBytes / 8 + 8]);
  auto *bytes = reinterpret_cast<uint8_t *>(function.constantLanes.get());
  for (const Constant &constant : function.constants) {
    uint64_t value = constant.bits;
    if (constant.variable >= 0)
      value += module.variables[static_cast<size_t>(constant.variable)].address;
    uint8_t *to = bytes + constant.offset;
    if (!constant.width) {
      uint32_t all = value ? kAllLanes : 0;
      std::memcpy(to, &all, sizeof all);
    }
    for (int l = 0; constant.width && l < kLanes; ++l)
      std::memcpy(to + l * constant.width, &value, constant.width);
  }
}

void checkCalls(const Module &module, const Function &function) {
  for (const Instruction &instruction : function.code) {
    if (instruction.flow != Flow::Call)
      continue;
    const CallSite &site =
        function.calls[static_cast<size_t>(instruction.target)];
    if (site.callee < 0)
      continue;
    const Function &callee =
        *module.functions[static_cast<size_t>(site.callee)];
    if (!callee.isDefined || callee.isEntry)
      throw ParseError(instruction.line, "expected a function that is defined, "
                                         "but got '" +
                                             callee.name + "'");
    auto agree = [](const std::vector<Parameter> &a,
                    const std::vector<Parameter> &b) {
      bool same = a.size() == b.size();
      for (size_t i = 0; same && i < a.size(); ++i)
        same = a[i].size == b[i].size;
      return same;
    };
    if (!agree(site.arguments, callee.parameters) ||
        !agree(site.results, callee.results))
      throw ParseError(instruction.line,
                       "expected the parameters of '" + callee.name + "'");
  }
}

class ModuleParser {
public:
  ModuleParser(const std::string &text, Placement &placement)
      : tokens(tokenize(text)), placement(placement) {
    module = std::make_unique<Module>();
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
      module->lines.push_back(line);
  }

  std::unique_ptr<Module> run() {
    tokens.expect(".version");
    parseVersion(tokens, *module, placement);
    tokens.expect(".target");
    parseTarget(tokens, *module, placement);
    while (tokens.peek().kind != Token::End)
      parseDirective();
    placeShared(*module);
    for (const auto &function : module->functions) {
      spreadConstants(*module, *function);
      checkCalls(*module, *function);
      function->executions.resize(function->code.size());
      function->totals.resize(function->code.size());
    }
    for (const Variable &variable : module->variables)
      if (variable.space != Space::Shared)
        placement.initialize(variable);
    return std::move(module);
  }

private:
  void parseDirective() {
    if (tokens.accept(".address_size")) {
      if (tokens.integer() != 64)
        tokens.fail("addresses of 64 bits");
      return;
    }
    if (tokens.peek().is(".file") || tokens.peek().is(".loc") ||
        tokens.peek().is(".pragma"))
      return tokens.skipLine();
    if (tokens.accept(".section"))
      return skipSection();
    bool isExternal = false;
    while (tokens.peek().is(".visible") || tokens.peek().is(".extern") ||
           tokens.peek().is(".weak") || tokens.peek().is(".common"))
      isExternal |= tokens.take().is(".extern");
    if (tokens.peek().is(".entry") || tokens.peek().is(".func"))
      return parseFunction();
    Space space = Space::Generic;
    if (tokens.accept(".global"))
      space = Space::Global;
    else if (tokens.accept(".const"))
      space = Space::Const;
    else if (tokens.accept(".shared"))
      space = Space::Shared;
    else
      tokens.fail("a directive of a module");
    uint32_t line = tokens.peek().line;
    int index = parseVariable(tokens, *module, space, -1, isExternal);
    if (space != Space::Shared)
      place(module->variables[static_cast<size_t>(index)], line);
  }

  void place(Variable &variable, uint32_t line) {
    try {
      variable.address = placement.place(variable);
    } catch (const std::bad_alloc &) {
      throw ParseError(line, "expected memory for '" + variable.name + "'",
                       ParseError::Reason::Memory);
    }
  }

  void skipSection() {
    while (tokens.peek().kind != Token::End && !tokens.accept("}"))
      tokens.take();
  }

  std::vector<Parameter> parseParameters(uint32_t &end) {
    std::vector<Parameter> parameters;
    tokens.expect("(");
    if (tokens.accept(")"))
      return parameters;
    do {
      tokens.expect(".param");
      parameters.push_back(BodyParser::parseParameter(tokens, end));
    } while (tokens.accept(","));
    tokens.expect(")");
    return parameters;
  }

  void parseFunction() {
    bool isEntry = tokens.take().is(".entry");
    std::vector<Parameter> results, parameters;
    uint32_t end = 0, line = tokens.peek().line;
    if (tokens.peek().is("("))
      results = parseParameters(end);
    std::string name = tokens.word("the name of a function");
    if (tokens.peek().is("("))
      parameters = parseParameters(end);
    int index = functionOf(*module, name, line);
    Function &function = *module->functions[static_cast<size_t>(index)];
    if (function.isDefined)
      throw ParseError(line, "expected one function '" + name + "'");
    function.isEntry = isEntry;
    function.line = line;
    function.results = std::move(results);
    function.parameters = std::move(parameters);
    function.parameterBytes = end;
    parsePerformance(function);
    if (tokens.accept(";"))
      return;
    tokens.expect("{");
    function.isDefined = true;
    BodyParser(tokens, *module, function, index).run();
    orderBlocks(function);
  }

  /// `.maxntid 256, 1, 1` and the like.
  void parsePerformance(Function &function) {
    while (tokens.peek().kind == Token::Word && tokens.peek().text[0] == '.') {
      std::string name = tokens.take().text;
      uint64_t product = 1;
      while (tokens.peek().kind == Token::Number ||
             tokens.peek().kind == Token::Text) {
        if (tokens.peek().kind == Token::Text)
          tokens.take();
        else
          product *= tokens.count("a number", 1 << 20);
        if (!tokens.accept(","))
          break;
      }
      if (name == ".maxntid" || name == ".reqntid")
        function.maxThreads =
            static_cast<uint32_t>(std::min<uint64_t>(product, 1u << 30));
      if (name == ".pragma")
        tokens.expect(";");
    }
  }

  TokenReader tokens;
  Placement &placement;
  std::unique_ptr<Module> module;
};

} // namespace

int cambium::emulator::functionOf(Module &module, const std::string &name,
                                  uint32_t line) {
  auto found = module.functionsByName.find(name);
  if (found != module.functionsByName.end())
    return found->second;
  auto index = static_cast<int>(module.functions.size());
  module.functions.push_back(std::make_unique<Function>());
  module.functions.back()->name = name;
  module.functions.back()->line = line;
  module.functionsByName[name] = index;
  return index;
}

std::unique_ptr<Module> cambium::emulator::parseModule(const std::string &text,
                                                       Placement &placement) {
  return ModuleParser(text, placement).run();
}
