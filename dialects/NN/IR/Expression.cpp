//===-- dialects/NN/IR/Expression.cpp - Arithmetic written as text ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/NN/IR/Expression.h"
#include "dialects/NN/IR/ConstantLike.h"
#include "dialects/NN/IR/NN.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace cambium;

namespace {
bool startsName(char c) { return llvm::isAlpha(c) || c == '_'; }
bool inName(char c) { return llvm::isAlnum(c) || c == '_'; }

/// A recursive-descent parser that builds as it goes. Expressions are the
/// project's own and short, so recursion is bounded.
class Parser {
public:
  Parser(OpBuilder &builder, Location loc, StringRef text,
         const llvm::StringMap<Value> &names, Value like)
      : builder(builder), loc(loc), text(text), rest(text), names(names),
        like(like) {}

  FailureOr<Value> parse() {
    Value value = comparison();
    if (value && !skipSpace().empty())
      value = error("an operator");
    if (!value)
      return failure();
    return value;
  }

private:
  StringRef skipSpace() { return rest = rest.ltrim(); }

  Value error(const Twine &expected) {
    emitError(loc) << "expected " << expected << " in '" << text
                   << "', but got '" << rest << "'";
    return {};
  }

  bool consume(StringRef token) {
    skipSpace();
    return rest.consume_front(token);
  }

  template <typename Op> Value create(Value a) {
    return Op::create(builder, loc, a);
  }
  template <typename Op> Value create(Value a, Value b) {
    return Op::create(builder, loc, a, b);
  }

  Value comparison() {
    Value lhs = sum();
    if (!lhs)
      return lhs;
    std::optional<arith::CmpFPredicate> predicate;
    if (consume("<"))
      predicate = arith::CmpFPredicate::OLT;
    else if (consume(">"))
      predicate = arith::CmpFPredicate::OGT;
    else if (consume("=="))
      predicate = arith::CmpFPredicate::OEQ;
    if (!predicate)
      return lhs;
    Value rhs = sum();
    return rhs ? arith::CmpFOp::create(builder, loc, *predicate, lhs, rhs)
               : Value();
  }

  Value sum() {
    Value lhs = product();
    while (lhs) {
      bool plus = consume("+");
      if (!plus && !consume("-"))
        return lhs;
      Value rhs = product();
      if (!rhs)
        return rhs;
      lhs = plus ? create<arith::AddFOp>(lhs, rhs)
                 : create<arith::SubFOp>(lhs, rhs);
    }
    return lhs;
  }

  Value product() {
    Value lhs = unary();
    while (lhs) {
      bool times = consume("*");
      if (!times && !consume("/"))
        return lhs;
      Value rhs = unary();
      if (!rhs)
        return rhs;
      lhs = times ? create<arith::MulFOp>(lhs, rhs)
                  : create<arith::DivFOp>(lhs, rhs);
    }
    return lhs;
  }

  Value unary() {
    if (consume("-")) {
      Value value = unary();
      return value ? create<arith::NegFOp>(value) : value;
    }
    if (consume("(")) {
      Value value = comparison();
      if (value && !consume(")"))
        return error("')'");
      return value;
    }
    skipSpace();
    if (rest.empty())
      return error("a value");
    if (startsName(rest.front()))
      return nameOrCall();
    return number();
  }

  Value number() {
    StringRef digits = rest.take_while(
        [](char c) { return llvm::isDigit(c) || c == '.' || c == 'e'; });
    double value;
    if (digits.empty() || digits.getAsDouble(value))
      return error("a number");
    rest = rest.drop_front(digits.size());
    return constantLike(builder, loc, like, value);
  }

  Value nameOrCall() {
    StringRef name = rest.take_while(inName);
    StringRef start = rest;
    rest = rest.drop_front(name.size());
    if (!consume("(")) {
      if (Value value = names.lookup(name))
        return value;
      rest = start;
      return error("a known name");
    }
    SmallVector<Value> args;
    do {
      args.push_back(comparison());
      if (!args.back())
        return {};
    } while (consume(","));
    if (!consume(")"))
      return error("')'");
    Value value = call(name, args);
    if (value)
      return value;
    rest = start;
    return error("a known function with its number of arguments");
  }

  Value call(StringRef name, ArrayRef<Value> args) {
    if (args.size() == 1)
      return callUnary(name, args[0]);
    if (args.size() == 3 && name == "select")
      return arith::SelectOp::create(builder, loc, args[0], args[1], args[2]);
    if (args.size() != 2)
      return {};
    if (name == "pow")
      return create<math::PowFOp>(args[0], args[1]);
    if (name == "min")
      return create<arith::MinimumFOp>(args[0], args[1]);
    if (name == "max")
      return create<arith::MaximumFOp>(args[0], args[1]);
    return {};
  }

  Value callUnary(StringRef name, Value x) {
    using Build = Value (Parser::*)(Value);
    Build build = llvm::StringSwitch<Build>(name)
                      .Case("exp", &Parser::create<math::ExpOp>)
                      .Case("log", &Parser::create<math::LogOp>)
                      .Case("log1p", &Parser::create<math::Log1pOp>)
                      .Case("sqrt", &Parser::create<math::SqrtOp>)
                      .Case("rsqrt", &Parser::create<math::RsqrtOp>)
                      .Case("tanh", &Parser::create<math::TanhOp>)
                      .Case("sin", &Parser::create<math::SinOp>)
                      .Case("cos", &Parser::create<math::CosOp>)
                      .Case("abs", &Parser::create<math::AbsFOp>)
                      .Case("erf", &Parser::create<math::ErfOp>)
                      .Case("sigmoid", &Parser::create<nn::SigmoidOp>)
                      .Default(nullptr);
    if (build)
      return (this->*build)(x);
    if (name == "sign")
      return create<math::CopySignOp>(constantLike(builder, loc, like, 1.0), x);
    return {};
  }

  OpBuilder &builder;
  Location loc;
  StringRef text, rest;
  const llvm::StringMap<Value> &names;
  Value like;
};
} // namespace

FailureOr<Value> cambium::buildExpression(OpBuilder &builder, Location loc,
                                          StringRef text,
                                          const llvm::StringMap<Value> &names,
                                          Value like) {
  return Parser(builder, loc, text, names, like).parse();
}

SmallVector<StringRef> cambium::namesIn(StringRef text) {
  SmallVector<StringRef> names;
  while (!text.empty()) {
    if (llvm::isDigit(text.front())) {
      text =
          text.drop_while([](char c) { return llvm::isAlnum(c) || c == '.'; });
      continue;
    }
    if (!startsName(text.front())) {
      text = text.drop_front();
      continue;
    }
    StringRef name = text.take_while(inName);
    text = text.drop_front(name.size());
    if (!text.ltrim().starts_with("(") && !llvm::is_contained(names, name))
      names.push_back(name);
  }
  return names;
}
