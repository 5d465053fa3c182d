#===-- tools/reporting/source.py - What a picture is about ---------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""The data files that pictures and tables are about."""

import dataclasses
import os


@dataclasses.dataclass(frozen=True)
class Source:
    """A data file, by its path and the digest of its contents: what a picture or a
    table is about. `differs` says what was evaluated beside the result of the run."""

    path: str
    digest: str
    differs: str = ""

    @staticmethod
    def of(found):
        """That of an object with `data` and `digest`; None without."""
        if not isinstance(found, dict) or not found.get("data"):
            return None
        return Source(str(found["data"]), str(found.get("digest") or ""),
                      str(found.get("differs") or ""))

    def __str__(self):
        name = os.path.basename(self.path)
        notes = ", ".join(part for part in (self.digest[:8], self.differs) if part)
        return f"{name} ({notes})" if notes else name


def about(source, text=""):
    """A caption that names the file that a picture is about."""
    return " ".join(part for part in (f"{source}." if source else "", text) if part)
