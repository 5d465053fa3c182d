nn.import "layers.mlir"
nn.sizes {hidden = 128, inner = 4 * hidden}
!x = tensor<?x128xf32>
!h = tensor<?x512xf32>
func.func private @feed(%x: !x) -> !x {
  %h = nn.call @dense(%x) in "up" : (!x) -> !h
  %a = math.tanh %h : !h
  %y = nn.call @dense(%a) in "down" : (!h) -> !x
  return %y : !x
}
