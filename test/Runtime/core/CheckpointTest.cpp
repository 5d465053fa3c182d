//===-- test/Runtime/core/CheckpointTest.cpp - Saving and loading ---------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TestSupport.h"

#include <cstring>
#include <dirent.h>

using namespace cambium::test;

namespace {

class CheckpointTest : public ::testing::Test {
protected:
  Module module = fakeModule();
  Store store = makeStore(module.get(), 1);
  TemporaryFolder folder;
  std::string path = folder / "model.safetensors";

  /// Fills gradients' companions, so that there is something to save.
  void train() {
    Session session = makeSession();
    Batch batch = makeBatch(module.get(), "train.accumulate");
    for (int32_t row = 0; row < 3; ++row) {
      float target = 2;
      ASSERT_OK(cambium_batch_begin_example(batch.get(), 0));
      ASSERT_OK(
          cambium_batch_set_input(batch.get(), 0, CAMBIUM_TYPE_I32, 1, &row));
      ASSERT_OK(cambium_batch_set_input(batch.get(), 1, CAMBIUM_TYPE_F32, 1,
                                        &target));
      ASSERT_OK(cambium_batch_end_example(batch.get()));
    }
    ASSERT_OK(cambium_batch_finish(batch.get()));
    const cambium_learning_rate_t rate = {nullptr, 0.1};
    for (int i = 0; i < 3; ++i)
      ASSERT_OK(cambium_step(session.get(), store.get(), batch.get(), &rate, 1,
                             nullptr));
  }

  static void expectSame(const cambium_store_t *a, const cambium_store_t *b,
                         bool withState) {
    const cambium_module_t *module = cambium_store_module(a);
    for (int64_t i = 0; i < cambium_module_num_parameters(module); ++i) {
      const cambium_parameter_info_t *info =
          cambium_module_parameter(module, i);
      auto bytes = static_cast<size_t>(info->num_elements *
                                       cambium_type_size(info->type));
      EXPECT_EQ(std::memcmp(cambium_store_value(a, i),
                            cambium_store_value(b, i), bytes),
                0)
          << info->name;
      for (int32_t slot = 0; withState && slot < info->state_slots; ++slot)
        EXPECT_EQ(std::memcmp(cambium_store_state(a, i, slot),
                              cambium_store_state(b, i, slot), bytes),
                  0)
            << info->name << slot;
    }
  }

  std::vector<std::string> filesInFolder() const {
    std::vector<std::string> files;
    DIR *directory = opendir(folder.path().c_str());
    while (dirent *entry = readdir(directory))
      if (entry->d_name[0] != '.')
        files.emplace_back(entry->d_name);
    closedir(directory);
    return files;
  }
};

} // namespace

TEST_F(CheckpointTest, RoundTrip) {
  train();
  ASSERT_OK(cambium_store_set_metadata(store.get(), "epoch", "12"));
  ASSERT_OK(cambium_store_set_metadata(store.get(), "odd \"key\"\n",
                                       "\xC3\xA4 \\ \"cambium.checksum\":\"0"));
  ASSERT_OK(cambium_store_save(store.get(), path.c_str(), 0));
  EXPECT_EQ(filesInFolder().size(), 1u);
  Store other = makeStore(module.get(), 2);
  ASSERT_OK(cambium_store_set_metadata(other.get(), "old", "gone"));
  ASSERT_OK(cambium_store_load(other.get(), path.c_str(), 0));
  expectSame(store.get(), other.get(), true);
  EXPECT_EQ(cambium_store_step_count(other.get(), "train"), 3);
  EXPECT_EQ(cambium_store_num_metadata(other.get()), 2);
  EXPECT_STREQ(cambium_store_metadata(other.get(), "epoch"), "12");
  EXPECT_STREQ(cambium_store_metadata(other.get(), "odd \"key\"\n"),
               "\xC3\xA4 \\ \"cambium.checksum\":\"0");
  // Saved again, the file is the same to the last bit.
  std::string again = folder / "again.safetensors";
  ASSERT_OK(cambium_store_save(other.get(), again.c_str(), 0));
  EXPECT_EQ(readFile(path), readFile(again));
}

TEST_F(CheckpointTest, ParametersOnly) {
  train();
  ASSERT_OK(cambium_store_save(store.get(), path.c_str(),
                               CAMBIUM_CHECKPOINT_PARAMETERS_ONLY));
  EXPECT_EQ(readFile(path).find("#state"), std::string::npos);
  Store other = makeStore(module.get(), 2);
  ASSERT_OK(cambium_store_load(other.get(), path.c_str(), 0));
  expectSame(store.get(), other.get(), false);
  EXPECT_EQ(cambium_store_step_count(other.get(), nullptr), 0);
  EXPECT_EQ(cambium_store_state(other.get(), 0, 0), nullptr);
  // A file with state, of which only the parameters are wanted.
  ASSERT_OK(cambium_store_save(store.get(), path.c_str(), 0));
  ASSERT_OK(cambium_store_load(other.get(), path.c_str(),
                               CAMBIUM_CHECKPOINT_PARAMETERS_ONLY));
  EXPECT_EQ(cambium_store_state(other.get(), 0, 0), nullptr);
  EXPECT_EQ(cambium_store_step_count(other.get(), nullptr), 0);
}

/// What the file lacks of the optimizer starts anew.
TEST_F(CheckpointTest, MissingStateIsZero) {
  ASSERT_OK(cambium_store_save(store.get(), path.c_str(), 0));
  train();
  ASSERT_OK(cambium_store_load(store.get(), path.c_str(), 0));
  EXPECT_EQ(cambium_store_step_count(store.get(), nullptr), 0);
  EXPECT_EQ(*static_cast<float *>(cambium_store_state(store.get(), 1, 0)),
            0.0f);
}

TEST_F(CheckpointTest, ListsAllMismatches) {
  ASSERT_OK(cambium_store_save(store.get(), path.c_str(), 0));
  CustomModule custom(
      "{\"abi\": 6, \"entries\": [], \"params\": ["
      "{\"name\": \"table\", \"type\": \"f32\", \"shape\": [8, 3]},"
      "{\"name\": \"w\", \"type\": \"f64\", \"shape\": [3]},"
      "{\"name\": \"new\", \"type\": \"f32\", \"shape\": []}]}");
  Module other;
  ASSERT_OK(custom.load(other));
  Store target = makeStore(other.get());
  std::string both = "\n  'table': expected F32[8, 3], but got F32[8, 2]"
                     "\n  'w': expected F64[3], but got F32[3]";
  EXPECT_ERROR(cambium_store_load(target.get(), path.c_str(), 0), MISMATCH,
               "checkpoint '" + path +
                   "' does not fit module 'static' (4 mismatches):" + both +
                   "\n  'new' is missing, expected F32[]" +
                   "\n  'frozen' is in the file, but not in the module");
  EXPECT_ERROR(cambium_store_load(target.get(), path.c_str(),
                                  CAMBIUM_CHECKPOINT_ALLOW_MISSING |
                                      CAMBIUM_CHECKPOINT_ALLOW_EXTRA),
               MISMATCH,
               "checkpoint '" + path +
                   "' does not fit module 'static' (2 mismatches):" + both);
}

/// State by rows and columns has shapes of its own.
TEST_F(CheckpointTest, FactoredState) {
  std::string head = "{\"abi\": 6, \"entries\": [], \"params\": [{\"name\": "
                     "\"W\", \"type\": \"f32\", \"shape\": [2, 5, 3], "
                     "\"state_slots\": 2";
  CustomModule factored(head + ", \"factored\": true}]}");
  Module module, other;
  ASSERT_OK(factored.load(module));
  CustomModule whole(head + "}]}");
  ASSERT_OK(whole.load(other));
  Store from = makeStore(module.get()), to = makeStore(module.get()),
        unlike = makeStore(other.get());
  EXPECT_EQ(cambium_store_state_elements(from.get(), 0, 0), 10);
  EXPECT_EQ(cambium_store_state_elements(from.get(), 0, 1), 6);
  EXPECT_EQ(cambium_store_state_elements(unlike.get(), 0, 1), 30);
  ASSERT_OK(cambium_store_prepare_training(from.get()));
  auto *rows = static_cast<float *>(cambium_store_state(from.get(), 0, 0));
  auto *columns = static_cast<float *>(cambium_store_state(from.get(), 0, 1));
  rows[9] = 9, columns[5] = 5;
  ASSERT_OK(cambium_store_save(from.get(), path.c_str(), 0));
  ASSERT_OK(cambium_store_load(to.get(), path.c_str(), 0));
  EXPECT_EQ(static_cast<float *>(cambium_store_state(to.get(), 0, 0))[9], 9);
  EXPECT_EQ(static_cast<float *>(cambium_store_state(to.get(), 0, 1))[5], 5);
  EXPECT_ERROR(cambium_store_load(unlike.get(), path.c_str(), 0), MISMATCH,
               "checkpoint '" + path +
                   "' does not fit module 'static' (2 mismatches):"
                   "\n  'W#state0': expected F32[2, 5, 3], but got F32[2, 5]"
                   "\n  'W#state1': expected F32[2, 5, 3], but got F32[2, 3]");
  ASSERT_OK(cambium_store_load(unlike.get(), path.c_str(),
                               CAMBIUM_CHECKPOINT_PARAMETERS_ONLY));
}

TEST_F(CheckpointTest, MayMissAndMayHaveMore) {
  ASSERT_OK(cambium_store_save(store.get(), path.c_str(), 0));
  CustomModule custom("{\"abi\": 6, \"entries\": [], \"params\": ["
                      "{\"name\": \"w\", \"type\": \"f32\", \"shape\": [3]},"
                      "{\"name\": \"new\", \"type\": \"f32\", \"shape\": [],"
                      " \"init\": {\"kind\": \"constant\", \"a\": 3}}]}");
  Module other;
  ASSERT_OK(custom.load(other));
  Store target = makeStore(other.get());
  ASSERT_OK(cambium_store_load(target.get(), path.c_str(),
                               CAMBIUM_CHECKPOINT_ALLOW_MISSING |
                                   CAMBIUM_CHECKPOINT_ALLOW_EXTRA));
  EXPECT_EQ(*static_cast<const float *>(cambium_store_value(target.get(), 0)),
            0.5f);
  EXPECT_EQ(*static_cast<const float *>(cambium_store_value(target.get(), 1)),
            3.0f);
}

TEST_F(CheckpointTest, UnwritableOutput) {
  std::string nowhere = folder / "no/such/folder/model.safetensors";
  EXPECT_ERROR_PART(cambium_store_save(store.get(), nowhere.c_str(), 0),
                    IO_ERROR,
                    "cannot write '" + nowhere + "': cannot create '");
  EXPECT_ERROR_PART(cambium_store_save(store.get(), nowhere.c_str(), 0),
                    IO_ERROR, "No such file or directory");
  // A folder stands where the file should go.
  std::string blocked = folder / "blocked";
  ASSERT_EQ(mkdir(blocked.c_str(), 0777), 0);
  EXPECT_ERROR_PART(cambium_store_save(store.get(), blocked.c_str(), 0),
                    IO_ERROR, "cannot rename '");
  EXPECT_EQ(filesInFolder(), std::vector<std::string>{"blocked"});
  // A device is not replaced by a file.
  EXPECT_ERROR(cambium_store_save(store.get(), "/dev/null", 0), IO_ERROR,
               "cannot write '/dev/null': not a regular file");
}

/// A full disk (here: a limit on file sizes) leaves the old checkpoint alone.
TEST_F(CheckpointTest, OldFileSurvives) {
  ASSERT_OK(cambium_store_save(store.get(), path.c_str(), 0));
  std::string before = readFile(path);
  std::string command = "ulimit -f 0; exec '" +
                        std::string(CAMBIUM_TEST_MODULES) +
                        "/CambiumRuntimeSaveTool' '" + path + "'";
  int status = std::system(("trap '' XFSZ; " + command).c_str());
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), CAMBIUM_STATUS_IO_ERROR);
  EXPECT_EQ(readFile(path), before);
  EXPECT_EQ(filesInFolder().size(), 1u);
}

TEST_F(CheckpointTest, NoSuchFile) {
  EXPECT_ERROR(cambium_store_load(store.get(), path.c_str(), 0), NOT_FOUND,
               "cannot open checkpoint '" + path +
                   "': No such file or directory");
  EXPECT_ERROR(
      cambium_store_load(store.get(), folder.path().c_str(), 0), IO_ERROR,
      "cannot read checkpoint '" + folder.path() + "': not a regular file");
  EXPECT_ERROR(cambium_store_load(store.get(), nullptr, 0), INVALID_ARGUMENT,
               "cambium_store_load: argument 'path' is null");
}

TEST_F(CheckpointTest, FileInitializers) {
  const float w[] = {0.5f, 17, 0.5f};
  ASSERT_OK(cambium_store_set_value(store.get(), 1, CAMBIUM_TYPE_F32, 3, w));
  ASSERT_OK(cambium_store_save(store.get(), path.c_str(), 0));
  auto create = [&](const std::string &file, const std::string &tensor,
                    const std::string &shape, Store &result) {
    CustomModule custom(
        "{\"abi\": 6, \"entries\": [], \"params\": [{\"name\": \"v\", "
        "\"type\": \"f32\", \"shape\": [" +
        shape +
        "], \"init\": {\"kind\": "
        "\"file\", \"path\": \"" +
        file + "\", \"tensor\": \"" + tensor + "\"}}]}");
    Module other;
    EXPECT_OK(custom.load(other));
    cambium_store_options_t options = {};
    std::string directory = folder.path();
    options.data_dir = directory.c_str();
    cambium_store_t *handle = nullptr;
    cambium_status_t status =
        cambium_store_create(other.get(), &options, &handle);
    result.reset(handle);
    return status;
  };
  Store result;
  for (const std::string &file : {std::string("model.safetensors"), path}) {
    ASSERT_OK(create(file, "w", "3", result));
    EXPECT_EQ(
        static_cast<const float *>(cambium_store_value(result.get(), 0))[1],
        17.0f);
  }
  EXPECT_ERROR(create("x", "w", "3", result), NOT_FOUND,
               "initializer of parameter 'v': cannot open file '" +
                   (folder / "x") + "': No such file or directory");
  EXPECT_ERROR(create("model.safetensors", "q", "3", result), NOT_FOUND,
               "initializer of parameter 'v': file '" + path +
                   "' has no tensor 'q'");
  EXPECT_ERROR(create("model.safetensors", "w", "4", result), MISMATCH,
               "initializer of parameter 'v': file '" + path +
                   "', tensor 'w': expected F32[4], but got F32[3]");
}
