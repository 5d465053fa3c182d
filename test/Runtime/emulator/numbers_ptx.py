#===-- test/Runtime/emulator/numbers_ptx.py - Numbers as GPUs have them --===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Floating-point numbers as fractions: what bits mean, how results are rounded, and
exact arithmetic."""

import math
import struct
from fractions import Fraction

FORMATS = {  # Bits of the fraction, of the exponent.
    "f16": (10, 5), "bf16": (7, 8), "tf32": (10, 8), "f32": (23, 8), "f64": (52, 11)}
WIDTH = {"f16": 16, "bf16": 16, "f32": 32, "f64": 64, "pred": 1}
CANONICAL = {"f16": 0x7fff, "bf16": 0x7fff, "f32": 0x7fffffff, "tf32": 0x7fffffff}
APPROXIMATE = {
    "sin": math.sin, "cos": math.cos, "tanh": math.tanh, "ex2": lambda x: 2.0 ** x,
    "lg2": lambda x: math.log2(x) if x > 0 else (-math.inf if x == 0 else math.nan),
    "rsqrt": lambda x: 1 / math.sqrt(x) if x > 0 else
             (math.copysign(math.inf, x) if x == 0 else math.nan),
    "rcp": lambda x: 1 / x if x else math.copysign(math.inf, x),
    "sqrt": lambda x: math.sqrt(x) if x >= 0 else math.nan}


def width(kind):
    return WIDTH.get(kind) or int(kind.lstrip("bsufx"))


def decode(bits, kind):
    """A float, exactly: a Fraction, or a float for what is none (and zeros)."""
    fraction, exponent = FORMATS[kind]
    sign = -1 if bits >> (fraction + exponent) & 1 else 1
    power = bits >> fraction & ((1 << exponent) - 1)
    digits = bits & ((1 << fraction) - 1)
    bias = (1 << (exponent - 1)) - 1
    if power == (1 << exponent) - 1:
        return math.nan if digits else sign * math.inf
    if not power and not digits:
        return sign * 0.0
    digits, power = (digits + (1 << fraction), power) if power else (digits, 1)
    return sign * Fraction(digits) * Fraction(2) ** (power - bias - fraction)


def nearest(value, mode):
    """A Fraction to an integer."""
    low = math.floor(value)
    if mode == "m" or low == value:
        return low
    if mode == "p":
        return low + 1
    if mode == "z":
        return low if value > 0 else low + 1
    rest = value - low
    if rest == Fraction(1, 2):
        return low + (value > 0) if mode == "a" else low + (low & 1)
    return low + (rest > Fraction(1, 2))


def encode(value, kind, mode="n"):
    fraction, exponent = FORMATS[kind]
    bias = (1 << (exponent - 1)) - 1
    infinity = ((1 << exponent) - 1) << fraction
    top = 1 << (fraction + exponent)
    if isinstance(value, float):
        if math.isnan(value):
            return CANONICAL.get(kind, infinity | 1 << (fraction - 1))
        sign = top if math.copysign(1, value) < 0 else 0
        if math.isinf(value) or not value:
            return sign | (infinity if value else 0)
        value = Fraction(value)
    if not value:
        return 0
    sign = top if value < 0 else 0
    power = max(math.frexp(float(abs(value)))[1] - 1 if 1e-300 < abs(value) < 1e300
                else abs(value).numerator.bit_length() -
                abs(value).denominator.bit_length(), 1 - bias)
    while abs(value) >= Fraction(2) ** (power + 1):
        power += 1
    while power > 1 - bias and abs(value) < Fraction(2) ** power:
        power -= 1
    digits = abs(nearest(value * Fraction(2) ** (fraction - power), mode))
    bits = ((power + bias - 1) << fraction) + digits
    if bits >= infinity:
        inward = mode == "z" or mode == ("p" if sign else "m")
        return sign | infinity - inward
    return sign | bits


def sign_of(value):
    return math.copysign(1, value) if isinstance(value, float) else \
        (1 if value > 0 else -1)


def is_nan(value):
    return isinstance(value, float) and math.isnan(value)


def not_finite(op, values, mode):
    """A result that IEEE 754 says of infinities and signed zeros, or None where the
    exact one of finite numbers holds."""
    f = [float(v) for v in values]
    try:
        result = {"add": lambda: f[0] + f[1], "sub": lambda: f[0] - f[1],
                  "mul": lambda: f[0] * f[1], "div": lambda: f[0] / f[1],
                  "fma": lambda: f[0] * f[1] + f[2],
                  "mad": lambda: f[0] * f[1] + f[2],
                  "rcp": lambda: 1 / f[0],
                  "sqrt": lambda: math.sqrt(f[0])}[op]()
    except ZeroDivisionError:
        top = f[0] if op == "div" else 1.0
        under = f[1] if op == "div" else f[0]
        if not top:
            return math.nan
        return math.copysign(math.inf, math.copysign(1, top) * math.copysign(1, under))
    except ValueError:
        return math.nan
    if math.isnan(result) or math.isinf(result) and any(
            isinstance(v, float) and math.isinf(v) for v in values):
        return result
    if result == 0 and op in ("mul", "div", "sqrt", "rcp"):
        return result
    if result == 0 and op in ("add", "sub") and all(v == 0 for v in values):
        return -0.0 if mode == "m" and math.copysign(1, f[0]) != math.copysign(
            1, f[1] if op == "add" else -f[1]) else result
    if result == 0 and op in ("fma", "mad") and (list(values) + [0, 0])[2] == 0:
        differ = math.copysign(1, f[0]) * math.copysign(1, f[1]) != math.copysign(1, f[2])
        return -0.0 if mode == "m" and differ else result
    return None


def arithmetic(op, values, mode):
    """Exact, or by the rules of IEEE 754 for what is not finite."""
    if any(is_nan(v) for v in values):
        return math.nan
    a, b, c = (list(values) + [0, 0])[:3]
    if any(isinstance(v, float) for v in values):
        result = not_finite(op, values, mode)
        if result is not None:
            return result
        a, b, c = (Fraction(v) if v == v and abs(v) != math.inf else v
                   for v in (a, b, c))
    result = {"add": lambda: a + b, "sub": lambda: a - b, "mul": lambda: a * b,
              "div": lambda: a / b, "fma": lambda: a * b + c,
              "mad": lambda: a * b + c, "rcp": lambda: 1 / a,
              "sqrt": lambda: None}[op]()
    if op == "sqrt":
        if a < 0:
            return math.nan
        scale = 1 << 1200
        root = math.isqrt(int(a * scale * scale))
        exact = Fraction(root, scale)
        return exact if exact * exact == a else exact + Fraction(1, 4 * scale)
    if result == 0:
        return -0.0 if mode == "m" else 0.0
    return result


def flush(bits):
    return bits & 0x80000000 if not bits & 0x7f800000 else bits
