//===-- lib/Kernels/ShareLoops.cpp - One function for equal loops --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "EqualFunctions.h"
#include "cambium/Kernels/Passes.h"
#include "cambium/Support/UsedValues.h"
#include "dialects/RT/IR/RT.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

namespace cambium {
#define GEN_PASS_DEF_SHARELOOPS
#include "cambium/Kernels/Passes.h.inc"
} // namespace cambium

using namespace mlir;
using namespace cambium;

namespace {
/// An op, and what it passes to the function that does the same.
struct Place {
  Operation *op;
  SmallVector<Value> arguments;
};

/// Strides and offset known only when the code runs, but for a last stride of
/// one. A memref without gaps stays as it is: its loops are simpler.
Type withDynamicLayout(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  SmallVector<int64_t> strides;
  int64_t offset;
  if (!memref || memref.getLayout().isIdentity() ||
      failed(memref.getStridesAndOffset(strides, offset)))
    return type;
  for (size_t i = 0; i + 1 < strides.size(); ++i)
    strides[i] = ShapedType::kDynamic;
  auto layout =
      StridedLayoutAttr::get(type.getContext(), ShapedType::kDynamic, strides);
  return MemRefType::get(memref.getShape(), memref.getElementType(), layout,
                         memref.getMemorySpace());
}

/// What memory without gaps is as any number of rows of `width` elements; what
/// is a number stays so.
Type inRows(Type type, int64_t width) {
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref || memref.getRank() == 0)
    return type;
  return MemRefType::get({ShapedType::kDynamic, width}, memref.getElementType(),
                         MemRefLayoutAttrInterface(), memref.getMemorySpace());
}

/// Whether the body of an op reads memory itself, at places that it computes.
bool readsMemory(linalg::GenericOp op) {
  llvm::SetVector<Value> used;
  getUsedValuesDefinedAbove(op->getRegions(), used);
  return llvm::any_of(
      used, [](Value value) { return isa<MemRefType>(value.getType()); });
}

/// Whether all loops of an op are of one kind and go over memory without gaps,
/// and this is rows of `width` elements: its shape makes no difference. Results
/// of reductions are numbers.
bool isOfRows(Operation *op, int64_t width) {
  auto loops = dyn_cast<linalg::GenericOp>(op);
  if (!loops || loops.getNumLoops() == 0 || loops.hasIndexSemantics() ||
      readsMemory(loops) || !llvm::all_equal(loops.getIteratorTypesArray()))
    return false;
  return llvm::all_of(loops->getOpOperands(), [&](OpOperand &operand) {
    AffineMap map = loops.getMatchingIndexingMap(&operand);
    if (map.getNumResults() == 0)
      return true;
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    return type && type.getLayout().isIdentity() && type.hasStaticShape() &&
           type.getNumElements() % width == 0 && map.isIdentity();
  });
}

/// Has it go over rows.
void goOverRows(linalg::GenericOp op) {
  OpBuilder builder(op);
  auto maps = llvm::map_to_vector(op.getIndexingMapsArray(), [](AffineMap map) {
    return map.getNumResults() == 0
               ? AffineMap::get(2, 0, map.getContext())
               : AffineMap::getMultiDimIdentityMap(2, map.getContext());
  });
  Attribute kind = op.getIteratorTypes()[0];
  op.setIndexingMapsAttr(builder.getAffineMapArrayAttr(maps));
  op.setIteratorTypesAttr(builder.getArrayAttr({kind, kind}));
}

/// The same memory with another layout, or as rows.
Value converted(OpBuilder &builder, Value value, Type type) {
  if (value.getType() == type)
    return value;
  Location loc = value.getLoc();
  auto from = cast<MemRefType>(value.getType()), to = cast<MemRefType>(type);
  bool areRows = from.hasStaticShape() && to.getRank() == 2 &&
                 to.isDynamicDim(0) && from.getRank() > 0;
  if (areRows && from.getRank() > 1)
    value = memref::CollapseShapeOp::create(
        builder, loc, value,
        ReassociationIndices(llvm::to_vector(llvm::seq(from.getRank()))));
  if (areRows)
    value = memref::ExpandShapeOp::create(
        builder, loc,
        ArrayRef<int64_t>{from.getNumElements() / to.getDimSize(1),
                          to.getDimSize(1)},
        value, ReassociationIndices{0, 1});
  return memref::CastOp::create(builder, loc, type, value);
}

struct ShareLoops : cambium::impl::ShareLoopsBase<ShareLoops> {
  using ShareLoopsBase::ShareLoopsBase;

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    TargetCosts costs = rt::getTargetCosts(getOperation());
    rowWidth = costs.unroll * costs.vectorBytes / int64_t(sizeof(float));
    // Whole loops over levels first, then the loops that are left, of which
    // some are in the functions made first.
    shareAll(isRecursion, symbols);
    shareAll(isWorthACall, symbols);
  }

private:
  void shareAll(function_ref<bool(Operation *)> isWanted,
                SymbolTable &symbols) {
    EqualFunctions equal;
    SmallVector<SmallVector<Place>> places;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<rt::ParallelOp>(op))
        return WalkResult::skip();
      if (!isWanted(op))
        return WalkResult::advance();
      Place place{op, {}};
      func::FuncOp function = makeFunction(op, place.arguments);
      size_t number = equal.insert(function);
      if (number < places.size())
        function.erase();
      else
        places.emplace_back();
      places[number].push_back(std::move(place));
      return WalkResult::skip();
    });
    for (auto [function, equalPlaces] :
         llvm::zip_equal(equal.functions(), places)) {
      if (equalPlaces.size() > 1 || isInEntry(equalPlaces.front().op)) {
        takeNumbers(function, equalPlaces);
        share(function, equalPlaces, symbols);
      } else {
        func::FuncOp(function).erase();
      }
    }
    for (Operation *op : replaced)
      op->erase();
    replaced.clear();
    results.clear();
  }

  /// Right in an entry, which shall have no loops.
  static bool isInEntry(Operation *op) {
    auto function = dyn_cast<func::FuncOp>(op->getParentOp());
    return function && rt::isEntry(function);
  }

  static bool isLoop(Operation *op) {
    return isa<scf::ForOp, rt::ForEachOp>(op);
  }

  /// Outermost loops that do more than to move and change vectors: those over
  /// the levels of trees.
  static bool isRecursion(Operation *op) {
    return isLoop(op) && isa<func::FuncOp>(op->getParentOp()) &&
           op->getNumResults() == 0 && !isGather(op) && canMove(op);
  }

  /// Whole loops over vectors, and those of an entry that compute numbers. In a
  /// loop, a vector alone has about as much work as a call; one that an entry
  /// keeps does far more.
  static bool isWorthACall(Operation *op) {
    auto function = op->getParentOfType<func::FuncOp>();
    if (isOfNumbers(op))
      return rt::isEntry(function) && isGather(op) && canMove(op);
    if (auto loops = dyn_cast<linalg::LinalgOp>(op))
      return loops.hasPureBufferSemantics() &&
             (loops.getNumLoops() > 1 || op->getParentOp() == function ||
              rt::isEntry(function));
    return isLoop(op) && op->getNumResults() == 0 && isGather(op);
  }

  static bool isOfNumbers(Operation *op) {
    return isa<scf::ForOp, scf::WhileOp>(op) && op->getNumResults() != 0 &&
           llvm::all_of(op->getResultTypes(),
                        [](Type type) { return type.isIntOrIndexOrFloat(); });
  }

  static bool holds(Operation *loop, function_ref<bool(Operation *)> what) {
    return loop
        ->walk([&](Operation *op) {
          return what(op) ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }

  /// Whether `loop` only moves and changes vectors: it has no memory but that
  /// of an iteration, calls nothing, and asks nothing of the runtime.
  static bool isGather(Operation *loop) {
    return !holds(loop, [](Operation *op) {
      return !isa<linalg::LinalgOp, rt::ForEachOp, scf::ForOp, scf::IfOp,
                  scf::WhileOp, scf::ConditionOp, scf::YieldOp,
                  memref::AllocaOp, memref::LoadOp, memref::StoreOp>(op) &&
             !op->getParentOfType<linalg::LinalgOp>() && !isPure(op);
    });
  }

  /// Whether another function than an entry can do what `loop` does. Only an
  /// entry can return an error, and only its arguments are rows and forests.
  static bool canMove(Operation *loop) {
    if (holds(loop, [](Operation *op) {
          return op->hasTrait<rt::NeedsEntry>() || isa<memref::AllocOp>(op);
        }))
      return false;
    llvm::SetVector<Value> used;
    getUsedValuesDefinedAbove(loop->getRegions(), used);
    return llvm::all_of(used, [](Value value) {
      Type type = value.getType();
      return type.isIntOrIndexOrFloat() || isa<MemRefType>(type);
    });
  }

  /// Whether all that `op` does with a number is to add it, which takes as long
  /// if it is an argument. Each place of dropout adds another one to the key.
  static bool isAdded(Value number, Operation *op) {
    return isa<IntegerType>(number.getType()) &&
           llvm::all_of(number.getUsers(), [&](Operation *user) {
             return isa<arith::AddIOp>(user) || !op->isAncestor(user);
           });
  }

  /// A function that does what `op` does with `arguments`: its operands, and
  /// what its body uses from around it but constants, which are copied. Numbers
  /// that are added are arguments all the same.
  func::FuncOp makeFunction(Operation *op, SmallVectorImpl<Value> &arguments) {
    SmallVector<Operation *> constants;
    for (Value value : getUsedValues(op))
      if (matchPattern(value, m_Constant()) && !isAdded(value, op))
        constants.push_back(value.getDefiningOp());
      else
        arguments.push_back(value);

    // Other ops than linalg's derive the layouts of their results.
    bool canChange = isa<linalg::LinalgOp>(op), ofRows = isOfRows(op, rowWidth);
    SmallVector<Type> types = llvm::map_to_vector(arguments, [&](Value value) {
      Type type = value.getType();
      if (ofRows)
        return inRows(type, rowWidth);
      return canChange ? withDynamicLayout(type) : type;
    });
    OpBuilder builder(op->getContext());
    auto function = func::FuncOp::create(
        builder, op->getLoc(), "loops",
        builder.getFunctionType(types, op->getResultTypes()));
    function.setPrivate();
    function.setNoInline(true);
    builder.setInsertionPointToStart(function.addEntryBlock());
    IRMapping mapping;
    mapping.map(arguments, function.getArguments());
    for (Operation *constant : constants)
      builder.clone(*constant, mapping);
    Operation *copy = builder.clone(*op, mapping);
    if (ofRows)
      goOverRows(cast<linalg::GenericOp>(copy));
    func::ReturnOp::create(builder, op->getLoc(), copy->getResults());
    return function;
  }

  /// The function itself has constants that all places would pass.
  static void takeNumbers(func::FuncOp function,
                          MutableArrayRef<Place> places) {
    OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
    for (unsigned i = function.getNumArguments(); i-- > 0;) {
      Attribute number;
      bool isOne = llvm::all_of(places, [&](const Place &place) {
        Attribute found;
        bool isEqual = matchPattern(place.arguments[i], m_Constant(&found)) &&
                       (!number || found == number);
        number = found;
        return isEqual;
      });
      if (!isOne)
        continue;
      Operation *constant =
          builder.clone(*places.front().arguments[i].getDefiningOp());
      function.getArgument(i).replaceAllUsesWith(constant->getResult(0));
      if (failed(function.eraseArgument(i)))
        llvm_unreachable("the function has that argument");
      for (Place &place : places)
        place.arguments.erase(place.arguments.begin() + i);
    }
  }

  void share(func::FuncOp function, MutableArrayRef<Place> places,
             SymbolTable &symbols) {
    symbols.insert(function);
    for (Place &place : places) {
      Location loc = place.op->getLoc();
      OpBuilder builder(place.op);
      for (auto [argument, parameter] :
           llvm::zip_equal(place.arguments, function.getArguments())) {
        // What another one of these loops has computed.
        argument = results.lookup_or(argument, argument);
        argument = converted(builder, argument, parameter.getType());
      }
      auto call = func::CallOp::create(builder, loc, function, place.arguments);
      remark::passed(
          loc, remark::RemarkOpts::name("Loop").category("kernels-share-loops"))
          << remark::metric("Places", places.size());
      for (auto [old, value] :
           llvm::zip_equal(place.op->getResults(), call.getResults()))
        results[old] = value;
      place.op->replaceAllUsesWith(call);
      replaced.push_back(place.op);
    }
  }

  /// Elements of a row, of what has rows of any length: a reduction works on so
  /// many at once.
  int64_t rowWidth = 0;
  /// Loops whose calls stand beside them, and what these give for their
  /// results.
  SmallVector<Operation *> replaced;
  DenseMap<Value, Value> results;
};
} // namespace
