//===-- EmitModule.cpp - The description of a module in its object -------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
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
/// A struct of constants whose fields must lie where the C compiler puts them.
class ConstantStruct {
public:
  ConstantStruct(OpBuilder &builder, Location loc)
      : builder(builder), loc(loc) {}

  /// Appends a field of `size` bytes at byte `offset`.
  void add(Value value, [[maybe_unused]] size_t offset, size_t size) {
    assert(offset == end && "fields of a struct without gaps, in order");
    values.push_back(value);
    types.push_back(value.getType());
    end = offset + size;
  }
  size_t size() const { return end; }
  Value build() {
    Type type = LLVM::LLVMStructType::getLiteral(builder.getContext(), types);
    Value value = LLVM::UndefOp::create(builder, loc, type);
    for (auto [index, field] : llvm::enumerate(values))
      value = LLVM::InsertValueOp::create(builder, loc, value, field, index);
    return value;
  }

private:
  OpBuilder &builder;
  Location loc;
  SmallVector<Value> values;
  SmallVector<Type> types;
  size_t end = 0;
};

#define CAMBIUM_FIELD(type, field)                                             \
  offsetof(type, field), sizeof(std::declval<type>().field)

/// Adds the description to one module.
class ModuleEmitter {
public:
  explicit ModuleEmitter(ModuleOp module)
      : module(module), loc(module.getLoc()),
        builder(OpBuilder::atBlockEnd(module.getBody())) {}

  void emit(rt::ProcessorAttr target, rt::ManifestOp manifest,
            StringRef prefix) {
    hideFunctions(manifest);
    LLVM::GlobalOp table = createEntryTable();
    createQuery(createDescription(target, manifest.getText(), table), prefix);
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
      auto symbol = builder.getStringAttr("cambium." + old.getValue());
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

  LLVM::GlobalOp createGlobal(StringRef name, Type type, Attribute value = {}) {
    return LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true,
                                  LLVM::Linkage::Internal, name, value);
  }

  /// A global whose value is built by code.
  template <typename Build>
  LLVM::GlobalOp createGlobalOf(StringRef name, Type type, Build build) {
    LLVM::GlobalOp global = createGlobal(name, type);
    OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(&global.getInitializerRegion());
    LLVM::ReturnOp::create(builder, loc, build());
    return global;
  }

  /// A text with its final 0; the global precedes that which uses it.
  LLVM::GlobalOp createText(StringRef name, StringRef text) {
    std::string bytes(text);
    bytes.push_back('\0');
    Type type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size());
    return createGlobal(name, type, builder.getStringAttr(bytes));
  }

  template <typename Symbol> Value address(Symbol symbol) {
    return LLVM::AddressOfOp::create(builder, loc, symbol);
  }
  Value integer(uint64_t value, unsigned bits) {
    Type type = builder.getIntegerType(bits);
    return LLVM::ConstantOp::create(builder, loc, type,
                                    builder.getIntegerAttr(type, value));
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

  void createQuery(LLVM::GlobalOp description, StringRef prefix) {
    Type pointer = LLVM::LLVMPointerType::get(module.getContext());
    std::string name = CAMBIUM_ABI_QUERY_SYMBOL;
    if (!prefix.empty())
      name = (prefix + "_" + name).str();
    auto query = LLVM::LLVMFuncOp::create(
        builder, loc, name, LLVM::LLVMFunctionType::get(pointer, {}));
    Block *body = query.addEntryBlock(builder);
    builder.setInsertionPointToStart(body);
    LLVM::ReturnOp::create(builder, loc, address(description));
  }

  ModuleOp module;
  Location loc;
  OpBuilder builder;
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
