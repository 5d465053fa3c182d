#===-- test/Runtime/emulator/integers_ptx.py - Integers and bits ----------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""What instructions of PTX give of integers and bits."""

from numbers_ptx import width


def wrap(value, bits):
    return value & ((1 << bits) - 1)


def signed(value, bits):
    value = wrap(value, bits)
    return value - (1 << bits) if value >> (bits - 1) else value


def clamp(value, bits, is_signed):
    low = -(1 << (bits - 1)) if is_signed else 0
    high = (1 << (bits - is_signed)) - 1
    return min(max(value, low), high)


def permute(a, b, selector):
    data = (b << 32 | a).to_bytes(8, "little")
    out = []
    for i in range(4):
        s = selector >> 4 * i & 15
        byte = data[s & 7]
        out.append((0xff if byte & 0x80 else 0) if s & 8 else byte)
    return int.from_bytes(bytes(out), "little")


PERMUTE = {"f4e": (0x3210, 0x4321, 0x5432, 0x6543), "b4e": (0x5670, 0x6701, 0x7012, 0x0123),
           "rc8": (0, 0x1111, 0x2222, 0x3333), "ecl": (0x3210, 0x3211, 0x3222, 0x3333),
           "ecr": (0, 0x1110, 0x2210, 0x3210), "rc16": (0x1010, 0x3232, 0x1010, 0x3232)}


def field(a, begin, length, n, is_signed):
    begin, length = begin & 255, length & 255
    last = min(begin + length - 1, n - 1)
    sign = is_signed and length and a >> last & 1
    result = 0
    for i in range(n):
        source = begin + i
        bit = a >> source & 1 if i < length and source < n else sign
        result |= int(bool(bit)) << i
    return result


def integer(parts, args, kind):
    op, mods, n = parts[0], parts[1:-1], width(kind.replace("x2", ""))
    if kind.endswith("x2"):
        low, high = ([x >> s & 0xffff for x in args] for s in (0, 16))
        inner = parts[:-1] + [kind[:-2]]
        return integer(inner, low, kind[:-2]) | integer(inner, high, kind[:-2]) << 16
    is_signed = kind[0] == "s"
    v = [signed(x, n) if is_signed else x for x in args]
    if op in ("add", "sub"):
        r = v[0] + v[1] if op == "add" else v[0] - v[1]
        return wrap(clamp(r, n, True) if "sat" in mods else r, n)
    if op in ("mul", "mad"):
        r = v[0] * v[1]
        if "wide" in mods:
            return wrap(r + (args[2] if op == "mad" else 0), 2 * n)
        r = r >> n if "hi" in mods else r
        return wrap(r + (args[2] if op == "mad" else 0), n)
    if op in ("mul24", "mad24"):
        a, b = (signed(x, 24) if is_signed else wrap(x, 24) for x in args[:2])
        return wrap(a * b + (args[2] if op == "mad24" else 0), n)
    if op in ("div", "rem"):
        if not v[1]:
            return wrap(-1, n) if op == "div" else args[0]
        q = abs(v[0]) // abs(v[1]) * (1 if (v[0] < 0) == (v[1] < 0) else -1)
        return wrap(q if op == "div" else v[0] - q * v[1], n)
    if op in ("min", "max"):
        r = (min if op == "min" else max)(v[0], v[1])
        return wrap(max(r, 0) if "relu" in mods else r, n)
    if op == "sad":
        return wrap(abs(v[0] - v[1]) + v[2], n)
    if op in ("abs", "neg"):
        return wrap(abs(v[0]) if op == "abs" else -v[0], n)
    return bitwise(op, mods, args, v, n, is_signed, parts)


def bitwise(op, mods, args, v, n, is_signed, parts):
    a = args[0]
    b = args[1] if len(args) > 1 else 0
    if op in ("and", "or", "xor"):
        return {"and": a & b, "or": a | b, "xor": a ^ b}[op]
    if op == "not":
        return wrap(~a, n)
    if op == "cnot":
        return int(a == 0)
    if op == "shl":
        return wrap(a << min(b, 64), n)
    if op == "shr":
        return wrap(v[0] >> min(b, 64), n)
    if op == "shf":
        count = args[2] & 31 if "wrap" in mods else min(args[2], 32)
        both = b << 32 | a
        return wrap((both << count) >> 32 if "l" in mods else both >> count, 32)
    if op == "bfe":
        return field(a, b, args[2], n, is_signed)
    if op == "bfi":
        begin, length = args[2] & 255, args[3] & 255
        mask = wrap(((1 << length) - 1) << begin, n)
        return b & ~mask | wrap(a << begin, n) & mask
    if op == "bfind":
        x = ~v[0] if is_signed and v[0] < 0 else v[0]
        at = x.bit_length() - 1
        if at < 0:
            return 0xffffffff
        return n - 1 - at if "shiftamt" in mods else at
    if op == "brev":
        return int(format(a, f"0{n}b")[::-1], 2)
    if op == "popc":
        return bin(a).count("1")
    if op == "clz":
        return n - a.bit_length()
    if op == "bmsk":
        b0, b1 = (a & 31, b & 31) if "wrap" in mods else (a, b)
        return wrap(((1 << min(b1, 32)) - 1) << b0, 32) if b0 < 32 else 0
    if op == "szext":
        count = b & 31 if "wrap" in mods else min(b, 32)
        return wrap(signed(a, count) if is_signed and count else wrap(a, count), 32)
    if op == "lop3":
        return sum(1 << i for i in range(32) if args[3] >> (
            (args[0] >> i & 1) << 2 | (args[1] >> i & 1) << 1 | args[2] >> i & 1) & 1)
    raise KeyError(op)


def dot(parts, args):
    step = 4 if parts[0] == "dp4a" else 2
    ka, kb = parts[-2:]
    first = 2 if "hi" in parts else 0
    total = signed(args[2], 32)
    for i in range(step):
        size = 8 if step == 4 else 16
        a = args[0] >> size * i & ((1 << size) - 1)
        b = args[1] >> 8 * (i + first) & 0xff
        total += (signed(a, size) if ka[0] == "s" else a) * \
                 (signed(b, 8) if kb[0] == "s" else b)
    return wrap(total, 32)
