//===-- cambium/Support/ForestLayout.h - The fields of a forest -----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one table of what a forest holds: which counts, which index arrays, and
// how long each is. It is asserted against `cambium_abi_forest_t` of the
// runtime's abi.h here, and against the fields of `rt.forest_size` and
// `rt.forest_index` where those become reads of the struct.
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_SUPPORT_FORESTLAYOUT_H
#define CAMBIUM_SUPPORT_FORESTLAYOUT_H

#include "cambium/abi.h"
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>

/// X(Name, field): counts, `int64_t`.
#define CAMBIUM_FOREST_SIZES(X)                                                \
  X(NumNodes, num_nodes)                                                       \
  X(NumEdges, num_edges)                                                       \
  X(NumLevels, num_levels)                                                     \
  X(NumTrees, num_trees)                                                       \
  X(MaxLevelNodes, max_level_nodes)                                            \
  X(MaxLevelEdges, max_level_edges)

/// X(Name, field, Length, more): arrays of `int32_t` with as many elements as
/// the count `Length` says, and `more`.
#define CAMBIUM_FOREST_INDICES(X)                                              \
  X(LevelNodes, level_nodes, NumLevels, 1)                                     \
  X(ChildOffsets, child_offsets, NumNodes, 1)                                  \
  X(ChildNodes, child_nodes, NumEdges, 0)                                      \
  X(EdgeParents, edge_parents, NumEdges, 0)                                    \
  X(ParentOffsets, parent_offsets, NumNodes, 1)                                \
  X(ParentEdges, parent_edges, NumEdges, 0)                                    \
  X(NodeToUser, node_to_user, NumNodes, 0)                                     \
  X(UserToNode, user_to_node, NumNodes, 0)                                     \
  X(EdgeToUser, edge_to_user, NumEdges, 0)                                     \
  X(Roots, roots, NumTrees, 0)

namespace cambium::forest {

enum class Size : uint32_t {
#define CAMBIUM_FIELD(Name, field) Name,
  CAMBIUM_FOREST_SIZES(CAMBIUM_FIELD)
#undef CAMBIUM_FIELD
};

enum class Index : uint32_t {
#define CAMBIUM_FIELD(Name, field, Length, more) Name,
  CAMBIUM_FOREST_INDICES(CAMBIUM_FIELD)
#undef CAMBIUM_FIELD
};

/// A count: its place in the struct, in bytes.
struct SizeField {
  const char *name;
  size_t offset;
};

/// An index array: the place of its pointer, and its length.
struct IndexField {
  const char *name;
  size_t offset;
  Size length;
  int64_t more;
};

/// By number of the enumerations.
inline constexpr SizeField kSizes[] = {
#define CAMBIUM_FIELD(Name, field)                                             \
  {#field, offsetof(cambium_abi_forest_t, field)},
    CAMBIUM_FOREST_SIZES(CAMBIUM_FIELD)
#undef CAMBIUM_FIELD
};
inline constexpr IndexField kIndices[] = {
#define CAMBIUM_FIELD(Name, field, Length, more)                               \
  {#field, offsetof(cambium_abi_forest_t, field), Size::Length, more},
    CAMBIUM_FOREST_INDICES(CAMBIUM_FIELD)
#undef CAMBIUM_FIELD
};

#define CAMBIUM_FIELD(Name, field)                                             \
  static_assert(std::is_same_v<decltype(cambium_abi_forest_t::field), int64_t>);
CAMBIUM_FOREST_SIZES(CAMBIUM_FIELD)
#undef CAMBIUM_FIELD
#define CAMBIUM_FIELD(Name, field, Length, more)                               \
  static_assert(                                                               \
      std::is_same_v<decltype(cambium_abi_forest_t::field), const int32_t *>);
CAMBIUM_FOREST_INDICES(CAMBIUM_FIELD)
#undef CAMBIUM_FIELD
static_assert(sizeof(cambium_abi_forest_t) ==
                  std::size(kSizes) * sizeof(int64_t) +
                      std::size(kIndices) * sizeof(void *),
              "expected every field of the struct in the table");

} // namespace cambium::forest

#endif // CAMBIUM_SUPPORT_FORESTLAYOUT_H
