nn.import "cycle_b.mlir"
