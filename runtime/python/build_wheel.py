#===-- runtime/python/build_wheel.py - The package as a wheel ------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""What pip calls (PEP 517), with the standard library alone: a few files of Python need
no package that would have to be downloaded first."""

import base64
import hashlib
import os
import pathlib
import re
import zipfile

HERE = pathlib.Path(__file__).resolve().parent


def field(name):
    """A text of the table [project] of pyproject.toml."""
    text = (HERE / "pyproject.toml").read_text(encoding="utf-8")
    return re.search(rf'^{name} = "(.*)"$', text, re.M)[1]


def files():
    """Contents by their paths in the wheel, but for the list of them."""
    info = f"{field('name')}-{field('version')}.dist-info"
    result = {f"cambium/{path.name}": path.read_bytes()
              for path in sorted((HERE / "cambium").glob("*.py"))}
    metadata = ["Metadata-Version: 2.1", f"Name: {field('name')}",
                f"Version: {field('version')}", f"Summary: {field('description')}",
                f"Requires-Python: {field('requires-python')}", "Requires-Dist: numpy"]
    tags = ["Wheel-Version: 1.0", "Generator: cambium", "Root-Is-Purelib: true",
            "Tag: py3-none-any"]
    result[f"{info}/METADATA"] = ("\n".join(metadata) + "\n").encode()
    result[f"{info}/WHEEL"] = ("\n".join(tags) + "\n").encode()
    return info, result


def build_wheel(folder, config_settings=None, metadata_directory=None):
    del config_settings, metadata_directory
    info, contents = files()
    record = ""
    for path, data in contents.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=")
        record += f"{path},sha256={digest.decode()},{len(data)}\n"
    contents[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    name = f"{field('name')}-{field('version')}-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(folder, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in contents.items():
            # The same files make the same wheel.
            wheel.writestr(zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0)), data,
                           zipfile.ZIP_DEFLATED)
    return name


def build_sdist(folder, config_settings=None):
    del folder, config_settings
    raise NotImplementedError("expected a wheel")
