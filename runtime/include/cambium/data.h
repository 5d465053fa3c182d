//===-- cambium/data.h - Readers of data files ------------------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Turns data files into examples: named fields that a host matches with the
/// inputs of a model. The library `cambium_data` stands beside the runtime and
/// does not need it. Nothing is printed; errors name the file, the line and the
/// column, and what was expected there. What reads or writes a file answers a
/// lack of memory with a Status too; functions that only work in memory may
/// throw std::bad_alloc.
///
///   std::unique_ptr<data::Reader> reader = data::createReader("ptb");
///   data::Status status = reader->fit("train.txt");        // the vocabulary
///   data::Dataset examples;
///   if (status.ok())
///     status = reader->read("train.txt", examples);
///
/// Objects may be used by one thread at a time; a finished Dataset by any
/// number.
///
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DATA_H
#define CAMBIUM_DATA_H

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace cambium::data {

/// Success, or the text of an error.
class [[nodiscard]] Status {
public:
  Status() = default;
  /// An error; `text` is not empty.
  static Status error(std::string text) {
    Status result;
    result.text = std::move(text);
    return result;
  }
  bool ok() const { return text.empty(); }
  /// What was wrong; empty on success.
  const std::string &message() const { return text; }

private:
  std::string text;
};

/// What a field holds. A tree is a parent index per node, -1 at the root; the
/// children of a node are in the order of their indices. A graph is a list of
/// children per node.
enum class FieldKind { Tree, Graph, I32, F32 };

/// One column of a data set: rows of all examples, one after the other.
struct Field {
  std::string name;
  FieldKind kind = FieldKind::I32;
  /// Whether an example has any number of rows (nodes, words), or exactly one.
  bool perRow = false;
  int64_t width = 1; ///< Numbers of a row.
  /// Of Tree and I32; of Graph how many children each node has.
  std::vector<int32_t> ints;
  std::vector<float> floats; ///< Of F32.
  /// Of Graph: the children of all nodes; example i has those from
  /// childOffsets[i] to childOffsets[i + 1].
  std::vector<int32_t> children;
  std::vector<int64_t> childOffsets{0};
  /// What the values 0, 1, ... of an I32 field stand for; empty if they are
  /// numbers, or ids of the vocabulary.
  std::vector<std::string> names;
  std::vector<int64_t> offsets{
      0}; ///< Example i has [offsets[i], offsets[i+1]).

  int64_t rows(int64_t example) const {
    return offsets[example + 1] - offsets[example];
  }
  /// The values of an example; of Tree and I32, and of F32.
  const int32_t *intsOf(int64_t example) const {
    return ints.data() + offsets[example] * width;
  }
  const float *floatsOf(int64_t example) const {
    return floats.data() + offsets[example] * width;
  }
  /// A value for a reader of it: its name, where it has one.
  std::string nameOf(int32_t value) const {
    return value >= 0 && value < static_cast<int64_t>(names.size())
               ? names[value]
               : std::to_string(value);
  }
  /// Ends the rows of an example: everything appended since the last call.
  void endExample() {
    const size_t numbers = kind == FieldKind::F32 ? floats.size() : ints.size();
    offsets.push_back(static_cast<int64_t>(numbers) / width);
    childOffsets.push_back(static_cast<int64_t>(children.size()));
  }
  /// Removes what was appended behind so many examples.
  void cutBack(int64_t examples);
};

/// Examples with named fields.
struct Dataset {
  std::string source; ///< The file's name, for messages.
  std::string digest; ///< digestOf(the file); empty if it is none.
  std::vector<Field> fields;
  std::vector<std::string> texts; ///< Each example as it was written.
  std::vector<int64_t> lines;     ///< The line of each example, from 1.
  /// Names of further columns of the file and, per example, their contents.
  std::vector<std::string> extraNames;
  std::vector<std::vector<std::string>> extras;
  /// Whether every example says what a model shall answer; where one does not,
  /// its target fields hold zeros.
  bool hasTargets = true;

  int64_t size() const { return static_cast<int64_t>(texts.size()); }
  /// The field of that name, or null.
  const Field *find(std::string_view name) const;
  /// "tree, words, labels": for messages.
  std::string fieldNames() const;
  /// Nodes of the example's tree, or else the length of its longest field.
  int64_t sizeOf(int64_t example) const;
  /// The edges on the longest way from the root of the example's tree to a
  /// leaf; 0 without a tree.
  int64_t heightOf(int64_t example) const;
  /// "train.txt:17", the place of an example.
  std::string where(int64_t example) const;
};

/// The heights of the nodes of a tree, given in any order.
std::vector<int32_t> nodeHeights(const int32_t *parents, int64_t numNodes);

/// Words and their ids: 0 is padding, 1 an unknown word, the others follow.
class Vocabulary {
public:
  static constexpr int32_t kPadding = 0, kUnknown = 1;
  /// Where sequences have ends: 2 begins one, 3 ends it.
  static constexpr const char *kBegin = "<s>", *kEnd = "</s>";

  Vocabulary();
  /// Gives 2 and 3 to the ends of sequences; before anything is counted.
  void addEnds();
  /// Counts an occurrence of a word.
  void count(std::string_view word);
  /// Gives ids to the counted words, the most frequent first (among equals the
  /// one seen first): those seen at least `minCount` times, as long as all ids
  /// stay below `limit` (0: no limit).
  void build(int64_t minCount, int64_t limit);
  /// Gives the next id to a word, unless it has one or that would not stay
  /// below `limit` (0: no limit). Whether it got one.
  bool add(std::string_view word, int64_t limit);
  /// The id of a word, or kUnknown.
  int32_t idOf(std::string_view word) const;
  /// The word of an id; null when out of range.
  const std::string *wordOf(int64_t id) const;
  int64_t size() const { return static_cast<int64_t>(words.size()); }

  /// One word per line, in the order of the ids; lines 1 and 2 are the padding
  /// and the unknown word. Written to a temporary file, then renamed.
  Status save(const std::string &path) const;
  Status load(const std::string &path);

private:
  Status loadWords(const std::string &path);

  std::vector<std::string> words;
  std::unordered_map<std::string, int32_t> ids;
  bool hasEnds = false;
  std::vector<std::pair<std::string, int64_t>> counted;
  std::unordered_map<std::string, size_t> countedIndex;
};

/// What the classes of a field are called, and their ids: the place of a name
/// among the names. Learned from the training file, so that every file has the
/// same ids. Where all labels of the training file are whole numbers from 0,
/// they are the ids, and there are no names.
class Labels {
public:
  static constexpr const char *kUnknownName = "<unk>";

  /// Counts a label of the training file.
  void count(std::string_view label);
  /// Gives ids to the counted labels, in the order of their bytes. With
  /// `hasUnknown`, 0 is a label that the training file does not have.
  void build(bool hasUnknown);
  /// The id of a label, by its name (in any case, if it is the only such one),
  /// or of a number where there are no names. -1 if there is none.
  int32_t idOf(std::string_view label) const;
  const std::vector<std::string> &names() const { return known; }
  void setNames(std::vector<std::string> names);
  /// "a label of the training data ('no', 'yes')": for messages.
  std::string expectation() const;

private:
  std::vector<std::string> known, counted;
  std::unordered_map<std::string, int32_t> ids, lowerIds;
};

/// Adds the words of a file of word vectors to a vocabulary, in the order of
/// the file, as long as all ids stay below `limit` (0: no limit).
Status addVectorWords(const std::string &path, int64_t limit,
                      Vocabulary &words);

/// Reads a file of word vectors: per line a word and its numbers, between
/// single spaces, as GloVe has them (a first line with the number of vectors
/// and their size, as word2vec has it, is skipped). Row `id` of `table`, which
/// has rows of `size` floats for `rows` words, becomes the vector of the
/// vocabulary's word `id`; rows of other words keep their values. The first
/// vector of a word counts. `numFound` is the number of rows that were set.
Status readVectors(const std::string &path, const Vocabulary &words,
                   int64_t size, int64_t rows, float *table, int64_t &numFound);

/// What becomes of nodes with more than two children.
enum class Binarize {
  None, ///< They stay as they are.
  Left, ///< (A b c d) becomes (A (A b c) d): left markovization.
  Right ///< (A b c d) becomes (A b (A c d)).
};

/// How a reader goes about its files.
struct ReaderOptions {
  bool requireTargets = true; ///< Examples must say what a model shall answer.
  bool lowercase = false; ///< ASCII letters of words, before the vocabulary.
  int64_t minCount = 1;   ///< Rarer words of the training file are unknown.
  /// By field of words: its ids stay below. Of a vocabulary, the least of all
  /// its fields holds; one that is not named has no limit.
  std::map<std::string, int64_t, std::less<>> fieldLimits;
  /// Of pairs: a folder with the words and trees of their sentences, or of such
  /// folders (id.txt, a.toks, a.parents, a.cparents, b.toks, ...). Empty: none.
  std::string parses;
  /// Of pairs and texts: the names of the columns, between commas. Empty: the
  /// first line names them.
  std::string layout;
  /// Of trees in brackets: a node with one child and that child become one,
  /// with the label of the upper one; done before `binarize`.
  bool collapseUnary = false;
  Binarize binarize = Binarize::None; ///< Of trees in brackets.
  /// Of ptb: the class of each label. Other labels count nothing: nodes of
  /// weight 0, and no example at the root. Empty: labels are the classes.
  std::map<int32_t, int32_t> classes;
  /// Of text and of pieces in tables: a tokenizer.json or a .model, which
  /// `tokenizerProgram` cuts texts into pieces with (docs/Tokenization.md).
  /// Empty: words between spaces.
  std::string tokenizer;
  std::string tokenizerProgram = "cambium-tokenize"; ///< A path, or in PATH.
  int32_t tokenizerSeconds = 120; ///< The longest that it may say nothing.
  int64_t maxTokens = 0;          ///< Of text: longer ones are cut; 0: none is.
};

/// What the answers of a model are compared with, by the form of the output.
struct TargetFields {
  std::string perExample; ///< Class of an example.
  std::string perRow;     ///< Class of each node; empty if there is none.
  /// Number of an example, or the sequence that a model shall answer with;
  /// empty if there is none.
  std::string value;
  /// Class + offset is the number that a class stands for.
  int32_t classOffset = 0;
  std::string metric; ///< The usual one: "accuracy", "rmse", "pearson".
  /// Field of the weight of each node, which counts unless it is 0; or empty.
  std::string rowWeight{};
};

/// A tree for a picture.
struct TreeText {
  std::string title;              ///< The sentence, the expression.
  std::vector<std::string> nodes; ///< What stands at each node; may be empty.
  /// The tree below each node as an example of its own, with its targets; empty
  /// if parts of the tree are no examples.
  std::vector<std::string> subtrees;
};

/// Reads one kind of files.
class Reader {
public:
  virtual ~Reader();
  Reader(const Reader &) = delete;
  Reader &operator=(const Reader &) = delete;

  ReaderOptions options;
  /// The labels of fields that have names, as `fit` has learned them.
  std::map<std::string, Labels, std::less<>> labels;

  virtual const char *name() const = 0;
  virtual TargetFields targets() const = 0;
  /// Learns from the training file what the reader must know: its vocabulary
  /// and its labels.
  Status fit(const std::string &path);
  /// The vocabulary, or null if the reader has none.
  virtual Vocabulary *vocabulary() { return nullptr; }
  /// Further vocabularies of a table, by the names that its columns give them.
  std::map<std::string, Vocabulary, std::less<>> vocabularies;
  /// The vocabulary whose words a field holds, or null.
  virtual const Vocabulary *vocabularyOf(std::string_view field) const;
  /// Of a table: the names and types of the columns of the training file, which
  /// say how answers are read where a file does not have them. Given a text,
  /// the vocabularies that it names are there, and empty. Else nothing.
  virtual std::string columns() const { return {}; }
  virtual Status setColumns(std::string_view text, const std::string &source);
  /// The same of the file that was read last.
  virtual std::string columnsAtHand() const { return {}; }
  /// Whether a field holds characters, which make a text without spaces.
  virtual bool isOfCharacters(std::string_view /*field*/) const {
    return false;
  }
  /// What ids of a field stand for, from the beginning to the end of a
  /// sequence: words of its vocabulary, or else numbers. A sequence ends with
  /// </s>, padding where the field has words, and anything negative.
  std::vector<std::string> tokensOf(std::string_view field, const int32_t *ids,
                                    int64_t count) const;
  /// Keeps the labels in a file, and takes them from one: per line a field, a
  /// tab and a name, in the order of the ids; no name where labels are numbers.
  /// No file is no labels.
  Status saveLabels(const std::string &path) const;
  Status loadLabels(const std::string &path);
  /// What the values of a field are called; empty if they are numbers, or words
  /// of the vocabulary.
  virtual const std::vector<std::string> &namesOf(std::string_view field) const;
  /// The fields that hold ids of the vocabulary.
  virtual std::vector<std::string> wordFields() const {
    return {"words", "tokens"};
  }
  /// Below which the ids of these fields stay (ReaderOptions::fieldLimits); 0:
  /// no limit.
  int64_t limitOf(const std::vector<std::string> &fields) const;
  /// Appends the examples of a text to `dataset`; `firstLine` is the number of
  /// its first line. On an error, examples before the bad one are kept.
  virtual Status readText(std::string_view text, const std::string &source,
                          int64_t firstLine, Dataset &dataset) = 0;
  /// Whether an example may end with this line; false where it goes on with the
  /// next one. For hosts that read examples as they come.
  virtual bool endsExample(std::string_view line) const;
  /// Describes the tree that the field `tree` holds of an example, which is
  /// given as Dataset::texts has it, in the file that was read last. False if
  /// there is none, or one that is too large for a picture.
  virtual bool describe(std::string_view text, std::string_view tree,
                        TreeText &result) const;
  /// Reads a whole file ("-": the standard input). No example is an error.
  Status read(const std::string &path, Dataset &dataset);

protected:
  Reader() = default;
  /// What `fit` does; nothing where there is nothing to learn.
  virtual Status learn(const std::string &path);

private:
  Status readWhole(const std::string &path, Dataset &dataset);
};

/// A reader by the name of its format; null if there is none.
std::unique_ptr<Reader> createReader(std::string_view format);

/// A format and one sentence about it, as in `--help`.
struct FormatInfo {
  const char *name;
  const char *summary;
};
const std::vector<FormatInfo> &formats();

/// Reads a whole file ("-": the standard input).
Status readFile(const std::string &path, std::string &contents);
/// The same for texts: anything but UTF-8 is an error that names the place of
/// the first wrong byte.
Status readTextFile(const std::string &path, std::string &contents);
/// An error if a text is not UTF-8, or has zero bytes; `firstLine` is the
/// number of its first line.
Status checkText(std::string_view text, const std::string &source,
                 int64_t firstLine);
/// The error of data in which there is no example. Says what `text` is, which
/// was read: all of it, or a part that is not blank.
Status lacksExamples(std::string_view text, const std::string &source);
/// 16 hexadecimal digits that tell contents apart (XXH64): whether a file is
/// the one of before, not whether somebody made it look so.
std::string digestOf(std::string_view contents);
/// The same of a file, or of the names and contents of a folder's files.
Status digestPath(const std::string &path, std::string &digest);
/// Makes a file beside another one, for what shall take its place when it is
/// whole: one that nobody else has. Gives its descriptor, or -1 and `errno`.
int openTemporary(const std::string &path, std::string &temporary);
/// Writes a file such that it appears whole or not at all.
Status writeFileAtomically(const std::string &path, std::string_view contents);

} // namespace cambium::data

#endif // CAMBIUM_DATA_H
