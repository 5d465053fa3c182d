memref.global "private" constant @places : memref<2xindex> = dense<0>

func.func private @rows(%m: memref<?x16xf32>) -> index attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %n = memref.dim %m, %c0 : memref<?x16xf32>
  return %n : index
}

func.func private @first(%m: memref<?x16xf32>) attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %places = memref.get_global @places : memref<2xindex>
  %at = memref.load %places[%c0] : memref<2xindex>
  memref.store %one, %m[%at, %c0] : memref<?x16xf32>
  return
}

func.func private @two(%m: memref<?x16xf32>, %at: index) attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %two = arith.constant 2.0 : f32
  memref.store %two, %m[%at, %c0] : memref<?x16xf32>
  return
}

func.func private @three(%m: memref<?x16xf32>, %at: index) attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %three = arith.constant 3.0 : f32
  memref.store %three, %m[%at, %c0] : memref<?x16xf32>
  return
}

func.func @f(%rows: !ragged.rows {rt.as = #rt.rows<name = "x">},
             %x: memref<?x16xf32> {rt.as = #rt.input<name = "x", space = 0>},
             %out: memref<?x16xf32> {rt.as = #rt.output<name = "out0", space = 0>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = func.call @rows(%x) : (memref<?x16xf32>) -> index
  scf.for %i = %c0 to %n step %c1 {
    memref.store %zero, %out[%i, %c0] : memref<?x16xf32>
  }
  func.call @first(%out) : (memref<?x16xf32>) -> ()
  %value = memref.load %x[%c0, %c0] : memref<?x16xf32>
  %is_zero = arith.cmpf oeq, %value, %zero : f32
  %p = func.constant @two : (memref<?x16xf32>, index) -> ()
  %q = func.constant @three : (memref<?x16xf32>, index) -> ()
  %chosen = arith.select %is_zero, %p, %q : (memref<?x16xf32>, index) -> ()
  func.call_indirect %chosen(%out, %c0) : (memref<?x16xf32>, index) -> ()
  return
}
