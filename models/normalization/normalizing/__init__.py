#===-- models/normalization/normalizing/__init__.py - Spoken texts -----===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""What `normalize` is made of: tokens, their classes, and which class explains what is
spoken."""
