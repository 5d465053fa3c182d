#===-- test/Tools/cambium-lsp-server/Inputs/exit.py - An editor ends -----===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Tells a language server to end, keeps its standard input open, and prints its exit code.
A server that stays is ended by the watch of tests that do nothing."""
import json
import subprocess

server = subprocess.Popen(["cambium-lsp-server"], stdin=subprocess.PIPE,
                          stdout=subprocess.DEVNULL)
for message in ({"id": 1, "method": "initialize", "params": {"capabilities": {}}},
                {"id": 2, "method": "shutdown"}, {"method": "exit"}):
    text = json.dumps({"jsonrpc": "2.0", **message}).encode()
    server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(text) + text)
    server.stdin.flush()
print("exit code", server.wait())
