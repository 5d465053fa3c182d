//===-- test/Runtime/emulator/EmulatorTestSupport.h - A device --*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TEST_EMULATORTESTSUPPORT_H
#define CAMBIUM_TEST_EMULATORTESTSUPPORT_H

#include "../../../runtime/emulator/CudaDriver.h"

#include "cambium/emulator.h"

#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <vector>

namespace cambium::test {

inline std::string readInput(const std::string &name) {
  std::ifstream in(std::string(CAMBIUM_EMULATOR_INPUTS) + "/" + name);
  std::stringstream text;
  text << in.rdbuf();
  EXPECT_FALSE(text.str().empty()) << name;
  return text.str();
}

/// Replaces the first `from` behind `after`; it must be there.
inline std::string replaced(std::string text, const std::string &from,
                            const std::string &to,
                            const std::string &after = "") {
  size_t at = text.find(from, text.find(after));
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

/// A kernel `t` of a parameter `p`, which is in %rd1 when `body` begins; there
/// are %r0 to %r31, %f as %r, %h, %rd, %p.
inline std::string kernelOf(const std::string &body,
                            const std::string &before = "") {
  return ".version 8.0\n.target sm_80\n.address_size 64\n" + before +
         "\n.visible .entry t(.param .u64 p)\n{\n"
         ".reg .pred %p<16>; .reg .b16 %h<16>; .reg .b32 %r<32>;\n"
         ".reg .b64 %rd<32>;\nld.param.b64 %rd1, [p];\n" +
         body + "\nret;\n}\n";
}

class EmulatorTest : public ::testing::Test {
protected:
  void SetUp() override { start(""); }

  void start(const std::string &config) {
    stop();
    ASSERT_EQ(cambium_emulator_configure(config.c_str()), 0);
    cambium_emulator_clear_findings();
    cambium_emulator_clear_counters();
    ASSERT_EQ(cuInit(0), CUDA_SUCCESS);
    CUcontext context = nullptr;
    ASSERT_EQ(cuDevicePrimaryCtxRetain(&context, 0), CUDA_SUCCESS);
    ASSERT_EQ(cuCtxSetCurrent(context), CUDA_SUCCESS);
    isStarted = true;
  }

  void stop() {
    if (isStarted)
      cuDevicePrimaryCtxRelease_v2(0);
    isStarted = false;
  }

  void TearDown() override { stop(); }

  CUmodule load(const std::string &text) {
    CUmodule module = nullptr;
    char log[1024] = "";
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER,
                              CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, reinterpret_cast<void *>(sizeof log)};
    loaded = cuModuleLoadDataEx(&module, text.c_str(), 2, options, values);
    loadText = log;
    return module;
  }

  CUfunction function(CUmodule module, const char *name) {
    CUfunction found = nullptr;
    EXPECT_EQ(cuModuleGetFunction(&found, module, name), CUDA_SUCCESS) << name;
    return found;
  }

  CUdeviceptr allocate(size_t bytes) {
    CUdeviceptr address = 0;
    EXPECT_EQ(cuMemAlloc_v2(&address, bytes), CUDA_SUCCESS);
    return address;
  }

  template <class T> CUdeviceptr upload(const std::vector<T> &values) {
    CUdeviceptr address = allocate(values.size() * sizeof(T));
    EXPECT_EQ(cuMemcpyHtoDAsync_v2(address, values.data(),
                                   values.size() * sizeof(T), nullptr),
              CUDA_SUCCESS);
    return address;
  }

  template <class T>
  std::vector<T> download(CUdeviceptr address, size_t count) {
    std::vector<T> values(count);
    EXPECT_EQ(cuMemcpyDtoHAsync_v2(values.data(), address, count * sizeof(T),
                                   nullptr),
              CUDA_SUCCESS);
    return values;
  }

  /// Launches, and waits: what the stream then says.
  CUresult launch(CUfunction kernel, unsigned blocks, unsigned threads,
                  std::vector<uint64_t> arguments, unsigned shared = 0,
                  unsigned rows = 1) {
    std::vector<void *> pointers;
    for (uint64_t &argument : arguments)
      pointers.push_back(&argument);
    CUresult result =
        cuLaunchCooperativeKernel(kernel, blocks, rows, 1, threads, 1, 1,
                                  shared, nullptr, pointers.data());
    return result ? result : cuStreamSynchronize(nullptr);
  }

  /// Runs kernelOf(body) with words of memory; returns them.
  template <class T>
  std::vector<T> run(const std::string &body, std::vector<T> memory,
                     unsigned blocks = 1, unsigned threads = 32,
                     const std::string &before = "", unsigned shared = 0) {
    CUmodule module = load(kernelOf(body, before));
    EXPECT_EQ(loaded, CUDA_SUCCESS) << loadText;
    if (loaded)
      return memory;
    CUdeviceptr address = upload(memory);
    result = launch(function(module, "t"), blocks, threads, {address}, shared);
    if (!result)
      memory = download<T>(address, memory.size());
    cuMemFree_v2(address);
    cuModuleUnload(module);
    return memory;
  }

  /// Expects that something was found whose text holds all of `parts`.
  void expectFinding(const std::vector<std::string> &parts) {
    std::string all;
    for (size_t f = 0; f < cambium_emulator_num_findings(); ++f) {
      std::string text = cambium_emulator_finding(f);
      bool has = true;
      for (const std::string &part : parts)
        has &= text.find(part) != std::string::npos;
      if (has)
        return;
      all += text + "\n";
    }
    ADD_FAILURE() << "expected a finding with '" << parts[0] << "', but got "
                  << all;
  }

  CUresult loaded = CUDA_SUCCESS, result = CUDA_SUCCESS;
  std::string loadText;
  bool isStarted = false;
};

} // namespace cambium::test
#endif
