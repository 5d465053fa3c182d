//===-- test/Runtime/data/TextReaderTest.cpp - Texts, and their pieces ----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tokenizers of these tests are shell scripts: cambium-tokenize itself is
// tested in test/Tools.
//
//===----------------------------------------------------------------------===//

#include "ReaderTestSupport.h"

using namespace cambium::data;
using namespace cambium::data::test;

namespace {

/// Options of texts that a script cuts.
ReaderOptions cutBy(const Folder &folder, const std::string &script) {
  ReaderOptions options = noTargets();
  options.tokenizer = "tokenizer.json";
  options.tokenizerProgram = folder.write("program", "#!/bin/sh\n" + script);
  std::filesystem::permissions(options.tokenizerProgram,
                               std::filesystem::perms::owner_all);
  options.tokenizerSeconds = 20;
  return options;
}

/// A piece for each byte of a line, of segment 1 behind a tab.
const char kBytes[] = R"(exec /usr/bin/python3 -c '
import sys
for line in sys.stdin:
    ids, types, kind = [], [], 0
    for c in line.rstrip("\n"):
        kind |= c == "\t"
        if c != "\t":
            ids.append(str(ord(c)))
            types.append(str(int(kind)))
    print(*ids, end="\t")
    print(*types, flush=True)
'
)";

TEST(TextReader, readsWordsWithoutATokenizer) {
  Folder folder;
  const std::string path =
      folder.write("f", "1\tb a b\r\n0\ta c\td\n3\t2012\n");
  std::unique_ptr<Reader> reader = createReader("text");
  ASSERT_TRUE(reader->fit(path).ok());
  Dataset dataset;
  Status status = reader->read(path, dataset);
  ASSERT_TRUE(status.ok()) << status.message();
  ASSERT_EQ(dataset.size(), 3);
  // "b" and "a" stand twice.
  EXPECT_EQ(intsOf(dataset, "tokens", 0), (Ints{2, 3, 2}));
  EXPECT_EQ(intsOf(dataset, "tokens", 1), (Ints{3, 4, 5}));
  EXPECT_EQ(intsOf(dataset, "segments", 1), (Ints{0, 0, 1}));
  EXPECT_EQ(intsOf(dataset, "label", 2), Ints{3});
  EXPECT_EQ(dataset.where(1), path + ":2");
  EXPECT_TRUE(dataset.hasTargets);
}

TEST(TextReader, readsNamedColumns) {
  std::unique_ptr<Reader> reader = createReader("text");
  Dataset dataset = parse(*reader, "id\ttext_b\tscore\ttext\tlabel\n"
                                   "x7\tb c\t0.5\ta\t2\n");
  EXPECT_EQ(intsOf(dataset, "segments", 0), (Ints{0, 1, 1}));
  EXPECT_EQ(intsOf(dataset, "label", 0), Ints{2});
  EXPECT_EQ(dataset.find("score")->floatsOf(0)[0], 0.5f);
  EXPECT_EQ(dataset.extraNames[0], "id");
  EXPECT_EQ(dataset.extras[0][0], "x7");
}

TEST(TextReader, saysWhatIsWrong) {
  EXPECT_EQ(errorOf("text", "a b\n"),
            "f:1:1: expected a class and a tab before the text, but got 'a b'");
  EXPECT_EQ(
      errorOf("text", "-1\ta\n"),
      "f:1:1: expected a class that is a whole number from 0, but got '-1'");
  EXPECT_EQ(errorOf("text", "1\t \n"),
            "f:1:3: expected a text, but got nothing");
  EXPECT_EQ(errorOf("text", "1\ta\tb\tc\n"),
            "f:1:8: expected one text, or two with a tab between them, but got "
            "4 columns");
  EXPECT_EQ(errorOf("text", "1\ta\nb\n", noTargets()),
            "f:2:1: expected a class and a tab, as in the lines before, but "
            "got 'b'");
  EXPECT_EQ(errorOf("text", "a\n1\tb\n", noTargets()),
            "f:2:1: expected a text alone, as in the lines before, but got "
            "'1\\x09b'");
  EXPECT_EQ(errorOf("text", "text\tlabel\na\n"),
            "f:2:2: expected 2 columns, but got 1 columns");
  EXPECT_EQ(errorOf("text", "text\tscore\na\tx\n"),
            "f:2:3: expected a number, but got 'x'");
}

TEST(TextReader, keepsWhatStandsBeforeABadLine) {
  std::unique_ptr<Reader> reader = createReader("text");
  Dataset dataset;
  EXPECT_FALSE(reader->readText("0\ta\n1\tb\nx\n", "f", 1, dataset).ok());
  EXPECT_EQ(dataset.size(), 2);
  EXPECT_EQ(dataset.find("label")->offsets.size(), 3u);
}

TEST(TextReader, asksTheTokenizerOnceForAll) {
  Folder folder;
  std::unique_ptr<Reader> reader = createReader("text");
  reader->options =
      cutBy(folder, "echo \"$@\" >> " + folder.path + "/started\n" + kBytes);
  reader->options.maxTokens = 9;
  EXPECT_EQ(reader->vocabulary(), nullptr);
  Dataset dataset = parse(*reader, "ab\tc\n\nd\n");
  // A line of nothing is a text.
  ASSERT_EQ(dataset.size(), 3);
  EXPECT_EQ(intsOf(dataset, "tokens", 0), (Ints{97, 98, 99}));
  EXPECT_EQ(intsOf(dataset, "segments", 0), (Ints{0, 0, 1}));
  EXPECT_EQ(intsOf(dataset, "tokens", 1), Ints{});
  EXPECT_EQ(intsOf(dataset, "tokens", 2), Ints{100});
  EXPECT_EQ(intsOf(parse(*reader, "e"), "tokens", 0), Ints{101});
  std::string started;
  ASSERT_TRUE(readFile(folder.path + "/started", started).ok());
  EXPECT_EQ(started, "encode --pairs --types --max-tokens=9 -- "
                     "tokenizer.json\n");
}

TEST(TextReader, questionsAndAnswersMayBeLong) {
  Folder folder;
  std::unique_ptr<Reader> reader = createReader("text");
  reader->options = cutBy(folder, kBytes);
  std::string text;
  for (int line = 0; line < 2000; ++line)
    text += std::string(200, static_cast<char>('a' + line % 26)) + "\n";
  Dataset dataset = parse(*reader, text);
  ASSERT_EQ(dataset.size(), 2000);
  EXPECT_EQ(intsOf(dataset, "tokens", 1999), Ints(200, 'a' + 1999 % 26));
}

/// The error of reading a text that a script cuts, which may take its time.
std::string errorBy(const std::string &script, int seconds = 10000) {
  Folder folder;
  ReaderOptions options = cutBy(folder, script);
  options.tokenizerSeconds = seconds;
  std::string text = errorOf("text", "a\nb\n", options);
  const size_t place = text.find(options.tokenizerProgram);
  return place == std::string::npos
             ? text
             : text.replace(place, options.tokenizerProgram.size(), "PROGRAM");
}

TEST(TextReader, saysHowATokenizerEnded) {
  const std::string ended =
      "PROGRAM: expected the ids of each text, but it ended with ";
  EXPECT_EQ(errorBy("exit 3"), ended + "exit code 3");
  EXPECT_EQ(errorBy("echo out of luck >&2; exit 1"),
            ended + "exit code 1: out of luck");
  EXPECT_EQ(errorBy("kill -11 $$"), ended + "signal 11");
  EXPECT_EQ(errorBy("read line; echo '1\t0'; exit 0"), ended + "exit code 0");
  EXPECT_EQ(errorBy("echo 'cambium-tokenize: error: no such model' >&2; "
                    "exit 1"),
            "no such model");
}

TEST(TextReader, doesNotBelieveATokenizer) {
  const std::string expected = "PROGRAM: expected ids, a tab and as many "
                               "segments for each text, but got ";
  EXPECT_EQ(errorBy("echo 1 2; echo 3; sleep 5"), expected + "'1 2'");
  EXPECT_EQ(errorBy("printf '1 2\\t0\\n1\\t0\\n'; sleep 5"),
            expected + "'1 2\\x090'");
  EXPECT_EQ(errorBy("printf '1\\t0\\n-1\\t0\\n'; sleep 5"),
            expected + "'-1\\x090'");
  EXPECT_EQ(errorBy("printf '1\\t0\\n1\\t0\\n1\\t0\\n'; sleep 5"),
            expected + "'1\\x090'");
}

TEST(TextReader, doesNotWaitForever) {
  EXPECT_EQ(errorBy("exec sleep 1000000", 1),
            "PROGRAM: expected the ids of each text, but got nothing for 1 s");
}

TEST(TextReader, aTokenizerThatCannotRunIsNamed) {
  ReaderOptions options = noTargets();
  options.tokenizer = "tokenizer.json";
  options.tokenizerProgram = "/nonexistent/program";
  EXPECT_EQ(errorOf("text", "a", options),
            "/nonexistent/program: cannot run the program that cuts texts into "
            "pieces: No such file or directory");
}

TEST(TextReader, aTokenizerThatEndedIsStartedAgain) {
  Folder folder;
  std::unique_ptr<Reader> reader = createReader("text");
  reader->options =
      cutBy(folder, "[ -e " + folder.path + "/second ] || { : > " +
                        folder.path + "/second; exit 1; }\n" + kBytes);
  Dataset dataset;
  EXPECT_FALSE(reader->readText("a\n", "f", 1, dataset).ok());
  EXPECT_EQ(intsOf(parse(*reader, "b"), "tokens", 0), Ints{98});
}

} // namespace
