//===-- test/Runtime/core/InitializeTest.cpp - Initializers ---------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TestSupport.h"

#include <cmath>
#include <cstring>

using namespace cambium::test;

namespace {

/// A tensor drawn without a module.
std::vector<float> drawTensor(cambium_init_kind_t kind, double a, double b,
                              std::vector<int64_t> shape, uint64_t seed = 1,
                              const char *name = "p") {
  int64_t size = 1;
  for (int64_t dimension : shape)
    size *= dimension;
  std::vector<float> data(static_cast<size_t>(size), -99);
  cambium_init_t init = {kind, a, b, nullptr, nullptr};
  EXPECT_OK(cambium_initialize(&init, seed, name, CAMBIUM_TYPE_F32,
                               static_cast<int32_t>(shape.size()), shape.data(),
                               data.data()));
  return data;
}

struct Moments {
  double mean = 0, deviation = 0, low = 1e9, high = -1e9;
  explicit Moments(const std::vector<float> &data) {
    for (float x : data) {
      mean += static_cast<double>(x) / static_cast<double>(data.size());
      low = std::min(low, static_cast<double>(x));
      high = std::max(high, static_cast<double>(x));
    }
    for (float x : data)
      deviation += (static_cast<double>(x) - mean) *
                   (static_cast<double>(x) - mean) /
                   static_cast<double>(data.size());
    deviation = std::sqrt(deviation);
  }
};

constexpr const char *kManyParameters =
    "{\"name\": \"u\", \"type\": \"f32\", \"shape\": [300, 40], "
    "\"init\": {\"kind\": \"uniform\", \"a\": -1, \"b\": 1}},"
    "{\"name\": \"n\", \"type\": \"f64\", \"shape\": [200, 70], "
    "\"init\": {\"kind\": \"normal\", \"a\": 0, \"b\": 2}},"
    "{\"name\": \"t\", \"type\": \"f32\", \"shape\": [9999], "
    "\"init\": {\"kind\": \"truncated_normal\", \"a\": 1, \"b\": 2}},"
    "{\"name\": \"x\", \"type\": \"f32\", \"shape\": [64, 128], "
    "\"init\": {\"kind\": \"xavier_uniform\"}},"
    "{\"name\": \"o\", \"type\": \"f32\", \"shape\": [50, 70], "
    "\"init\": {\"kind\": \"orthogonal\"}}";

/// The bits of all parameters, by name.
std::vector<std::string> allBits(const char *parameters, int32_t threads,
                                 uint64_t seed) {
  CustomModule custom(
      std::string("{\"abi\": 6, \"entries\": [], \"params\": [") + parameters +
      "]}");
  Module module;
  EXPECT_OK(custom.load(module));
  cambium_store_options_t options = {};
  options.seed = seed;
  options.num_threads = threads;
  cambium_store_t *handle = nullptr;
  EXPECT_OK(cambium_store_create(module.get(), &options, &handle));
  Store store(handle);
  std::vector<std::string> bits;
  for (const char *name : {"u", "n", "t", "x", "o"}) {
    int64_t index = cambium_module_find_parameter(module.get(), name);
    const cambium_parameter_info_t *info =
        cambium_module_parameter(module.get(), index);
    bits.emplace_back(
        static_cast<const char *>(cambium_store_value(handle, index)),
        static_cast<size_t>(info->num_elements *
                            cambium_type_size(info->type)));
  }
  return bits;
}

} // namespace

TEST(InitializeTest, SameBitsForAnyThreads) {
  std::vector<std::string> one = allBits(kManyParameters, 1, 7);
  for (int32_t threads : {2, 3, 8})
    EXPECT_TRUE(allBits(kManyParameters, threads, 7) == one) << threads;
  std::vector<std::string> other = allBits(kManyParameters, 1, 8);
  for (size_t i = 0; i < one.size(); ++i)
    EXPECT_NE(other[i], one[i]) << i;
}

/// A parameter's bits depend on its name, not on its neighbours.
TEST(InitializeTest, SameBitsInAnyOrder) {
  std::string text = kManyParameters;
  size_t cut = text.find(",{\"name\": \"t\"");
  std::string turned = text.substr(cut + 1) + "," + text.substr(0, cut);
  EXPECT_TRUE(allBits(turned.c_str(), 1, 7) == allBits(kManyParameters, 1, 7));
  EXPECT_NE(drawTensor(CAMBIUM_INIT_UNIFORM, 0, 1, {10}, 1, "a"),
            drawTensor(CAMBIUM_INIT_UNIFORM, 0, 1, {10}, 1, "b"));
}

/// The same function with and without a module.
TEST(InitializeTest, SameAsStore) {
  Module module = fakeModule();
  Store store = makeStore(module.get(), 5);
  std::vector<float> alone =
      drawTensor(CAMBIUM_INIT_UNIFORM, -1, 1, {8, 2}, 5, "table");
  EXPECT_EQ(std::memcmp(alone.data(), cambium_store_value(store.get(), 0), 64),
            0);
}

/// Bits that checkpoints of earlier releases were made with: a change here is a
/// change of every experiment.
TEST(InitializeTest, FirstElementsFromTheDefinition) {
  uint64_t hash = 0xcbf29ce484222325ull;
  hash = (hash ^ 'p') * 0x100000001b3ull;
  uint64_t key = cambium_mix(1, hash);
  std::vector<float> data = drawTensor(CAMBIUM_INIT_UNIFORM, -3, 5, {4});
  for (uint64_t i = 0; i < 4; ++i)
    EXPECT_EQ(data[i], -3 + 8 * cambium_uniform(cambium_mix(key, i)));
}

TEST(InitializeTest, Uniform) {
  Moments moments(drawTensor(CAMBIUM_INIT_UNIFORM, -2, 4, {100000}));
  EXPECT_NEAR(moments.mean, 1, 0.03);
  EXPECT_NEAR(moments.deviation, 6 / std::sqrt(12.0), 0.02);
  EXPECT_GE(moments.low, -2);
  EXPECT_LE(moments.high, 4);
}

TEST(InitializeTest, Normal) {
  std::vector<float> data = drawTensor(CAMBIUM_INIT_NORMAL, 3, 0.5, {100000});
  Moments moments(data);
  EXPECT_NEAR(moments.mean, 3, 0.01);
  EXPECT_NEAR(moments.deviation, 0.5, 0.01);
  double inside = 0;
  for (float x : data)
    inside += std::fabs(x - 3) < 0.5;
  EXPECT_NEAR(inside / 100000, 0.6827, 0.01);
}

TEST(InitializeTest, TruncatedNormal) {
  Moments moments(drawTensor(CAMBIUM_INIT_TRUNCATED_NORMAL, 1, 2, {100000}));
  EXPECT_NEAR(moments.mean, 1, 0.02);
  EXPECT_GE(moments.low, -3);
  EXPECT_LE(moments.high, 5);
  // The deviation of a standard normal cut at two is 0.8796.
  EXPECT_NEAR(moments.deviation, 2 * 0.8796, 0.02);
}

TEST(InitializeTest, Xavier) {
  double bound = 2 * std::sqrt(6.0 / 500);
  Moments uniform(drawTensor(CAMBIUM_INIT_XAVIER_UNIFORM, 2, 0, {200, 300}));
  EXPECT_NEAR(uniform.high, bound, bound / 100);
  EXPECT_NEAR(uniform.low, -bound, bound / 100);
  Moments normal(drawTensor(CAMBIUM_INIT_XAVIER_NORMAL, 2, 0, {200, 300}));
  EXPECT_NEAR(normal.deviation, 2 * std::sqrt(2.0 / 500), 0.002);
}

TEST(InitializeTest, Sinusoidal) {
  std::vector<float> data = drawTensor(CAMBIUM_INIT_SINUSOIDAL, 2, 0, {50, 6});
  for (int row : {0, 1, 7, 49})
    for (int pair = 0; pair < 3; ++pair) {
      double angle = row / std::pow(10000.0, pair / 3.0);
      auto at = static_cast<size_t>(row * 6 + 2 * pair);
      EXPECT_NEAR(data[at], 2 * std::sin(angle), 1e-5);
      EXPECT_NEAR(data[at + 1], 2 * std::cos(angle), 1e-5);
    }
}

TEST(InitializeTest, Orthogonal) {
  const std::vector<std::vector<int64_t>> shapes = {
      {40, 60}, {60, 40}, {33, 33}, {1, 5}, {2, 10, 15}};
  for (const std::vector<int64_t> &shape : shapes) {
    std::vector<float> data = drawTensor(CAMBIUM_INIT_ORTHOGONAL, 3, 0, shape);
    int64_t columns = shape.back();
    int64_t rows = static_cast<int64_t>(data.size()) / columns;
    int64_t count = std::min(rows, columns), size = std::max(rows, columns);
    auto at = [&](int64_t vector, int64_t k) {
      int64_t index =
          rows <= columns ? vector * columns + k : k * columns + vector;
      return static_cast<double>(data[static_cast<size_t>(index)]);
    };
    for (int64_t i = 0; i < count; ++i)
      for (int64_t j = 0; j <= i; ++j) {
        double product = 0;
        for (int64_t k = 0; k < size; ++k)
          product += at(i, k) * at(j, k);
        EXPECT_NEAR(product, i == j ? 9 : 0, 1e-5);
      }
  }
}

TEST(InitializeTest, OtherTypes) {
  cambium_init_t init = {CAMBIUM_INIT_CONSTANT, 7, 0, nullptr, nullptr};
  const int64_t shape[] = {3};
  int8_t bytes[3];
  int32_t words[3];
  double doubles[3];
  ASSERT_OK(
      cambium_initialize(&init, 0, "p", CAMBIUM_TYPE_I8, 1, shape, bytes));
  ASSERT_OK(
      cambium_initialize(&init, 0, "p", CAMBIUM_TYPE_I32, 1, shape, words));
  init = {CAMBIUM_INIT_XAVIER_NORMAL, 1, 0, nullptr, nullptr};
  ASSERT_OK(
      cambium_initialize(&init, 0, "p", CAMBIUM_TYPE_F64, 1, shape, doubles));
  EXPECT_EQ(bytes[2], 7);
  EXPECT_EQ(words[2], 7);
  EXPECT_NE(doubles[0], doubles[1]);
  EXPECT_NE(doubles[0], static_cast<double>(static_cast<float>(doubles[0])));
}

/// Each slice of a stack is drawn as a tensor of its own.
TEST(InitializeTest, Slices) {
  CustomModule custom(
      "{\"abi\": 6, \"entries\": [], \"params\": ["
      "{\"name\": \"x\", \"type\": \"f32\", \"shape\": [40, 20, 30], "
      "\"slices\": 1, \"init\": {\"kind\": \"xavier_uniform\"}},"
      "{\"name\": \"o\", \"type\": \"f32\", \"shape\": [2, 3, 5, 7], "
      "\"slices\": 2, \"init\": {\"kind\": \"orthogonal\"}},"
      "{\"name\": \"s\", \"type\": \"f32\", \"shape\": [2, 5, 4], "
      "\"slices\": 1, \"init\": {\"kind\": \"sinusoidal\"}}]}");
  Module module;
  ASSERT_OK(custom.load(module));
  cambium_store_t *handle = nullptr;
  ASSERT_OK(cambium_store_create(module.get(), nullptr, &handle));
  Store store(handle);
  auto valueOf = [&](int64_t index) {
    return static_cast<const float *>(cambium_store_value(handle, index));
  };
  Moments x({valueOf(0), valueOf(0) + 40 * 20 * 30});
  double bound = std::sqrt(6.0 / (20 + 30));
  EXPECT_LE(x.high, bound);
  EXPECT_GT(x.high, 0.99 * bound);
  for (const float *slice = valueOf(1); slice < valueOf(1) + 210; slice += 35)
    for (int i = 0; i < 5; ++i)
      for (int j = 0; j <= i; ++j) {
        double dot = 0;
        for (int k = 0; k < 7; ++k)
          dot += static_cast<double>(slice[i * 7 + k]) *
                 static_cast<double>(slice[j * 7 + k]);
        EXPECT_NEAR(dot, i == j, 1e-5);
      }
  EXPECT_NE(valueOf(1)[0], valueOf(1)[35]);
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(valueOf(2)[i], valueOf(2)[20 + i]);
}

TEST(InitializeTest, ArgumentsMustFit) {
  float data[4];
  int64_t shape[] = {2, 2};
  auto initialize = [&](cambium_init_kind_t kind, cambium_type_t type,
                        int32_t rank) {
    cambium_init_t init = {kind, 1, 1, nullptr, nullptr};
    return cambium_initialize(&init, 0, "p", type, rank, shape, data);
  };
  EXPECT_ERROR(initialize(CAMBIUM_INIT_FILE, CAMBIUM_TYPE_F32, 2),
               INVALID_ARGUMENT,
               "initializer 8 does not fit a tensor of f32 with 2 dimensions");
  EXPECT_ERROR(initialize(CAMBIUM_INIT_NORMAL, CAMBIUM_TYPE_I32, 2),
               INVALID_ARGUMENT,
               "initializer 3 does not fit a tensor of i32 with 2 dimensions");
  EXPECT_ERROR(initialize(CAMBIUM_INIT_ORTHOGONAL, CAMBIUM_TYPE_F32, 1),
               INVALID_ARGUMENT,
               "initializer 7 does not fit a tensor of f32 with 1 dimensions");
  shape[0] = shape[1] = INT64_MAX;
  EXPECT_ERROR(initialize(CAMBIUM_INIT_ZEROS, CAMBIUM_TYPE_F32, 2),
               OUT_OF_RANGE,
               "expected sizes that fit into memory, but got "
               "9223372036854775807");
}
