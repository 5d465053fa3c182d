nn.import "cycle_a.mlir"
