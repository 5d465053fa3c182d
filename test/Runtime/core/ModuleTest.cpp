//===-- test/Runtime/core/ModuleTest.cpp - Loading modules ----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TestSupport.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace cambium::test;

namespace {

std::string builtModule(const char *name) {
  return std::string(CAMBIUM_TEST_MODULES) + "/" + name + ".so";
}

cambium_status_t load(const std::string &path) {
  cambium_module_t *module = nullptr;
  cambium_status_t status = cambium_module_load(path.c_str(), &module);
  EXPECT_EQ(module != nullptr, status == CAMBIUM_STATUS_OK);
  cambium_module_destroy(module);
  return status;
}

} // namespace

TEST(ModuleTest, LoadsSharedObject) {
  cambium_module_t *handle = nullptr;
  ASSERT_OK(cambium_module_load(builtModule("FakeGood").c_str(), &handle));
  Module module(handle);
  EXPECT_STREQ(cambium_module_cpu(handle), "fake");
  EXPECT_STREQ(cambium_module_cpu_features(handle), "");
  EXPECT_EQ(std::string(cambium_module_manifest(handle)).find("{\"abi\": 6,"),
            0u);
  EXPECT_EQ(cambium_module_num_entries(handle), 9);
  EXPECT_EQ(cambium_module_num_parameters(handle), 3);
}

/// A relative path is a file, not a name to search for.
TEST(ModuleTest, LoadsRelativePath) {
  char before[4096];
  ASSERT_NE(getcwd(before, sizeof(before)), nullptr);
  ASSERT_EQ(chdir(CAMBIUM_TEST_MODULES), 0);
  EXPECT_EQ(load("FakeGood.so"), CAMBIUM_STATUS_OK) << cambium_last_error();
  ASSERT_EQ(chdir(before), 0);
}

TEST(ModuleTest, RefusesOtherAbi) {
  std::string path = builtModule("FakeWrongAbi");
  EXPECT_ERROR(load(path), INCOMPATIBLE,
               "module '" + path +
                   "': expected ABI version 6, but got 7: compile the model "
                   "again with a compiler of this release");
}

TEST(ModuleTest, RefusesOtherCpu) {
  std::string path = builtModule("FakeWrongCpu");
  EXPECT_ERROR(load(path), INCOMPATIBLE,
               "module '" + path +
                   "' was compiled for cpu 'fake': this processor lacks "
                   "quantum9, warpdrive (compile with --mcpu=x86-64-v3, or for "
                   "this machine)");
}

TEST(ModuleTest, RefusesOtherLibraries) {
  std::string path = builtModule("FakeNoQuery");
  EXPECT_ERROR(load(path), MALFORMED,
               "module '" + path +
                   "' is not a Cambium module: expected the symbol "
                   "'cambium_module_query' alone, but got 'something_else'");
}

/// A constructor would run before anything could be checked: its trap would end
/// this process.
TEST(ModuleTest, RefusesWhatRunsCode) {
  const std::pair<const char *, const char *> variants[] = {
      {"FakeConstructor", "it has code that runs when it is loaded or unloaded "
                          "(constructors)"},
      {"FakeDestructor", "it has code that runs when it is loaded or unloaded "
                         "(constructors)"},
      {"FakeIndirect",
       "it has a relocation that runs code, or of an unknown kind"},
      {"FakeThreadLocal", "it has thread-local variables"},
      {"FakeSecondSymbol", "expected the symbol 'cambium_module_query' alone, "
                           "but got 'second_symbol'"},
      {"FakeStack", "it has an executable stack"},
      {"FakePath", "it has the entry 0x1d of its dynamic section"},
      {"FakeNoDelete", "it has the entry 0x6ffffffb of its dynamic section, "
                       "with the value 0x8"},
      {"FakeLibrary", "it needs the library 'libstdc++.so.6'"}};
  for (const auto &[name, reason] : variants)
    EXPECT_ERROR_PART(load(builtModule(name)), MALFORMED,
                      std::string("' is not a Cambium module: ") + reason);
}

/// Nothing of a damaged module reaches the dynamic loader. In a process of its
/// own, which a fault would end.
TEST(ModuleTest, FiveHundredDamagedFiles) {
  TemporaryFolder folder;
  const std::string whole = readFile(builtModule("FakeGood"));
  const std::string path = folder / "damaged.so";
  pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    int wrong = 0;
    for (uint64_t i = 0; i < 500; ++i) {
      std::string bytes = whole;
      auto random = [&](uint64_t what) { return cambium_mix(i, what); };
      for (uint64_t k = 0; k <= random(0) % 8; ++k)
        bytes[random(3 * k + 1) % bytes.size()] ^=
            static_cast<char>(1 + random(3 * k + 2) % 255);
      if (i % 5 == 4)
        bytes.resize(random(99) % bytes.size());
      if (bytes == whole)
        continue;
      writeFile(path, bytes);
      cambium_status_t status = load(path);
      wrong += status != CAMBIUM_STATUS_MALFORMED &&
               status != CAMBIUM_STATUS_INCOMPATIBLE;
    }
    _exit(wrong ? 1 : 0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

/// The file may change as soon as it was read: what was checked is what runs.
TEST(ModuleTest, FileChangesWhileItIsLoaded) {
  TemporaryFolder folder;
  const std::string path = folder / "module.so";
  writeFile(path, readFile(builtModule("FakeGood")));
  cambium_module_t *handle = nullptr;
  ASSERT_OK(cambium_module_load(path.c_str(), &handle));
  Module module(handle);
  std::FILE *file = std::fopen(path.c_str(), "r+b");
  ASSERT_NE(file, nullptr);
  const std::string rubbish(1 << 16, 'x');
  std::fwrite(rubbish.data(), 1, rubbish.size(), file);
  std::fclose(file);
  Store store = makeStore(handle);
  EXPECT_EQ(load(path), CAMBIUM_STATUS_MALFORMED);
  EXPECT_EQ(cambium_module_num_entries(handle), 9);
}

/// Two modules at once are two libraries, though descriptors come again.
TEST(ModuleTest, TwoAtOnce) {
  cambium_module_t *first = nullptr, *second = nullptr;
  ASSERT_OK(cambium_module_load(builtModule("FakeGood").c_str(), &first));
  ASSERT_OK(cambium_module_load(builtModule("FakeGood").c_str(), &second));
  EXPECT_NE(cambium_module_manifest(first), cambium_module_manifest(second));
  cambium_module_destroy(first);
  EXPECT_EQ(load(builtModule("FakeWrongAbi")), CAMBIUM_STATUS_INCOMPATIBLE);
  EXPECT_EQ(load(builtModule("FakeGood")), CAMBIUM_STATUS_OK);
  EXPECT_EQ(cambium_module_num_entries(second), 9);
  cambium_module_destroy(second);
}

/// What would wait for a writer, or never end.
TEST(ModuleTest, RefusesPipesAndDevices) {
  TemporaryFolder folder;
  const std::string pipe = folder / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  Module module = fakeModule();
  Store store = makeStore(module.get());
  for (const std::string &path :
       {pipe, std::string("/dev/zero"), std::string("/dev/null"),
        std::string(folder.path())}) {
    EXPECT_ERROR(load(path), IO_ERROR,
                 "cannot read module '" + path + "': not a regular file");
    EXPECT_ERROR(cambium_store_load(store.get(), path.c_str(), 0), IO_ERROR,
                 "cannot read checkpoint '" + path + "': not a regular file");
  }
}

TEST(ModuleTest, RefusesOtherFiles) {
  TemporaryFolder folder;
  std::string path = folder / "model.so";
  EXPECT_ERROR(load(path), NOT_FOUND,
               "cannot open module '" + path + "': No such file or directory");
  writeFile(path, "this is no program at all, although it has some length");
  EXPECT_ERROR(load(path), MALFORMED,
               "module '" + path + "' is not a shared object (no ELF header)");
  writeFile(path, "");
  EXPECT_ERROR(load(path), MALFORMED,
               "module '" + path + "' is not a shared object (no ELF header)");
  EXPECT_ERROR(load(folder.path()), IO_ERROR,
               "cannot read module '" + folder.path() +
                   "': not a regular file");
}

/// Cut anywhere, a module is refused.
TEST(ModuleTest, RefusesTruncatedFiles) {
  TemporaryFolder folder;
  std::string whole = readFile(builtModule("FakeGood"));
  int refused = 0;
  for (size_t size = 0; size < whole.size(); size += 997) {
    std::string path = folder / ("cut" + std::to_string(size) + ".so");
    writeFile(path, whole.substr(0, size));
    refused += load(path) != CAMBIUM_STATUS_OK;
  }
  EXPECT_EQ(refused, static_cast<int>((whole.size() + 996) / 997));
  std::string path = folder / "half.so";
  writeFile(path, whole.substr(0, 2000));
  EXPECT_ERROR_PART(load(path), MALFORMED, "is truncated, or was changed");
}

TEST(ModuleTest, RefusesOtherMachines) {
  TemporaryFolder folder;
  std::string bytes = readFile(builtModule("FakeGood"));
  bytes[18] = 8; // EM_MIPS
  std::string path = folder / "mips.so";
  writeFile(path, bytes);
  EXPECT_ERROR_PART(load(path), INCOMPATIBLE,
                    "was compiled for another machine");
  bytes[4] = 1; // ELFCLASS32
  writeFile(path, bytes);
  EXPECT_ERROR(load(path), MALFORMED,
               "module '" + path +
                   "' is an ELF file, but not a 64-bit shared object");
}

TEST(ModuleTest, RefusesBrokenQuery) {
  CustomModule custom("{\"abi\": 6, \"entries\": []}");
  Module module;
  EXPECT_OK(custom.load(module));
  custom.abi.magic = 1;
  EXPECT_ERROR(custom.load(module), MALFORMED,
               "module 'static': expected the magic number 0x4d424d43, but got "
               "0x00000001");
  EXPECT_EQ(module, nullptr);
  custom.abi.magic = CAMBIUM_ABI_MAGIC;
  custom.abi.manifest = nullptr;
  EXPECT_ERROR(
      custom.load(module), MALFORMED,
      "module 'static': expected a manifest and entries, but got none");
  cambium_module_t *handle = nullptr;
  EXPECT_ERROR(cambium_module_from_query(nullptr, &handle), INVALID_ARGUMENT,
               "cambium_module_from_query: argument 'query' is null");
  auto nothing = []() -> const cambium_abi_module_t * { return nullptr; };
  EXPECT_ERROR(cambium_module_from_query(nothing, &handle), MALFORMED,
               "module 'static': its query function returned nothing");
}

/// Features of this very processor are accepted, in any position.
TEST(ModuleTest, AcceptsPresentFeatures) {
  std::string info = readFile("/proc/cpuinfo");
  size_t flags = info.find("flags");
  if (flags == std::string::npos)
    GTEST_SKIP() << "no /proc/cpuinfo with flags";
  flags = info.find(": ", flags) + 2;
  std::string first =
      info.substr(flags, info.find_first_of(" \n", flags) - flags);
  CustomModule custom("{\"abi\": 6, \"entries\": []}");
  Module module;
  std::string features = first + "," + first;
  custom.abi.cpu_features = features.c_str();
  EXPECT_OK(custom.load(module));
  // The start of a name is another name.
  features = first + "," + first.substr(0, first.size() - 1) + "$";
  custom.abi.cpu_features = features.c_str();
  EXPECT_ERROR_PART(custom.load(module), INCOMPATIBLE,
                    "lacks " + first.substr(0, first.size() - 1) + "$");
}

TEST(ModuleTest, DescribesEntries) {
  Module module = fakeModule();
  EXPECT_EQ(cambium_module_entry(module.get(), -1), nullptr);
  EXPECT_EQ(cambium_module_entry(module.get(), 9), nullptr);
  EXPECT_EQ(cambium_module_find_entry(module.get(), "nothing"), nullptr);
  const cambium_entry_t *entry = cambium_module_find_entry(module.get(), "sum");
  ASSERT_NE(entry, nullptr);
  EXPECT_EQ(entry, cambium_module_entry(module.get(), 0));
  EXPECT_EQ(cambium_entry_module(entry), module.get());
  const cambium_entry_info_t *info = cambium_entry_info(entry);
  EXPECT_STREQ(info->name, "sum");
  EXPECT_STREQ(info->step, "");
  EXPECT_EQ(info->kind, CAMBIUM_ENTRY_FUNCTION);
  EXPECT_TRUE(info->random);
  EXPECT_EQ(info->num_spaces, 2);
  EXPECT_EQ(info->num_trees, 1);
  EXPECT_EQ(info->num_inputs, 5);
  EXPECT_EQ(info->num_outputs, 5);
  EXPECT_EQ(info->num_scalars, 0);
  const cambium_tree_info_t *tree = cambium_entry_tree(entry, 0);
  EXPECT_STREQ(tree->name, "tree");
  EXPECT_EQ(tree->space, 0);
  EXPECT_EQ(tree->arity, 3);
  EXPECT_TRUE(tree->single_root);
  EXPECT_TRUE(cambium_entry_space(entry, 0)->of_nodes);
  EXPECT_STREQ(cambium_entry_space(entry, 1)->name, "words");
  const cambium_tensor_info_t *vectors =
      cambium_entry_input(entry, cambium_entry_find_input(entry, "vectors"));
  EXPECT_EQ(vectors->type, CAMBIUM_TYPE_F32);
  EXPECT_EQ(vectors->rank, 1);
  EXPECT_EQ(vectors->shape[0], 2);
  EXPECT_EQ(vectors->row_bytes, 8);
  EXPECT_EQ(vectors->space, 1);
  EXPECT_EQ(vectors->edges_of, -1);
  EXPECT_EQ(vectors->limit, 0);
  EXPECT_EQ(cambium_entry_input(entry, 0)->limit, 8);
  EXPECT_EQ(cambium_entry_input(entry, 4)->edges_of, 0);
  EXPECT_EQ(cambium_entry_output(entry, 4)->space, CAMBIUM_SPACE_CALL);
  EXPECT_EQ(cambium_entry_find_output(entry, "roots"), 1);
  EXPECT_EQ(cambium_entry_find_tree(entry, "tree"), 0);
  EXPECT_EQ(cambium_entry_find_tree(entry, "none"), -1);
  for (int64_t index : {int64_t{-1}, int64_t{9}}) {
    EXPECT_EQ(cambium_entry_input(entry, index), nullptr);
    EXPECT_EQ(cambium_entry_output(entry, index), nullptr);
    EXPECT_EQ(cambium_entry_tree(entry, index), nullptr);
    EXPECT_EQ(cambium_entry_space(entry, index), nullptr);
    EXPECT_EQ(cambium_entry_scalar(entry, index), nullptr);
  }
}

TEST(ModuleTest, DescribesParameters) {
  Module module = fakeModule();
  const cambium_parameter_info_t *table =
      cambium_module_parameter(module.get(), 0);
  EXPECT_STREQ(table->name, "table");
  EXPECT_STREQ(table->group, "embedding");
  EXPECT_EQ(table->rank, 2);
  EXPECT_EQ(table->shape[0], 8);
  EXPECT_EQ(table->num_elements, 16);
  EXPECT_TRUE(table->trainable && table->row_sparse);
  EXPECT_FALSE(table->decay);
  EXPECT_EQ(table->state_slots, 1);
  EXPECT_EQ(table->init.kind, CAMBIUM_INIT_UNIFORM);
  EXPECT_EQ(table->init.a, -1);
  EXPECT_EQ(table->init.b, 1);
  EXPECT_EQ(cambium_module_find_parameter(module.get(), "w"), 1);
  EXPECT_EQ(cambium_module_find_parameter(module.get(), "x"), -1);
  EXPECT_EQ(cambium_module_parameter(module.get(), 3), nullptr);
}

TEST(ModuleTest, FindsSteps) {
  Module module = fakeModule();
  const cambium_entry_t *accumulate = nullptr, *apply = nullptr;
  ASSERT_OK(
      cambium_module_find_step(module.get(), nullptr, &accumulate, &apply));
  EXPECT_STREQ(cambium_entry_info(accumulate)->name, "train.accumulate");
  EXPECT_STREQ(cambium_entry_info(apply)->name, "train.apply");
  EXPECT_STREQ(cambium_entry_scalar(apply, 0), "lr.embedding");
  EXPECT_OK(cambium_module_find_step(module.get(), "train", nullptr, nullptr));
  EXPECT_ERROR(
      cambium_module_find_step(module.get(), "tune", &accumulate, &apply),
      NOT_FOUND, "module 'static' has no training step 'tune'");
  CustomModule custom("{\"abi\": 6, \"entries\": []}");
  Module other;
  ASSERT_OK(custom.load(other));
  EXPECT_ERROR(
      cambium_module_find_step(other.get(), nullptr, &accumulate, &apply),
      NOT_FOUND, "module 'static' has no training step");
}

/// Stores and batches keep the code alive.
TEST(ModuleTest, OutlivesItsHandle) {
  cambium_module_t *handle = nullptr;
  ASSERT_OK(cambium_module_load(builtModule("FakeGood").c_str(), &handle));
  Store store = makeStore(handle);
  Batch batch = makeBatch(handle, "fail");
  cambium_module_destroy(handle);
  const cambium_module_t *module = cambium_store_module(store.get());
  EXPECT_EQ(cambium_module_num_entries(module), 9);
  EXPECT_STREQ(cambium_entry_info(cambium_batch_entry(batch.get()))->name,
               "fail");
}
