#===-- test/Tools/cambium-run/Inputs/bad_models.py - Mistakes in models --===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Rows of bad_input.py: modules and the texts of models."""
from bad_data import TRAIN


def module(name, change):
    """A damaged copy of the module."""
    return {"name": name, "run": "cambium-run inspect DIR/bad.so",
            "copies": {"bad.so": "model.so"}, "change": {"bad.so": change}}


def other(name, file):
    return {"name": name, "run": f"cambium-run inspect DIR/{file}"}


def model(name, text):
    return {"name": name, "files": {"bad.mlir": text},
            "run": "cambium-compile DIR/bad.mlir -o DIR/bad.so"}


FOLD = """func.func @f(%t: !tree.tree, %x: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %h = tree.fold %t nodes(%xj = %x : tensor<2xf32>)
                 children(%hk : tensor<?x{state}xf32>) -> (tensor<2xf32>) {
    tree.yield %xj : tensor<2xf32>
  }
  return %h : tensor<?x2xf32>
}
"""
ADD = """func.func @f(%a: tensor<?xf32> {cambium.rows = "words"},
             %b: tensor<?xf32> {cambium.rows = "labels"}) -> tensor<?xf32> {
  %c = arith.addf %a, %b : tensor<?xf32>
  return %c : tensor<?xf32>
}
"""

ROWS = [
    other("a module that nobody made", "nothing.so"),
    other("a folder instead of a module", "run"),
    other("a text instead of a module", "good.txt"),
    other("a checkpoint instead of a module", "run/best.safetensors"),
    other("a library that is no module", "library.so"),
    other("a module of another version", "version.so"),
    other("a module for another processor", "processor.so"),
    other("a module whose manifest is broken", "manifest.so"),
    module("a module cut in the middle", lambda c: c[:3000]),
    module("a module for another machine", lambda c: c[:18] + b"\x08" + c[19:]),
    module("a module of 32 bits", lambda c: c[:4] + b"\x01" + c[5:]),
    {"name": "parameters larger than the machine",
     "run": TRAIN.replace("BAD", "DIR/good.txt").replace("model.so", "large.so")},
    model("a model that ends early", "func.func @f("),
    model("an op that is not known", "func.func @f() { %x = nn.guess : f32 return }"),
    model("children that disagree with the yield", FOLD.replace("{state}", "3")),
    model("rows of different spaces", ADD),
    model("a type that does not fit",
          "func.func @f(%x: tensor<2xf32>) -> tensor<3xf32> "
          "{ return %x : tensor<2xf32> }"),
    model("bytes instead of a model", b"\x7fELF\x02\x01\x01\x00\xff\xfe"),
    model("a comment that commands the terminal",
          "func.func @f() {\n  return\n} // \x1b[31m and \u009b31m\n"),
    model("a name that commands the terminal",
          'func.func @"\\1B[31m"() {\n  return\n}\n' * 2),
    model("a place that commands the terminal",
          'module {\n  func.func @f() {\n    return loc("\\1B[31m":1:1)\n  }\n'
          '  func.func @f() {\n    return\n  } loc("\\1B[31m":1:1)\n}\n'),
    model("an attribute that an op does not have",
          "func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
          "  %y = arith.addf %x, %x {fastmth = 1} : tensor<2xf32>\n"
          "  return %y : tensor<2xf32>\n}\n"),
    model("a keyword that a parameter does not have",
          "nn.param @W : tensor<2xf32> frozn\n"),
    {"name": "a pipe instead of a model", "pipes": ["pipe"],
     "run": "cambium-compile DIR/pipe -o DIR/bad.so"},
    {"name": "a pipe that is imported", "pipes": ["pipe"],
     "files": {"bad.mlir": 'nn.import "pipe"\n'},
     "run": "cambium-compile DIR/bad.mlir -o DIR/bad.so"},
    {"name": "a pipe that a place names", "pipes": ["pipe"],
     "files": {"bad.mlir": 'module {\n  func.func @f() {\n    return\n  }\n'
                           '  func.func @f() {\n    return\n  } loc("pipe":1:1)\n}\n'},
     "run": "cambium-compile DIR/bad.mlir -o DIR/bad.so"},
    model("bytecode instead of a model", b"ML\xefR\x06MLIR"),
    {"name": "a folder of files that is not there",
     "run": "cambium-compile DIR/good.txt -I DIR/none -o DIR/bad.so"},
    {"name": "a phase that is misspelled",
     "run": "cambium-compile DIR/bad.mlir --compile-to=btached"},
    {"name": "a text that is misspelled",
     "run": "cambium-compile DIR/bad.mlir --emit=optimised-ir"},
    {"name": "a processor that is misspelled",
     "files": {"bad.mlir": ""},
     "run": "cambium-compile DIR/bad.mlir --mcpu=x86-64v3 -o DIR/bad.so"},
    {"name": "a text beside a phase",
     "run": "cambium-compile DIR/bad.mlir --emit=ir --compile-to=linalg"},
    {"name": "a size for a later phase",
     "run": "cambium-compile DIR/bad.mlir --size a=1 --compile-from=linalg -o DIR/bad.so"},
]
