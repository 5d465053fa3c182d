#!/usr/bin/python3
#===-- test/Runtime/Inputs/seal.py - A checksum for a module -------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""usage: seal.py FILE...

Puts behind shared objects that were compiled from C for tests what cambium-compile
puts behind its own: magic, size, XXH64 (cambium/trailer.h)."""

import struct
import sys

P1, P2, P3 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
P4, P5 = 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5
MASK = (1 << 64) - 1


def rotate(value, bits):
    value &= MASK
    return (value << bits | value >> (64 - bits)) & MASK


def round64(lane, word):
    return rotate(lane + word * P2, 31) * P1 & MASK


def xxh64(data):
    end = len(data) // 32 * 32
    if end:
        lanes = [P1 + P2 & MASK, P2, 0, -P1 & MASK]
        for stripe in struct.iter_unpack("<4Q", data[:end]):
            lanes = [round64(*pair) for pair in zip(lanes, stripe)]
        value = sum(rotate(lane, bits) for lane, bits in zip(lanes, (1, 7, 12, 18)))
        for lane in lanes:
            value = (value ^ round64(0, lane)) * P1 + P4 & MASK
    else:
        value = P5
    value = value + len(data) & MASK
    while len(data) - end >= 8:
        value ^= round64(0, struct.unpack_from("<Q", data, end)[0])
        value = rotate(value, 27) * P1 + P4 & MASK
        end += 8
    if len(data) - end >= 4:
        value ^= struct.unpack_from("<I", data, end)[0] * P1 & MASK
        value = rotate(value, 23) * P2 + P3 & MASK
        end += 4
    for byte in data[end:]:
        value = rotate(value ^ byte * P5, 11) * P1 & MASK
    value = (value ^ value >> 33) * P2 & MASK
    value = (value ^ value >> 29) * P3 & MASK
    return value ^ value >> 32


def main():
    for path in sys.argv[1:]:
        with open(path, "r+b") as file:
            data = file.read()
            file.write(struct.pack("<8sQQ", b"CMBMSUM1", len(data), xxh64(data)))


if __name__ == "__main__":
    main()
