//===-- runtime/core/Panels.cpp - Parameters in panels of columns ---------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Panels.h"
#include "PanelWords.h"
#include "Session.h"
#include "Store.h"

using namespace cambium::runtime;

namespace {

/// The matrices of a parameter, and their panels.
struct Layout {
  Layout(const cambium_parameter_info_t &info, PanelShape shape)
      : width(shape.columns), format(shape.format) {
    depth = info.shape[info.rank - 2];
    columns = info.shape[info.rank - 1];
    panels = (columns + width - 1) / width;
    matrices = info.num_elements / (depth * columns);
    elementBytes = cambium_type_size(info.type);
  }
  int64_t panelRows() const {
    return format == PanelFormat::BF16   ? roundedRows(depth)
           : format == PanelFormat::Int8 ? integerRows(depth)
                                         : depth;
  }
  /// Words are as large as the elements that become words.
  int64_t panelBytes() const { return panelRows() * width * elementBytes; }
  int64_t bytes() const { return matrices * panels * panelBytes(); }

  int64_t width, depth, columns, panels, matrices, elementBytes;
  PanelFormat format;
};

struct Task {
  Layout layout;
  const char *from;
  char *to;
};

/// The panels from `begin` to `end` of all matrices, as words.
void makeWords(void *memory, int64_t begin, int64_t end) {
  const auto &task = *static_cast<const Task *>(memory);
  const Layout &layout = task.layout;
  for (int64_t i = begin; i < end; ++i) {
    int64_t matrix = i / layout.panels,
            first = i % layout.panels * layout.width;
    PanelOfColumns panel = {};
    panel.from = reinterpret_cast<const float *>(task.from) +
                 matrix * layout.depth * layout.columns + first;
    panel.stride = layout.columns;
    panel.depth = layout.depth;
    panel.columns = std::min(layout.width, layout.columns - first);
    panel.to = reinterpret_cast<uint32_t *>(task.to + i * layout.panelBytes());
    panel.width = layout.width;
    if (layout.format == PanelFormat::BF16)
      roundPanel(panel);
    else
      quantizePanel(panel);
  }
}

/// The panels from `begin` to `end` of all matrices.
void copyPanels(void *memory, int64_t begin, int64_t end) {
  const auto &task = *static_cast<const Task *>(memory);
  const Layout &layout = task.layout;
  int64_t fromRow = layout.columns * layout.elementBytes,
          toRow = layout.width * layout.elementBytes;
  for (int64_t i = begin; i < end; ++i) {
    int64_t matrix = i / layout.panels, first = i % layout.panels * toRow;
    const char *from = task.from + matrix * layout.depth * fromRow + first;
    char *to = task.to + i * layout.panelBytes();
    auto size = static_cast<size_t>(std::min(toRow, fromRow - first));
    for (int64_t k = 0; k < layout.depth; ++k, from += fromRow, to += toRow)
      std::memcpy(to, from, size);
  }
}

Layout layoutOf(const cambium_store &store, size_t index) {
  return {store.info(index), store.module->manifest.panels[index]};
}

} // namespace

Panels::Panels(cambium_store &store) : store(store) {
  const std::vector<PanelShape> &panels = store.module->manifest.panels;
  for (size_t i = 0; i < panels.size(); ++i)
    if (panels[i].columns > 0 && store.info(i).num_elements > 0)
      list.push_back({i});
}

int64_t Panels::bytesOf(size_t parameter) const {
  return layoutOf(store, parameter).bytes();
}

void *Panels::memoryOf(size_t parameter) const {
  for (const Copy &copy : list)
    if (copy.parameter == parameter)
      return copy.memory;
  return nullptr;
}

/// All copies have room in one region, since large pages hold several.
cambium_status_t Panels::allocate(Copy &copy, const char *what) {
  if (!region.capacity()) {
    int64_t total = 0;
    for (const Copy &other : list)
      total += bytesOf(other.parameter) + kAlignment;
    region = Region::reserve(total, total);
  }
  return store.cut(region, bytesOf(copy.parameter), what, copy.parameter,
                   copy.memory);
}

cambium_status_t Panels::allocateAlone() {
  for (Copy &copy : list) {
    if (store.hasValue(copy.parameter))
      continue;
    CAMBIUM_TRY(allocate(copy, "copy"));
    store.parameters[copy.parameter].panels = copy.memory;
  }
  return CAMBIUM_STATUS_OK;
}

/// A page of it takes memory when it is written.
cambium_status_t Panels::allocateKept() {
  int64_t size = store.module->manifest.kept.bytes;
  void *&memory = store.parameters.back().value;
  if (size == 0 || memory)
    return CAMBIUM_STATUS_OK;
  if (size <= store.memoryLimit - store.bytes)
    memory = allocateAligned(size);
  if (!memory)
    return fail(CAMBIUM_STATUS_OUT_OF_MEMORY,
                "rows that are kept need %lld bytes beside %lld of this store, "
                "but the limit is %lld",
                static_cast<long long>(size),
                static_cast<long long>(store.bytes),
                static_cast<long long>(store.memoryLimit));
  store.bytes += size;
  return CAMBIUM_STATUS_OK;
}

/// What training may still need is left free, and as much as copies take, for
/// calls. What products cannot do without comes first.
cambium_status_t Panels::allocate() {
  for (Copy &copy : list) {
    PanelFormat format = layoutOf(store, copy.parameter).format;
    if (format != PanelFormat::Values && !copy.memory)
      CAMBIUM_TRY(allocate(copy, "rounded copy"));
  }
  CAMBIUM_TRY(allocateKept());
  int64_t left = (store.memoryLimit - store.mostBytes()) / 2;
  for (Copy &copy : list) {
    int64_t size = bytesOf(copy.parameter);
    if (!copy.memory && size <= left && !allocate(copy, "copy"))
      left -= size;
  }
  return CAMBIUM_STATUS_OK;
}

void Panels::make(cambium_session *session, size_t parameter,
                  const void *value) {
  void *memory = memoryOf(parameter);
  if (!memory)
    return;
  Task task = {layoutOf(store, parameter), static_cast<const char *>(value),
               static_cast<char *>(memory)};
  // Fewer bytes are not worth waking a thread.
  constexpr int64_t worth = 1 << 16;
  int64_t panelBytes = std::max<int64_t>(task.layout.panelBytes(), 1);
  int64_t count = task.layout.matrices * task.layout.panels;
  auto function =
      task.layout.format == PanelFormat::Values ? copyPanels : makeWords;
  // Threads of the host could be the ones that wait for this to end.
  if (!session || session->options.parallel_for)
    function(&task, 0, count);
  else
    parallelFor(*session, function, &task, count, worth / panelBytes);
  cambium_abi_param_t &arrays = store.parameters[parameter];
  if (!arrays.panels)
    arrays.panels = memory;
}

cambium_status_t Panels::update(cambium_session &session) {
  if ((list.empty() && store.module->manifest.kept.bytes == 0) || isCurrent())
    return CAMBIUM_STATUS_OK;
  std::lock_guard<std::mutex> lock(mutex);
  uint64_t now = version.load(std::memory_order_acquire);
  if (copied.load(std::memory_order_relaxed) == now)
    return CAMBIUM_STATUS_OK;
  if (copied.load(std::memory_order_relaxed) == 0)
    CAMBIUM_TRY(allocate());
  for (const Copy &copy : list)
    if (store.hasValue(copy.parameter))
      make(&session, copy.parameter, store.parameters[copy.parameter].value);
  if (void *memory = store.parameters.back().value)
    std::memset(memory, 0,
                static_cast<size_t>(store.module->manifest.kept.marks));
  copied.store(now, std::memory_order_release);
  return CAMBIUM_STATUS_OK;
}

void Panels::hideOld() {
  if (isCurrent())
    return;
  for (const Copy &copy : list)
    store.parameters[copy.parameter].panels = nullptr;
}
