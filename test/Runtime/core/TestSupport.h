//===-- test/Runtime/core/TestSupport.h - What the tests share ------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TEST_RUNTIME_TESTSUPPORT_H
#define CAMBIUM_TEST_RUNTIME_TESTSUPPORT_H

#include "cambium/abi.h"
#include "cambium/runtime.h"

#include "gtest/gtest.h"

#include <cstdio>
#include <memory>
#include <random>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

extern "C" const cambium_abi_module_t *fake_cambium_module_query(void);

namespace cambium::test {

/// The call succeeds; else the test shows the error text.
#define EXPECT_OK(call)                                                        \
  EXPECT_EQ(call, CAMBIUM_STATUS_OK) << cambium_last_error()
#define ASSERT_OK(call)                                                        \
  ASSERT_EQ(call, CAMBIUM_STATUS_OK) << cambium_last_error()

/// The call fails with that status and exactly that text.
#define EXPECT_ERROR(call, status, text)                                       \
  do {                                                                         \
    EXPECT_EQ(call, CAMBIUM_STATUS_##status);                                  \
    EXPECT_STREQ(cambium_last_error(), std::string(text).c_str());             \
  } while (false)

/// The call fails with that status, and its text has that part.
#define EXPECT_ERROR_PART(call, status, part)                                  \
  do {                                                                         \
    EXPECT_EQ(call, CAMBIUM_STATUS_##status);                                  \
    EXPECT_NE(std::string(cambium_last_error()).find(part), std::string::npos) \
        << "the error is: " << cambium_last_error();                           \
  } while (false)

/// Handles that destroy themselves.
template <typename T, void (*destroy)(T *)> struct Destroy {
  void operator()(T *object) const { destroy(object); }
};
template <typename T, void (*destroy)(T *)>
using Owned = std::unique_ptr<T, Destroy<T, destroy>>;
using Module = Owned<cambium_module_t, cambium_module_destroy>;
using Store = Owned<cambium_store_t, cambium_store_destroy>;
using Batch = Owned<cambium_batch_t, cambium_batch_destroy>;
using Session = Owned<cambium_session_t, cambium_session_destroy>;
using Forest = Owned<cambium_forest_t, cambium_forest_destroy>;

inline Module fakeModule() {
  cambium_module_t *module = nullptr;
  EXPECT_OK(cambium_module_from_query(fake_cambium_module_query, &module));
  return Module(module);
}

inline Store makeStore(const cambium_module_t *module, uint64_t seed = 1) {
  cambium_store_options_t options = {};
  options.seed = seed;
  cambium_store_t *store = nullptr;
  EXPECT_OK(cambium_store_create(module, &options, &store));
  return Store(store);
}

inline Session makeSession(cambium_session_options_t options = {}) {
  if (options.num_threads == 0)
    options.num_threads = 1;
  cambium_session_t *session = nullptr;
  EXPECT_OK(cambium_session_create(&options, &session));
  return Session(session);
}

inline Batch makeBatch(const cambium_module_t *module, const char *entry) {
  cambium_batch_t *batch = nullptr;
  EXPECT_OK(
      cambium_batch_create(cambium_module_find_entry(module, entry), &batch));
  return Batch(batch);
}

/// A batch of one example, of an entry without inputs.
inline Batch oneExample(const cambium_module_t *module, const char *entry) {
  Batch batch = makeBatch(module, entry);
  EXPECT_OK(cambium_batch_begin_example(batch.get(), 0));
  EXPECT_OK(cambium_batch_end_example(batch.get()));
  EXPECT_OK(cambium_batch_finish(batch.get()));
  return batch;
}

inline Forest makeForest() {
  cambium_forest_t *forest = nullptr;
  EXPECT_OK(cambium_forest_create(&forest));
  return Forest(forest);
}

/// Of a manifest whose first entry is another one: a training step.
inline const std::string kStepEntries =
    "{\"name\": \"t.accumulate\", \"kind\": \"accumulate\", \"step\": \"t\", "
    "\"outputs\": [{\"name\": \"loss\", \"type\": \"f32\", \"shape\": [], "
    "\"space\": -2}]}, "
    "{\"name\": \"t.apply\", \"kind\": \"apply\", \"step\": \"t\", "
    "\"accumulate\": 1, \"scalars\": [\"lr.default\", \"gradient_scale\"]}";

/// A module whose manifest and other parts a test chooses. One at a time.
class CustomModule {
public:
  explicit CustomModule(std::string manifest) : text(std::move(manifest)) {
    abi.magic = CAMBIUM_ABI_MAGIC;
    abi.abi_version = CAMBIUM_ABI_VERSION;
    abi.cpu = "test";
    abi.cpu_features = "";
    abi.manifest = text.c_str();
    current() = &abi;
  }
  CustomModule(const CustomModule &) = delete;
  CustomModule &operator=(const CustomModule &) = delete;
  ~CustomModule() { current() = nullptr; }

  cambium_status_t load(Module &module) {
    cambium_module_t *handle = nullptr;
    cambium_status_t status = cambium_module_from_query(query, &handle);
    module.reset(handle);
    return status;
  }

  cambium_abi_module_t abi = {};

private:
  static const cambium_abi_module_t *&current() {
    static const cambium_abi_module_t *module;
    return module;
  }
  static const cambium_abi_module_t *query() { return current(); }
  std::string text;
};

/// A folder that vanishes with its files.
class TemporaryFolder {
public:
  TemporaryFolder() {
    char pattern[] = "/tmp/cambium-test-XXXXXX";
    folder = mkdtemp(pattern);
  }
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;
  ~TemporaryFolder() {
    std::string command = "rm -rf '" + folder + "'";
    EXPECT_EQ(std::system(command.c_str()), 0);
  }
  std::string operator/(const std::string &name) const {
    return folder + "/" + name;
  }
  const std::string &path() const { return folder; }

private:
  std::string folder;
};

inline std::string readFile(const std::string &path) {
  std::string text;
  std::FILE *file = std::fopen(path.c_str(), "rb");
  EXPECT_NE(file, nullptr) << path;
  char piece[4096];
  size_t size;
  while (file && (size = std::fread(piece, 1, sizeof(piece), file)) > 0)
    text.append(piece, size);
  if (file)
    std::fclose(file);
  return text;
}

inline void writeFile(const std::string &path, const std::string &text) {
  std::FILE *file = std::fopen(path.c_str(), "wb");
  ASSERT_NE(file, nullptr) << path;
  ASSERT_EQ(std::fwrite(text.data(), 1, text.size(), file), text.size());
  std::fclose(file);
}

/// The generator of a randomized test. Its seed is printed, and may be set with
/// CAMBIUM_TEST_SEED to repeat a run.
inline std::mt19937 makeGenerator() {
  const char *wanted = std::getenv("CAMBIUM_TEST_SEED");
  unsigned seed = wanted
                      ? static_cast<unsigned>(std::strtoul(wanted, nullptr, 10))
                      : std::random_device()();
  std::printf("seed: CAMBIUM_TEST_SEED=%u\n", seed);
  ::testing::Test::RecordProperty("seed", std::to_string(seed));
  return std::mt19937(seed);
}

} // namespace cambium::test

#endif // CAMBIUM_TEST_RUNTIME_TESTSUPPORT_H
