//===-- EmitModule.cpp - The description of a module in its object -------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "EmitDevice.h"
#include "GlobalBuilder.h"
#include "cambium/LLVM/Passes.h"
#include "cambium/Target/Machine.h"
#include "cambium/abi.h"
#include "dialects/RT/IR/RT.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace cambium {
#define GEN_PASS_DEF_EMITMODULE
#include "cambium/LLVM/Passes.h.inc"
} // namespace cambium

using namespace mlir;
using namespace cambium;

namespace {
/// Adds the description to one module.
class ModuleEmitter : GlobalBuilder {
public:
  explicit ModuleEmitter(ModuleOp module) : GlobalBuilder(module) {}

  void emit(rt::ProcessorAttr target, rt::ManifestOp manifest,
            StringRef prefix) {
    hideFunctions(manifest);
    LLVM::GlobalOp table = createEntryTable();
    createQuery(CAMBIUM_ABI_QUERY_SYMBOL, prefix,
                createDescription(target, manifest.getText(), table));
    emitDevice(module, prefix);
  }

private:
  /// Names and linkage of everything but the query function.
  void hideFunctions(rt::ManifestOp manifest) {
    llvm::DenseMap<Attribute, FlatSymbolRefAttr> names;
    llvm::DenseMap<Attribute, StringRef> given;
    for (auto [entry, name] :
         llvm::zip_equal(manifest.getEntries().getAsRange<FlatSymbolRefAttr>(),
                         manifest.getNames().getAsValueRange<StringAttr>()))
      given[entry.getAttr()] = name;
    for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
      if (function.isExternal())
        continue; // libm's and libc's
      StringAttr old = function.getSymNameAttr();
      if (auto name = given.find(old); name != given.end()) {
        entries.push_back({name->second.str(), function});
        function.setPassthroughAttr(
            builder.getArrayAttr(builder.getStringAttr(kEntryCodeAttr)));
      }
      auto symbol = builder.getStringAttr(kHiddenPrefix + old.getValue());
      function.setSymNameAttr(symbol);
      names[old] = FlatSymbolRefAttr::get(symbol);
      function.setLinkage(LLVM::Linkage::Internal);
    }
    module.walk([&](Operation *op) {
      if (auto call = dyn_cast<LLVM::CallOp>(op)) {
        if (auto callee = call.getCalleeAttr())
          if (FlatSymbolRefAttr name = names.lookup(callee.getAttr()))
            call.setCalleeAttr(name);
      } else if (auto address = dyn_cast<LLVM::AddressOfOp>(op)) {
        if (FlatSymbolRefAttr name =
                names.lookup(address.getGlobalNameAttr().getAttr()))
          address.setGlobalNameAttr(name);
      }
    });
  }

  LLVM::GlobalOp createEntryTable() {
    Type pointer = LLVM::LLVMPointerType::get(module.getContext());
    Type entryType = LLVM::LLVMStructType::getLiteral(module.getContext(),
                                                      {pointer, pointer});
    Type type = LLVM::LLVMArrayType::get(entryType, entries.size());
    SmallVector<LLVM::GlobalOp> names;
    for (auto [index, entry] : llvm::enumerate(entries))
      names.push_back(
          createText(("cambium.name" + Twine(index)).str(), entry.first));
    return createGlobalOf("cambium.entries", type, [&] {
      Value array = LLVM::UndefOp::create(builder, loc, type);
      for (auto [index, entry] : llvm::enumerate(entries)) {
        ConstantStruct fields(builder, loc);
        fields.add(address(names[index]),
                   CAMBIUM_FIELD(cambium_abi_entry_t, name));
        fields.add(address(entry.second),
                   CAMBIUM_FIELD(cambium_abi_entry_t, fn));
        assert(fields.size() == sizeof(cambium_abi_entry_t));
        array = LLVM::InsertValueOp::create(builder, loc, array, fields.build(),
                                            index);
      }
      return array;
    });
  }

  LLVM::GlobalOp createDescription(rt::ProcessorAttr target, StringRef manifest,
                                   LLVM::GlobalOp table) {
    std::string flags = llvm::join(
        llvm::map_range(target.getFlags().getAsValueRange<StringAttr>(),
                        [](StringRef flag) { return flag.str(); }),
        ",");
    LLVM::GlobalOp cpu = createText("cambium.cpu", target.getCpu().getValue());
    LLVM::GlobalOp features = createText("cambium.features", flags);
    LLVM::GlobalOp text = createText("cambium.manifest", manifest);
    Type pointer = LLVM::LLVMPointerType::get(module.getContext());
    Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
    Type type = LLVM::LLVMStructType::getLiteral(
        module.getContext(),
        {i32, i32, pointer, pointer, pointer, pointer, i64});
    return createGlobalOf("cambium.module", type, [&] {
      ConstantStruct fields(builder, loc);
      fields.add(integer(CAMBIUM_ABI_MAGIC, 32),
                 CAMBIUM_FIELD(cambium_abi_module_t, magic));
      fields.add(integer(CAMBIUM_ABI_VERSION, 32),
                 CAMBIUM_FIELD(cambium_abi_module_t, abi_version));
      fields.add(address(cpu), CAMBIUM_FIELD(cambium_abi_module_t, cpu));
      fields.add(address(features),
                 CAMBIUM_FIELD(cambium_abi_module_t, cpu_features));
      fields.add(address(text), CAMBIUM_FIELD(cambium_abi_module_t, manifest));
      fields.add(address(table), CAMBIUM_FIELD(cambium_abi_module_t, entries));
      fields.add(integer(entries.size(), 64),
                 CAMBIUM_FIELD(cambium_abi_module_t, num_entries));
      assert(fields.size() == sizeof(cambium_abi_module_t));
      return fields.build();
    });
  }

  SmallVector<std::pair<std::string, LLVM::LLVMFuncOp>> entries;
};

struct EmitModule : cambium::impl::EmitModuleBase<EmitModule> {
  using EmitModuleBase::EmitModuleBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto manifests = module.getOps<rt::ManifestOp>();
    rt::ProcessorAttr target = rt::getTarget(module);
    if (manifests.empty() || !target) {
      module.emitError("expected 'rt.manifest' and 'rt.target' in the module");
      return signalPassFailure();
    }
    rt::ManifestOp manifest = *manifests.begin();
    ModuleEmitter(module).emit(target, manifest, prefix);
    manifest.erase();
  }
};
} // namespace
