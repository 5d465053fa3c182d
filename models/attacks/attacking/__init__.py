#===-- models/attacks/attacking/__init__.py - Attacks on classifiers -----===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""What `attack` and `prepare` are made of."""
