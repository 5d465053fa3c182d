//===-- lib/LLVM/EmitDevice.cpp - What the host knows of kernels ----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "EmitDevice.h"
#include "GlobalBuilder.h"
#include "cambium/device_abi.h"
#include "dialects/RT/IR/RT.h"

using namespace mlir;
using namespace cambium;

namespace {
class DeviceEmitter : GlobalBuilder {
public:
  explicit DeviceEmitter(ModuleOp module)
      : GlobalBuilder(module),
        pointer(LLVM::LLVMPointerType::get(module.getContext())),
        i32(builder.getI32Type()), i64(builder.getI64Type()) {}

  void emit(StringRef prefix) {
    SmallVector<rt::ImageOp> images(module.getOps<rt::ImageOp>());
    SmallVector<rt::DeviceEntryOp> entries(module.getOps<rt::DeviceEntryOp>());
    if (images.empty())
      return;
    LLVM::GlobalOp imageTable = createImages(images);
    LLVM::GlobalOp entryTable = createEntries(entries);
    createQuery(CAMBIUM_ABI_DEVICE_QUERY_SYMBOL, prefix,
                createDescription(imageTable, images.size(), entryTable,
                                  entries.size()));
    for (rt::ImageOp image : images)
      image.erase();
    for (rt::DeviceEntryOp entry : entries)
      entry.erase();
  }

private:
  using Build = llvm::function_ref<Value(size_t)>;

  LLVM::GlobalOp text(StringRef text) {
    return createText(("cambium.device" + Twine(numTexts++)).str(), text);
  }
  Type structOf(ArrayRef<Type> types) {
    return LLVM::LLVMStructType::getLiteral(module.getContext(), types);
  }
  Value null() { return LLVM::ZeroOp::create(builder, loc, pointer); }

  /// An array of so many structs; null for none.
  LLVM::GlobalOp createArray(Type element, size_t count, Build build) {
    if (count == 0)
      return {};
    Type type = LLVM::LLVMArrayType::get(element, count);
    return createGlobalOf(
        ("cambium.device" + Twine(numTexts++)).str(), type, [&] {
          Value array = LLVM::UndefOp::create(builder, loc, type);
          for (size_t i = 0; i < count; ++i)
            array =
                LLVM::InsertValueOp::create(builder, loc, array, build(i), i);
          return array;
        });
  }
  Value addressOrNull(LLVM::GlobalOp global) {
    return global ? address(global) : null();
  }

  LLVM::GlobalOp createImages(ArrayRef<rt::ImageOp> images) {
    SmallVector<LLVM::GlobalOp> archs, texts;
    for (rt::ImageOp image : images) {
      archs.push_back(text(image.getArch()));
      texts.push_back(text(image.getBytes()));
      // As a driver may read a file of ELF where it stands.
      texts.back().setAlignment(16);
    }
    Type type = structOf({pointer, i32, i32, pointer, i64});
    return createArray(type, images.size(), [&](size_t i) {
      rt::ImageOp image = images[i];
      ConstantStruct fields(builder, loc);
      fields.add(address(archs[i]), CAMBIUM_FIELD(cambium_abi_image_t, arch));
      fields.add(integer(image.getCubin() ? CAMBIUM_ABI_IMAGE_CUBIN
                                          : CAMBIUM_ABI_IMAGE_PTX,
                         32),
                 CAMBIUM_FIELD(cambium_abi_image_t, kind));
      fields.add(integer(0, 32), CAMBIUM_FIELD(cambium_abi_image_t, reserved));
      fields.add(address(texts[i]), CAMBIUM_FIELD(cambium_abi_image_t, bytes));
      fields.add(integer(image.getBytes().size(), 64),
                 CAMBIUM_FIELD(cambium_abi_image_t, size));
      return fields.build();
    });
  }

  LLVM::GlobalOp createLaunch(rt::DeviceEntryOp entry) {
    LLVM::GlobalOp kernel = text(entry.getKernel());
    Type type = structOf({pointer, i32, i32, i32, i32, i32, i32});
    return createArray(type, 1, [&](size_t) {
      ConstantStruct fields(builder, loc);
      fields.add(address(kernel), CAMBIUM_FIELD(cambium_abi_launch_t, kernel));
      fields.add(integer(entry.getThreads(), 32),
                 CAMBIUM_FIELD(cambium_abi_launch_t, threads));
      fields.add(integer(entry.getShared(), 32),
                 CAMBIUM_FIELD(cambium_abi_launch_t, shared_bytes));
      fields.add(integer(1, 32),
                 CAMBIUM_FIELD(cambium_abi_launch_t, blocks_per_processor));
      fields.add(integer(0, 32),
                 CAMBIUM_FIELD(cambium_abi_launch_t, max_blocks));
      fields.add(integer(CAMBIUM_ABI_LAUNCH_COOPERATIVE, 32),
                 CAMBIUM_FIELD(cambium_abi_launch_t, flags));
      fields.add(integer(0, 32), CAMBIUM_FIELD(cambium_abi_launch_t, reserved));
      return fields.build();
    });
  }

  LLVM::GlobalOp createChains(rt::DeviceEntryOp entry) {
    ArrayRef<int32_t> numbers = entry.getChains();
    return createArray(structOf({i32, i32}), numbers.size() / 2, [&](size_t i) {
      ConstantStruct fields(builder, loc);
      fields.add(integer(numbers[2 * i], 32),
                 CAMBIUM_FIELD(cambium_abi_chain_t, space));
      fields.add(integer(numbers[2 * i + 1], 32),
                 CAMBIUM_FIELD(cambium_abi_chain_t, kind));
      return fields.build();
    });
  }

  LLVM::GlobalOp createMessages(rt::DeviceEntryOp entry) {
    SmallVector<LLVM::GlobalOp> texts;
    for (StringRef message : entry.getTexts().getAsValueRange<StringAttr>())
      texts.push_back(text(message));
    return createArray(
        structOf({i32, i32, pointer}), texts.size(), [&](size_t i) {
          ConstantStruct fields(builder, loc);
          fields.add(integer(entry.getStatuses()[i], 32),
                     CAMBIUM_FIELD(cambium_abi_message_t, status));
          fields.add(integer(0, 32),
                     CAMBIUM_FIELD(cambium_abi_message_t, reserved));
          fields.add(address(texts[i]),
                     CAMBIUM_FIELD(cambium_abi_message_t, text));
          return fields.build();
        });
  }

  LLVM::GlobalOp createStages(ArrayAttr names) {
    SmallVector<LLVM::GlobalOp> texts;
    if (names)
      for (StringRef name : names.getAsValueRange<StringAttr>())
        texts.push_back(text(name));
    return createArray(pointer, texts.size(),
                       [&](size_t i) { return address(texts[i]); });
  }

  LLVM::GlobalOp createEntries(ArrayRef<rt::DeviceEntryOp> entries) {
    struct Parts {
      LLVM::GlobalOp name, launch, chains, messages, stages;
      LLVM::LLVMFuncOp workspace;
    };
    SmallVector<Parts> parts;
    for (rt::DeviceEntryOp entry : entries)
      parts.push_back({text(entry.getName()), createLaunch(entry),
                       createChains(entry), createMessages(entry),
                       createStages(entry.getStagesAttr()),
                       module.lookupSymbol<LLVM::LLVMFuncOp>(
                           (kHiddenPrefix + entry.getWorkspace()).str())});
    Type type = structOf({pointer, pointer, pointer, i64, pointer, i64, pointer,
                          i64, pointer, i64});
    using Entry = cambium_abi_device_entry_t;
    return createArray(type, entries.size(), [&](size_t i) {
      rt::DeviceEntryOp entry = entries[i];
      ConstantStruct fields(builder, loc);
      fields.add(address(parts[i].name), CAMBIUM_FIELD(Entry, name));
      fields.add(address(parts[i].workspace), CAMBIUM_FIELD(Entry, workspace));
      fields.add(address(parts[i].launch), CAMBIUM_FIELD(Entry, launches));
      fields.add(integer(1, 64), CAMBIUM_FIELD(Entry, num_launches));
      fields.add(addressOrNull(parts[i].chains), CAMBIUM_FIELD(Entry, chains));
      fields.add(integer(entry.getChains().size() / 2, 64),
                 CAMBIUM_FIELD(Entry, num_chains));
      fields.add(addressOrNull(parts[i].messages),
                 CAMBIUM_FIELD(Entry, messages));
      fields.add(integer(entry.getStatuses().size(), 64),
                 CAMBIUM_FIELD(Entry, num_messages));
      fields.add(addressOrNull(parts[i].stages), CAMBIUM_FIELD(Entry, stages));
      ArrayAttr stages = entry.getStagesAttr();
      fields.add(integer(stages ? stages.size() : 0, 64),
                 CAMBIUM_FIELD(Entry, num_stages));
      return fields.build();
    });
  }

  LLVM::GlobalOp createDescription(LLVM::GlobalOp images, size_t numImages,
                                   LLVM::GlobalOp entries, size_t numEntries) {
    Type type = structOf({i32, i32, pointer, i64, pointer, i64});
    using Module = cambium_abi_device_module_t;
    return createGlobalOf("cambium.device", type, [&] {
      ConstantStruct fields(builder, loc);
      fields.add(integer(CAMBIUM_ABI_DEVICE_MAGIC, 32),
                 CAMBIUM_FIELD(Module, magic));
      fields.add(integer(CAMBIUM_DEVICE_ABI_VERSION, 32),
                 CAMBIUM_FIELD(Module, version));
      fields.add(addressOrNull(images), CAMBIUM_FIELD(Module, images));
      fields.add(integer(numImages, 64), CAMBIUM_FIELD(Module, num_images));
      fields.add(addressOrNull(entries), CAMBIUM_FIELD(Module, entries));
      fields.add(integer(numEntries, 64), CAMBIUM_FIELD(Module, num_entries));
      return fields.build();
    });
  }

  Type pointer, i32, i64;
  int64_t numTexts = 0;
};
} // namespace

void cambium::emitDevice(ModuleOp module, StringRef prefix) {
  DeviceEmitter(module).emit(prefix);
}
