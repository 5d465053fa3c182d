//===-- runtime/train/WordVectors.cpp - Parameters from word vectors ------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WordVectors.h"
#include "Format.h"
#include "Learned.h"
#include "Names.h"

#include <algorithm>

using namespace cambium;
using namespace cambium::train;

Status train::parseVectorSources(const std::vector<std::string> &texts,
                                 const Engine &engine,
                                 std::vector<VectorSource> &sources) {
  sources.clear();
  for (const std::string &text : texts) {
    const size_t equals = text.find('=');
    const std::string words = text.substr(0, equals);
    const std::string name = words.substr(0, words.find(':'));
    if (name.empty() || words.back() == ':' || equals == std::string::npos ||
        equals + 1 == text.size())
      return Status::error("expected --vectors PARAMETER[:NAME]=FILE, but got "
                           "'" +
                           text + "'");
    auto found =
        std::find_if(engine.parameters.begin(), engine.parameters.end(),
                     [&](auto &each) { return each.name == name; });
    std::vector<std::string> names;
    for (const ParameterSpec &parameter : engine.parameters)
      names.push_back(parameter.name);
    if (found == engine.parameters.end())
      return Status::error("--vectors: expected a parameter of the model, but "
                           "got '" +
                           name + "'" + didYouMean(name, names));
    if (found->type != CAMBIUM_TYPE_F32 || found->shape.size() != 2)
      return Status::error(
          "--vectors: expected a parameter of rows of f32, but "
          "'" +
          name + "' is " + cambium_type_name(found->type) +
          formatShape(found->shape));
    sources.push_back({static_cast<size_t>(found - engine.parameters.begin()),
                       text.substr(equals + 1),
                       name == words ? "" : words.substr(name.size() + 1)});
  }
  return Status();
}

Status train::loadVectors(const std::vector<VectorSource> &sources,
                          data::Reader &reader, Engine &engine,
                          std::string &summary) {
  summary.clear();
  for (const VectorSource &source : sources) {
    const data::Vocabulary *words = findVocabulary(reader, source.vocabulary);
    if (!words)
      return Status::error(
          "--vectors: expected data with words" +
          (source.vocabulary.empty()
               ? std::string()
               : " of the vocabulary '" + source.vocabulary + "'"));
    const ParameterSpec &parameter = engine.parameters[source.parameter];
    const auto *now =
        static_cast<const float *>(engine.value(source.parameter));
    if (!now)
      return Status::error("--vectors: the device does not give '" +
                           parameter.name + "' back");
    std::vector<float> table(now, now + parameter.numElements);
    int64_t found = 0;
    if (Status status =
            data::readVectors(source.path, *words, parameter.shape[1],
                              parameter.shape[0], table.data(), found);
        !status.ok())
      return status;
    if (found == 0)
      return Status::error(
          source.path + ": expected words of the vocabulary, each with " +
          formatCount(parameter.shape[1]) + " numbers, but got none");
    if (Status status = engine.setValue(source.parameter, table.data());
        !status.ok())
      return status;
    // Padding and unknown words have no vectors.
    summary += parameter.name + ": vectors of " + formatCount(found) + " of " +
               formatCount(words->size() - 2) + " words from " + source.path +
               "\n";
  }
  return Status();
}
