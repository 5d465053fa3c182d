//===-- lib/LLVM/DescribeModule.cpp - The manifest of a module -----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/LLVM/EntrySignature.h"
#include "cambium/LLVM/Passes.h"
#include "cambium/Target/Machine.h"
#include "cambium/abi.h"
#include "dialects/RT/IR/Kept.h"
#include "dialects/RT/IR/RT.h"
#include "dialects/Train/IR/Train.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/JSON.h"

namespace cambium {
#define GEN_PASS_DEF_DESCRIBEMODULE
#include "cambium/LLVM/Passes.h.inc"
} // namespace cambium

using namespace mlir;
using namespace cambium;
using llvm::json::OStream;

//===----------------------------------------------------------------------===//
// What the code says
//===----------------------------------------------------------------------===//

namespace {
/// The number of slots of each parameter's optimizer state that are used.
llvm::StringMap<int64_t> countSlots(ModuleOp module) {
  llvm::StringMap<int64_t> slots;
  module.walk([&](rt::StateOp state) {
    int64_t &slot = slots[state.getParam()];
    slot = std::max<int64_t>(slot, state.getSlot() + 1);
  });
  return slots;
}

/// The parameters whose state is of rows and of columns.
llvm::StringSet<> findFactored(ModuleOp module) {
  llvm::StringSet<> names;
  SymbolTable symbols(module);
  module.walk([&](rt::StateOp state) {
    auto param = symbols.lookup<nn::ParamOp>(state.getParam());
    if (state.getType().getRank() < cast<ShapedType>(param.getType()).getRank())
      names.insert(state.getParam());
  });
  return names;
}

/// The panels that products read of each parameter: one format of each.
llvm::StringMap<rt::PanelsOp> findPanels(ModuleOp module) {
  llvm::StringMap<rt::PanelsOp> found;
  module.walk([&](rt::PanelsOp panels) { found[panels.getParam()] = panels; });
  return found;
}

/// All ops of an entry and of the functions that it calls.
void walkWithCallees(func::FuncOp entry, const SymbolTable &symbols,
                     llvm::function_ref<void(Operation *)> visit) {
  llvm::SetVector<Operation *> functions;
  functions.insert(entry);
  for (size_t i = 0; i < functions.size(); ++i)
    functions[i]->walk([&](Operation *op) {
      visit(op);
      auto callee = op->getAttrOfType<FlatSymbolRefAttr>("callee");
      if (callee && isa<func::CallOp, rt::LaunchOp>(op))
        if (Operation *function = symbols.lookup(callee.getValue()))
          functions.insert(function);
    });
}

/// Whether results depend on random keys.
bool isRandom(func::FuncOp entry, const SymbolTable &symbols) {
  bool found = false;
  walkWithCallees(entry, symbols,
                  [&](Operation *op) { found |= isa<rt::ExampleKeysOp>(op); });
  return found;
}

/// The parameters of which a function reads the value, not panels alone.
llvm::StringSet<> findValuesOfFunctions(ModuleOp module,
                                        const SymbolTable &symbols) {
  llvm::StringSet<> names;
  for (auto function : module.getOps<func::FuncOp>())
    if (rt::isEntry(function) && !rt::findTraining(function))
      walkWithCallees(function, symbols, [&](Operation *op) {
        if (auto param = dyn_cast<rt::ParamOp>(op))
          names.insert(param.getParam());
      });
  return names;
}

StringRef entryKind(func::FuncOp entry, rt::TrainingOp training) {
  if (!training)
    return "function";
  return training.getApply() == entry.getSymName() ? "apply" : "accumulate";
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

std::string typeName(Type type) {
  std::string name;
  llvm::raw_string_ostream(name) << type;
  return name;
}

/// Writes the manifest, part by part.
class ManifestWriter {
public:
  ManifestWriter(llvm::raw_ostream &stream, ModuleOp module)
      : json(stream), module(module), symbols(module),
        slots(countSlots(module)), panels(findPanels(module)),
        factored(findFactored(module)),
        valuesOfFunctions(findValuesOfFunctions(module, symbols)) {}

  LogicalResult write(ArrayRef<func::FuncOp> entries) {
    LogicalResult result = success();
    json.object([&] {
      json.attribute("abi", CAMBIUM_ABI_VERSION);
      writeTarget();
      json.attributeArray("params", [&] {
        for (auto param : module.getOps<nn::ParamOp>())
          writeParam(param);
      });
      writeKept();
      json.attributeArray("entries", [&] {
        for (func::FuncOp entry : entries)
          if (failed(writeEntry(entry, entries)))
            result = failure();
      });
    });
    return result;
  }

private:
  void writeTarget() {
    rt::ProcessorAttr target = rt::getTarget(module);
    if (!target)
      return;
    json.attributeObject("target", [&] {
      json.attribute("triple", target.getTriple().getValue());
      json.attribute("cpu", target.getCpu().getValue());
      json.attributeArray("features", [&] {
        for (StringRef flag : target.getFlags().getAsValueRange<StringAttr>())
          json.value(flag);
      });
      if (rt::getMath(module) != rt::Math::F32)
        json.attribute("math", rt::stringifyMath(rt::getMath(module)));
      if (rt::getWeights(module) != rt::Weights::Same)
        json.attribute("weights", rt::stringifyWeights(rt::getWeights(module)));
    });
  }

  void writeKept() {
    rt::KeptBytes kept = rt::countKept(module);
    if (kept.rows == 0)
      return;
    json.attributeObject("kept", [&] {
      json.attribute("bytes", kept.marks + kept.rows);
      json.attribute("marks", kept.marks);
    });
  }

  void writeShape(ArrayRef<int64_t> shape) {
    json.attributeArray("shape", [&] {
      for (int64_t size : shape)
        json.value(size);
    });
  }

  void writeParam(nn::ParamOp param) {
    auto type = cast<RankedTensorType>(param.getType());
    json.object([&] {
      json.attribute("name", param.getName());
      json.attribute("type", typeName(type.getElementType()));
      writeShape(type.getShape());
      // What is not said is what most parameters are: a large model has
      // hundreds.
      if (param.getSlices() != 0)
        json.attribute("slices", static_cast<int64_t>(param.getSlices()));
      if (param.getFrozen())
        json.attribute("trainable", false);
      if (param.getGroup().value_or("default") != "default")
        json.attribute("group", *param.getGroup());
      if (param.getNoDecay())
        json.attribute("decay", false);
      if (param.getRowSparse())
        json.attribute("row_sparse", true);
      if (int64_t count = slots.lookup(param.getName()))
        json.attribute("state_slots", count);
      if (factored.contains(param.getName()))
        json.attribute("factored", true);
      if (rt::PanelsOp op = panels.lookup(param.getName())) {
        json.attribute("panels", op.getType().getShape().back());
        if (op.getFormat() != rt::PanelFormat::Values)
          json.attribute("panel_format",
                         rt::stringifyPanelFormat(op.getFormat()));
        if (!valuesOfFunctions.contains(param.getName()))
          json.attribute("panels_alone", true);
      }
      if (nn::InitAttr init = param.getInit().value_or(nn::InitAttr());
          init && init.getKind() != nn::InitKind::Zeros)
        json.attributeObject("init", [&] { writeInit(init); });
    });
  }

  void writeInit(nn::InitAttr init) {
    nn::InitKind kind = init.getKind();
    json.attribute("kind", nn::stringifyInitKind(kind));
    if (kind == nn::InitKind::File) {
      json.attribute("path", init.getPath());
      json.attribute("tensor", init.getTensor());
      return;
    }
    // A gain is 1 where nothing is said, and only ranges have two numbers.
    double a = init.getA().convertToDouble(), b = init.getB().convertToDouble();
    if (kind < nn::InitKind::XavierUniform || a != 1)
      json.attribute("a", a);
    bool isRange =
        kind >= nn::InitKind::Uniform && kind <= nn::InitKind::TruncatedNormal;
    if (isRange || b != 0)
      json.attribute("b", b);
  }

  LogicalResult writeEntry(func::FuncOp entry, ArrayRef<func::FuncOp> entries) {
    FailureOr<EntrySignature> signature = readSignature(entry);
    if (failed(signature))
      return failure();
    json.object([&] {
      json.attribute("name", entry.getSymName());
      rt::TrainingOp training = rt::findTraining(entry);
      json.attribute("kind", entryKind(entry, training));
      if (training)
        writeStep(entry, training, entries);
      writeSpaces(*signature);
      writeTensors("inputs", signature->inputs);
      writeTensors("outputs", signature->outputs);
      json.attributeArray("scalars", [&] {
        if (training && training.getApply() == entry.getSymName())
          for (StringRef scalar : training.getScalarNames())
            json.value(scalar);
      });
      json.attribute("random", isRandom(entry, symbols));
    });
    return success();
  }

  /// What only entries of a training step have.
  void writeStep(func::FuncOp entry, rt::TrainingOp training,
                 ArrayRef<func::FuncOp> entries) {
    json.attribute("step", training.getName());
    if (training.getApply() != entry.getSymName())
      return;
    for (auto [index, other] : llvm::enumerate(entries))
      if (SymbolTable::getSymbolName(other) ==
          training.getAccumulateAttr().getAttr())
        json.attribute("accumulate", static_cast<int64_t>(index));
    json.attribute("every", static_cast<int64_t>(training.getEvery()));
    json.attributeObject("optimizers", [&] {
      for (NamedAttribute group : training.getOptimizers())
        writeOptimizer(group.getName().getValue(),
                       dyn_cast<train::OptimizerAttr>(group.getValue()));
    });
  }

  void writeOptimizer(StringRef group, train::OptimizerAttr optimizer) {
    if (!optimizer)
      return;
    json.attributeObject(group, [&] {
      json.attribute("kind",
                     train::stringifyOptimizerKind(optimizer.getKind()));
      json.attribute("momentum", optimizer.getMomentum().convertToDouble());
      json.attribute("beta1", optimizer.getBeta1().convertToDouble());
      json.attribute("beta2", optimizer.getBeta2().convertToDouble());
      json.attribute("eps", optimizer.getEps().convertToDouble());
      json.attribute("weight_decay",
                     optimizer.getWeightDecay().convertToDouble());
      json.attribute("bias_correction", optimizer.getBiasCorrection());
      if (optimizer.getKind() != train::OptimizerKind::Adafactor)
        return;
      json.attribute("clip", optimizer.getClip().convertToDouble());
      json.attribute("least_scale",
                     optimizer.getLeastScale().convertToDouble());
      json.attribute("relative_step", optimizer.getRelativeStep());
      json.attribute("scale_parameter", optimizer.getScaleParameter());
    });
  }

  void writeSpaces(const EntrySignature &signature) {
    json.attributeArray("spaces", [&] {
      for (const EntrySignature::Space &space : signature.spaces)
        json.object([&] {
          json.attribute("name", space.name);
          json.attribute("of", space.in >= 0   ? "rows of rows"
                               : space.ofNodes ? "nodes"
                                               : "rows");
          if (space.in >= 0)
            json.attribute("in", space.in);
        });
    });
    json.attributeArray("forests", [&] {
      for (const EntrySignature::Forest &forest : signature.forests)
        json.object([&] {
          json.attribute("name", forest.name);
          json.attribute("space", forest.space);
          json.attribute("arity", forest.arity);
          json.attribute("single_root", forest.singleRoot);
        });
    });
  }

  void writeTensors(StringRef key, ArrayRef<EntrySignature::Tensor> tensors) {
    json.attributeArray(key, [&] {
      for (const EntrySignature::Tensor &tensor : tensors)
        json.object([&] {
          json.attribute("name", tensor.name);
          json.attribute("type", typeName(tensor.type.getElementType()));
          writeShape(tensor.rowShape());
          json.attribute("space", tensor.space);
          if (tensor.edgesOf >= 0)
            json.attribute("edges_of", tensor.edgesOf);
          if (tensor.limit)
            json.attribute("limit", *tensor.limit);
        });
    });
  }

  OStream json;
  ModuleOp module;
  SymbolTable symbols;
  llvm::StringMap<int64_t> slots;
  llvm::StringMap<rt::PanelsOp> panels;
  llvm::StringSet<> factored, valuesOfFunctions;
};

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

struct DescribeModule : cambium::impl::DescribeModuleBase<DescribeModule> {
  using DescribeModuleBase::DescribeModuleBase;

  void runOnOperation() override {
    SmallVector<func::FuncOp> entries;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (rt::isEntry(function))
        entries.push_back(function);
    std::string text;
    llvm::raw_string_ostream stream(text);
    if (failed(ManifestWriter(stream, getOperation()).write(entries)))
      return signalPassFailure();
    // The manifest has all that they say.
    for (auto training :
         llvm::make_early_inc_range(getOperation().getOps<rt::TrainingOp>()))
      training.erase();
    SymbolTableCollection tables;
    SymbolUserMap users(tables, getOperation());
    SymbolTable &symbols = tables.getSymbolTable(getOperation());
    SmallVector<Attribute> functions, names;
    for (func::FuncOp entry : entries) {
      names.push_back(entry.getSymNameAttr());
      if (failed(hideName(entry, symbols, users)))
        return signalPassFailure();
      functions.push_back(FlatSymbolRefAttr::get(entry.getSymNameAttr()));
    }
    OpBuilder builder = OpBuilder::atBlockBegin(getOperation().getBody());
    rt::ManifestOp::create(builder, getOperation().getLoc(), text,
                           builder.getArrayAttr(functions),
                           builder.getArrayAttr(names));
  }

  /// From here on, functions are made: kernels, tasks, those of libraries. None
  /// of them may be taken for an entry, whatever the user calls it.
  static LogicalResult hideName(func::FuncOp entry, SymbolTable &symbols,
                                const SymbolUserMap &users) {
    std::string name = ("entry." + entry.getSymName()).str();
    while (symbols.lookup(name))
      name += "_";
    // Looks through all of the module.
    if (!users.useEmpty(entry))
      return symbols.rename(entry, name);
    symbols.remove(entry);
    entry.setSymName(name);
    symbols.insert(entry);
    return success();
  }
};
} // namespace
