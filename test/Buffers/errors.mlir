// RUN: cambium-opt --buffers-verify --split-input-file --verify-diagnostics %s

func.func @allocation_in_loop(%n: index, %m: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-note @below {{it is inside this loop}}
  scf.for %i = %c0 to %n step %c1 {
    // expected-error @below {{expected allocations outside of loops}}
    %x = rt.alloc(%i) : memref<?xf32>
    memref.copy %x, %m : memref<?xf32> to memref<?xf32>
  }
  return
}

// -----

// expected-error @below {{expected no results in the buffers phase, but got 'f32'}}
func.func @result(%x: f32) -> f32 {
  return %x : f32
}

// -----

func.func @tensor(%m: memref<3xf32>) {
  // expected-error @below {{expected an op of the buffers phase}}
  %t = bufferization.to_tensor %m : memref<3xf32> to tensor<3xf32>
  return
}

// -----

/// An iteration's own memory is right in its loop, not in another loop of it.
func.func @own_memory(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  rt.for_each %i of %n {
    %x = memref.alloca() : memref<4xf32>
    // expected-note @below {{it is inside this loop}}
    scf.for %j = %c0 to %n step %c1 {
      // expected-error @below {{expected allocations outside of loops}}
      %y = memref.alloca() : memref<4xf32>
    }
  }
  return
}
