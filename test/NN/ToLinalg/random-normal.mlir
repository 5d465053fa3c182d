/// A normal number is as precise where it is small: its logarithm is off by
/// what the number is off by as a part of it.
// RUN: %limit cambium-difftest %s --size=400 | FileCheck %s
// CHECK: compared {{[1-9][0-9]*}} values
func.func @magnitude(%x: tensor<?x6xf32> {cambium.name = "x"}) -> tensor<?x6xf32> {
  %n = nn.random normal(0.0, 1.0) like %x : tensor<?x6xf32> -> tensor<?x6xf32>
  %a = math.absf %n : tensor<?x6xf32>
  %l = math.log %a : tensor<?x6xf32>
  return %l : tensor<?x6xf32>
}
