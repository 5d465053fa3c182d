#===-- test/Tools/checks_test.py - The rules that scripts check ----------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Checks of tools/check-structure find what they are for, and nothing else."""

import os
import sys
import tempfile
import unittest

ROOT = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(ROOT, "tools"))

from checks import clashes, constants, digests, includes, oplists  # noqa: E402
from checks import prose, shell, subjects, tablegen, top  # noqa: E402
from checks.tree import Tree  # noqa: E402


class Checks(unittest.TestCase):
    def findings(self, check, **files):
        """The findings of a check in a folder with these files ("__" is a slash)."""
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                name, _, suffix = name.replace("__", "/").rpartition("_")
                path = os.path.join(folder, f"{name}.{suffix}")
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
            return [str(f) for f in check(Tree(folder))]

    def test_clashes(self):
        one = ("namespace {\nstruct Shared {\n  int member;\n};\n} // namespace\n"
               "static int sized(int a) {\n  return a;\n}\nstatic int kMost = 1;\n")
        two = ("struct Shared;\nusing Alias = int;\nstatic int sized(double a) {\n"
               "  static int kMost = 1;\n  return kMost;\n}\n")
        library = "add_library(One STATIC\n  a.cpp b.cpp) # c.cpp\n"
        self.assertEqual(self.findings(clashes.check, lib__CMakeLists_txt=library,
                                       lib__a_cpp=one, lib__b_cpp=two, lib__c_cpp=one), [])
        found = self.findings(clashes.check, lib__CMakeLists_txt=library, lib__a_cpp=one,
                              lib__b_cpp=one)
        self.assertEqual(len(found), 3, found)
        self.assertRegex(found[0], "lib/b.cpp:2: error: expected a name that no other file "
                         "of One has, but 'Shared' is also in lib/a.cpp:2")

    def test_digests(self):
        good = 'run([python, "-m", "pip", "install", "--quiet", "--require-hashes", "-r", a])\n'
        self.assertEqual(self.findings(digests.check, tools__a_py=good), [])
        local = good.replace("--require-hashes", "--no-index")
        self.assertEqual(self.findings(digests.check, tools__a_py=local), [])
        for bad in (good.replace('"--require-hashes", ', ""),
                    "python -m pip download \\\n  something\n"):
            found = self.findings(digests.check, tools__a_py="\n" + bad)
            self.assertEqual(len(found), 1, bad)
            self.assertRegex(found[0], "tools/a.py:2: error: expected --require-hashes")

    def test_lists_of_ops(self):
        nodes = ("def NN_AOp : NN_Op<\"a\"> {\n}\ndef NN_BOp : NN_Op<\"b\"> {\n}\n",
                 "def Tree_COp : Tree_Op<\"c\"> {\n}\n")
        good = ("using namespace cambium::nn;\nbool x = isa<AOp>(op) || isa<arith::AddFOp, "
                "func::CallOp>(op);\nif (auto a = dyn_cast<AOp>(op))\n  f(a);\n"
                "if (auto b = dyn_cast<BOp>(op))\n  f(b);\n")
        bad = {"isa<nn::AOp, tree::COp>(op);\n": "nn::AOp, tree::COp",
               "using namespace cambium::nn;\nisa_and_nonnull<AOp,\n BOp>(op);\n":
               "nn::AOp, nn::BOp",
               "TypeSwitch<Operation *, int>(op)\n.Case([](nn::AOp a) { return 1; })\n"
               ".Case([](nn::BOp b) { return 2; });\n": "nn::AOp, nn::BOp",
               "patterns.add<Fold<nn::AOp>, Fold<nn::BOp>>(context);\n": "nn::AOp, nn::BOp",
               "if (auto a = dyn_cast<nn::AOp>(op)) {\n  f(a);\n} else if (auto c = "
               "dyn_cast<tree::COp>(op)) {\n  f(c);\n}\n": "nn::AOp, tree::COp"}
        files = {"dialects__NN__IR__NN_td": nodes[0], "dialects__Tree__IR__Tree_td": nodes[1]}
        self.assertEqual(self.findings(oplists.check, lib__Linalg__Good_cpp=good, **files), [])
        for text, names in bad.items():
            self.assertEqual(self.findings(oplists.check, lib__Linalg__VerifyIt_cpp=text,
                                           **files), [])
            found = self.findings(oplists.check, lib__Linalg__Bad_cpp=text, **files)
            self.assertEqual(len(found), 1, (text, found))
            self.assertIn(f"but got a list of ops: {names}", found[0])
        own = "using namespace cambium::nn;\nisa<AOp, BOp>(op);\n"
        self.assertEqual(self.findings(oplists.check, dialects__NN__Transforms__Own_cpp=own,
                                       **files), [])

    def test_constants_of_machines(self):
        good = ("static constexpr unsigned kMaxNesting = 512;\nconstexpr int64_t tileCount = "
                "ShapedType::kDynamic;\nint64_t tile = 64;\n")
        self.assertEqual(self.findings(constants.check, lib__A_cpp=good), [])
        for line in ("static constexpr int64_t kTileRows = 8;", "constexpr uint64_t alignment{64};",
                     "inline constexpr int64_t kWork = int64_t(1) << 18;"):
            found = self.findings(constants.check, dialects__NN__A_h=line + "\n")
            self.assertEqual(len(found), 1, line)
            self.assertIn("dialects/NN/A.h:1: error: expected what depends on the machine to be "
                          "a member of TargetCosts, but got the constant", found[0])

    def test_prose(self):
        long = "word " * 30
        code = f"```text\n{long}\n```\n| {long} |\n# {long}\n`{long}`\n"
        self.assertEqual(self.findings(prose.check, docs__page_md=code), [])
        found = self.findings(prose.check, docs__page_md=f"{code}\n- {long}\n")
        self.assertEqual(len(found), 1, found)
        self.assertIn("docs/page.md:8: error: expected a line of at most 100", found[0])

    def test_definitions(self):
        """The example has the op itself, and that of a test is no comment."""
        text = ('include "mlir/IR/OpBase.td"\ndef Toy : Dialect {\n  let name = "toy";\n}\n'
                'def OneOp : Op<Toy, "one"> {\n  let summary = "One.";\n'
                "  let description = [{\n    ```mlir\n    EXAMPLE\n    ```\n  }];\n}\n")
        for example, line, wanted in (
                ("%0 = toy.one", "toy.one", []),
                ("%0 = toy.other // toy.one", "toy.one", ["in its description"]),
                ("", "toy.one", ["in its description"]),
                ("toy.one", "// toy.one", ["in a test of"]), ("toy.one", "toy.ones", ["in a test"])):
            found = self.findings(tablegen.check, dialects__Toy_td=text.replace("EXAMPLE", example),
                                  test__Toy__IR__ops_mlir=f"// RUN: x\n{line}\n")
            self.assertEqual(len(found), len(wanted), found)
            for finding, words in zip(found, wanted):
                self.assertIn(words, finding)

    def test_commands(self):
        line = "run " + "--option value " * 7 + "'a quoted  text' | sort > file"
        page = ["```sh", line, f"  {line} \\", "  more", "# " + line, line + " # why", "```"]
        found = self.findings(prose.check, docs__page_md="\n".join(page))
        self.assertEqual([int(text.split(":")[1]) for text in found], [2, 3, 6])
        done = prose.wrap(page)
        self.assertEqual(prose.wrap(done), done)
        self.assertEqual([len(text) > 100 for text in done].count(True), 1)  # The comment.
        joined = "\n".join(done).replace("\\\n", "")
        self.assertEqual(joined.replace("   ", " ").split(), "\n".join(page).replace(
            "\\\n", "").split())
        self.assertIn("'a quoted  text'", joined)
        self.assertFalse(any(text.endswith((" value", "|", ">")) and text != line
                             for text in done if not text.endswith("\\")))
        self.assertEqual(prose.wrap(["```sh", "cat <<'E'", line, "E", "```"])[2], line)

    def test_wrapping_changes_only_spaces(self):
        text = ("A `span of code` and " * 9 + "- 5 is no item.").split("\n")
        item = ["- " + "word " * 30, "  more " * 20, "- next"]
        page = [*text, "", *item, "", "```", "x" * 200, "```", "short", "lines"]
        done = prose.wrap(page)
        self.assertEqual(" ".join(done).split(), " ".join(page).split())
        self.assertEqual(prose.wrap(done), done)
        self.assertEqual(done[-5:], page[-5:])
        self.assertTrue(all(len(line) <= 100 for line in done[:-4]))
        self.assertFalse(any(line.startswith("- 5") for line in done))
        self.assertEqual([line[:2] for line in done if line.startswith("- ")], ["- "] * 2)

    def test_one_parser_of_json(self):
        text = "#include <rapidjson/reader.h>\n"
        self.assertEqual(self.findings(includes.check, runtime__core__Json_cpp=text), [])
        found = self.findings(includes.check, runtime__train__Json_cpp=text)
        self.assertEqual(len(found), 1, found)
        self.assertIn("runtime/train/Json.cpp:1: error: expected RapidJSON in "
                      "runtime/core/Json.cpp alone", found[0])

    def test_shell(self):
        known = ("RUN: printf 'a $(b)`' | FileCheck --check-prefix=A$ %s\n"
                 "RUN: sh -c \"test $(date)\"\nCHECK: $(date)\n")
        self.assertEqual(self.findings(shell.check, test__a_test=known), [])
        for unknown in ("$(date)", "`date`", "$HOME", "\"${HOME}\""):
            found = self.findings(shell.check, test__a_mlir=f"\n// RUN: echo {unknown}\n")
            self.assertEqual(len(found), 1, found)
            self.assertIn("test/a.mlir:2: error: expected words and redirections", found[0])

    def test_top(self):
        self.assertEqual(self.findings(top.check, lib__a_cpp="", README_md="",
                                       **{".ci__a_txt": ""}), [])
        found = self.findings(top.check, lib__a_cpp="", left_mlir="", more__a_txt="")
        self.assertEqual(len(found), 2, found)
        self.assertIn("left.mlir: error: expected nothing else at the top level", found[0])

    def test_subjects(self):
        known = subjects.tags(Tree(ROOT))
        self.assertIn("NN", known)
        self.assertNotIn("tag", known)

        def faults(subject):
            return list(subjects.faults(known, subject))

        self.assertEqual(faults("[NN] " + "x" * 67), [])
        self.assertEqual(len(faults("[NN] " + "x" * 68)), 1)
        self.assertRegex(faults("[Nn] What")[0], r"but got \[Nn\]")
        for subject in ("What", "[NN][RT] What", "[NN]  What", "NN: What"):
            self.assertEqual(faults(subject), ["expected a subject '[Tag] What'"], subject)


if __name__ == "__main__":
    unittest.main()
