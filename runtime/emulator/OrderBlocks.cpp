//===-- runtime/emulator/OrderBlocks.cpp - Where lanes meet again ---------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Bourdoncle's weak topological order: strongly connected components in
/// topological order; within one, its head, then what remains without the head,
/// ordered the same way. Nothing recurses on the depth of the text.
///
//===----------------------------------------------------------------------===//
#include "Module.h"

#include <algorithm>

using namespace cambium::emulator;

namespace {

struct Block {
  uint32_t begin = 0, end = 0;
  std::vector<int> next;
  /// The region that it was last part of, its number there, and whether it is
  /// on the stack.
  int region = 0, number = -1, low = 0;
  bool onStack = false;
};

bool endsBlock(const Instruction &instruction) {
  return instruction.flow == Flow::Branch ||
         instruction.flow == Flow::BranchIndex ||
         instruction.flow == Flow::Return || instruction.flow == Flow::Exit ||
         instruction.flow == Flow::Trap || instruction.flow == Flow::End;
}

bool fallsThrough(const Instruction &instruction) {
  if (instruction.flow == Flow::BranchIndex || instruction.flow == Flow::Trap)
    return instruction.guard >= 0;
  return instruction.flow != Flow::End &&
         (!endsBlock(instruction) || instruction.guard >= 0);
}

class Orderer {
public:
  explicit Orderer(Function &function) : function(function) { findBlocks(); }

  void run() {
    std::vector<int> all;
    for (size_t b = 0; b < blocks.size(); ++b)
      all.push_back(static_cast<int>(b));
    // What nothing leads to from the first block is left out.
    regions.push_back({std::move(all), -1, 0});
    // A region is replaced by its parts, which are inserted where it stood.
    while (!regions.empty()) {
      Region region = std::move(regions.back());
      regions.pop_back();
      if (region.head >= 0)
        order.push_back(region.head);
      size_t begin = order.size() - (region.head >= 0);
      if (region.depth > kDeepest)
        order.insert(order.end(), region.blocks.begin(), region.blocks.end());
      else
        split(region);
      if (region.isLoop)
        loops.push_back({begin, begin + region.blocks.size() + 1});
    }
    rewrite();
  }

private:
  static constexpr int kDeepest = 64;

  struct Region {
    std::vector<int> blocks;
    int head;
    int depth;
    bool isLoop = false;
  };
  struct LoopBlocks {
    size_t begin, end;
  };

  void findBlocks() {
    size_t count = function.code.size();
    std::vector<bool> begins(count + 1, false);
    begins[0] = true;
    for (size_t i = 0; i < count; ++i) {
      const Instruction &instruction = function.code[i];
      if (endsBlock(instruction))
        begins[i + 1] = true;
      if (instruction.flow == Flow::Branch)
        begins[static_cast<size_t>(instruction.target)] = true;
    }
    for (const std::vector<int32_t> &table : function.tables)
      for (int32_t target : table)
        begins[static_cast<size_t>(target)] = true;
    blockOf.resize(count);
    for (size_t i = 0; i < count; ++i) {
      if (begins[i])
        blocks.emplace_back().begin = static_cast<uint32_t>(i);
      blocks.back().end = static_cast<uint32_t>(i + 1);
      blockOf[i] = static_cast<int>(blocks.size() - 1);
    }
    for (Block &block : blocks)
      connect(block);
  }

  void connect(Block &block) {
    const Instruction &last = function.code[block.end - 1];
    // What follows comes last in the order of the search, so that it is first
    // in the result where nothing else decides.
    if (last.flow == Flow::BranchIndex)
      for (int32_t target : function.tables[static_cast<size_t>(last.target)])
        block.next.push_back(blockOf[static_cast<size_t>(target)]);
    if (last.flow == Flow::Branch)
      block.next.push_back(blockOf[static_cast<size_t>(last.target)]);
    if (fallsThrough(last) && block.end < function.code.size())
      block.next.push_back(blockOf[block.end]);
  }

  /// Tarjan's components of a region without its head, pushed so that the
  /// first in topological order is taken first.
  void split(const Region &region) {
    int id = ++lastRegion, number = 0;
    for (int b : region.blocks) {
      blocks[static_cast<size_t>(b)].region = id;
      blocks[static_cast<size_t>(b)].number = -1;
    }
    std::vector<Region> parts;
    std::vector<int> starts;
    if (region.head >= 0)
      starts = blocks[static_cast<size_t>(region.head)].next;
    else
      starts.push_back(0);
    for (int start : starts)
      if (blocks[static_cast<size_t>(start)].region == id &&
          blocks[static_cast<size_t>(start)].number < 0)
        search(start, id, number, region.depth, parts);
    // Components are found in reverse topological order, which is what a stack
    // needs.
    for (Region &part : parts)
      regions.push_back(std::move(part));
  }

  void search(int start, int id, int &number, int depth,
              std::vector<Region> &parts) {
    std::vector<int> stack;
    std::vector<std::pair<int, size_t>> path;
    auto enter = [&](int b) {
      Block &block = blocks[static_cast<size_t>(b)];
      block.number = block.low = number++;
      block.onStack = true;
      stack.push_back(b);
      path.push_back({b, 0});
    };
    enter(start);
    while (!path.empty()) {
      int b = path.back().first;
      Block &block = blocks[static_cast<size_t>(b)];
      if (path.back().second < block.next.size()) {
        int to = block.next[path.back().second++];
        Block &next = blocks[static_cast<size_t>(to)];
        if (next.region != id)
          continue;
        if (next.number < 0)
          enter(to);
        else if (next.onStack)
          block.low = std::min(block.low, next.number);
        continue;
      }
      path.pop_back();
      if (!path.empty()) {
        Block &above = blocks[static_cast<size_t>(path.back().first)];
        above.low = std::min(above.low, block.low);
      }
      if (block.low == block.number)
        parts.push_back(component(b, stack, depth));
    }
  }

  Region component(int head, std::vector<int> &stack, int depth) {
    Region part{{}, head, depth + 1};
    for (;;) {
      int b = stack.back();
      stack.pop_back();
      blocks[static_cast<size_t>(b)].onStack = false;
      if (b == head)
        break;
      part.blocks.push_back(b);
    }
    std::reverse(part.blocks.begin(), part.blocks.end());
    const std::vector<int> &next = blocks[static_cast<size_t>(head)].next;
    part.isLoop = !part.blocks.empty() ||
                  std::find(next.begin(), next.end(), head) != next.end();
    return part;
  }

  /// Writes the code in the new order; a block that falls through to one that
  /// does not follow gets a branch.
  void rewrite() {
    std::vector<Instruction> code;
    std::vector<int32_t> placeOf(blocks.size(), 0);
    std::vector<uint32_t> placeOfRank(order.size() + 1, 0);
    std::vector<size_t> added;
    for (size_t r = 0; r < order.size(); ++r) {
      const Block &block = blocks[static_cast<size_t>(order[r])];
      placeOf[static_cast<size_t>(order[r])] =
          static_cast<int32_t>(code.size());
      placeOfRank[r] = static_cast<uint32_t>(code.size());
      code.insert(code.end(), function.code.begin() + block.begin,
                  function.code.begin() + block.end);
      int follows = block.end < function.code.size() ? blockOf[block.end] : -1;
      if (!fallsThrough(code.back()) || follows < 0 ||
          (r + 1 < order.size() && order[r + 1] == follows))
        continue;
      Instruction branch;
      branch.flow = Flow::Branch;
      branch.kind = Kind::Control;
      branch.line = code.back().line;
      branch.target = static_cast<int32_t>(block.end);
      code.push_back(branch);
    }
    placeOfRank[order.size()] = static_cast<uint32_t>(code.size());
    auto moved = [&](int32_t &target) {
      target =
          placeOf[static_cast<size_t>(blockOf[static_cast<size_t>(target)])];
    };
    for (Instruction &instruction : code)
      if (instruction.flow == Flow::Branch)
        moved(instruction.target);
    for (std::vector<int32_t> &table : function.tables)
      for (int32_t &target : table)
        moved(target);
    function.code = std::move(code);
    keepInnermost(placeOfRank);
  }

  /// Loops stand in the order of their beginnings, outer ones first.
  void keepInnermost(const std::vector<uint32_t> &placeOfRank) {
    for (size_t l = 0; l < loops.size(); ++l)
      if (l + 1 == loops.size() || loops[l + 1].begin >= loops[l].end)
        function.loops.push_back(
            {placeOfRank[loops[l].begin], placeOfRank[loops[l].end]});
  }

  Function &function;
  std::vector<Block> blocks;
  std::vector<int> blockOf, order;
  std::vector<Region> regions;
  std::vector<LoopBlocks> loops;
  int lastRegion = 0;
};

} // namespace

void cambium::emulator::orderBlocks(Function &function) {
  Orderer(function).run();
}
