//===-- runtime/emulator/LaneForms.h - Rows for processors ------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_EMULATOR_LANEFORMS_H
#define CAMBIUM_EMULATOR_LANEFORMS_H

#include "Instruction.h"

#define CAMBIUM_EMULATOR_DECLARE(NAMESPACE)                                    \
  namespace cambium::emulator::NAMESPACE {                                     \
  Forms integerForms();                                                        \
  Forms bitForms();                                                            \
  Forms floatForms();                                                          \
  Forms specialForms();                                                        \
  Forms halfForms();                                                           \
  Forms compareForms();                                                        \
  Forms convertForms();                                                        \
  }

CAMBIUM_EMULATOR_DECLARE(baseline)
#ifdef CAMBIUM_EMULATOR_HAS_WIDE
/// For x86-64-v3: vectors of 256 bits, fused multiply-add.
CAMBIUM_EMULATOR_DECLARE(wide)
#endif

#endif
