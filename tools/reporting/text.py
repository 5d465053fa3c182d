#===-- tools/reporting/text.py - Texts of others, made harmless ------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Texts that come from a run folder, on their way to a page or to a terminal."""

import unicodedata

# Marks that turn the direction of what stands behind them.
TURNING = set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def printable(value, keep=""):
    """The text of a value. Control characters but for those to keep, halves of
    characters, and marks that reorder what is shown become U+FFFD."""
    def harmless(c):
        return c in keep or (c not in TURNING and
                             unicodedata.category(c) not in ("Cc", "Cs", "Zl", "Zp"))

    return "".join(c if harmless(c) else "\ufffd" for c in str(value))
