func.func private @broken(
