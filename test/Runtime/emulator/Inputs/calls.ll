target triple = "nvptx64-nvidia-cuda"
@tab = addrspace(4) constant [4 x i32] [i32 1, i32 2, i32 3, i32 4], align 16
@g = addrspace(1) global [3 x float] [float 1.0, float 2.0, float 3.0], align 4
@p = addrspace(1) global ptr addrspacecast (ptr addrspace(1) @g to ptr), align 8
@z = internal addrspace(3) global [64 x float] undef, align 16
@fp = addrspace(1) global ptr @callee
%S = type {i32, i64, [4 x float]}
define %S @callee(%S %a, <4 x float> %v, i8 %c, i1 %b, half %h, ptr byval(%S) %q) noinline {
  %x = extractelement <4 x float> %v, i32 1
  %y = insertvalue %S %a, float %x, 2, 1
  %d = zext i8 %c to i32
  %e = insertvalue %S %y, i32 %d, 0
  ret %S %e
}
define ptx_kernel void @k(ptr addrspace(1) %o, i32 %n, ptr byval(%S) %s, i8 %c, i16 %w, float %f) {
  %al = alloca [16 x i32]
  %ga = getelementptr [16 x i32], ptr %al, i32 0, i32 %n
  store i32 3, ptr %ga
  %vl = load i32, ptr %al
  %sv = load %S, ptr %s
  %r = call %S @callee(%S %sv, <4 x float> <float 1.0, float 2.0, float 3.0, float 4.0>, i8 %c, i1 true, half 1.0, ptr byval(%S) %s)
  %r2 = extractvalue %S %r, 2, 1
  %fpp = load ptr, ptr addrspace(1) @fp
  %rr = call float %fpp(float %f)
  switch i32 %n, label %d [ i32 0, label %a 
   i32 1, label %b
   i32 2, label %cc
   i32 3, label %dd
   i32 4, label %ee 
   i32 5, label %a]
a:
  br label %end
b:
  br label %end
cc:
  br label %end
dd: 
  br label %end
ee: 
  br label %end
d: 
  br label %end
end:
  %ph = phi i32 [1, %a], [4, %b],[5,%cc],[2,%dd],[7,%ee],[8,%d]
  %q = add i32 %ph, %vl
  store i32 %q, ptr addrspace(1) %o
  %o1 = getelementptr float, ptr addrspace(1) %o, i32 1
  store float %r2, ptr addrspace(1) %o1
  %o2 = getelementptr float, ptr addrspace(1) %o, i32 2
  store float %rr, ptr addrspace(1) %o2
  %t1 = load ptr, ptr addrspace(1) @p
  %t2 = load float, ptr %t1
  store float %t2, ptr addrspacecast (ptr addrspace(3) @z to ptr)
  %ti = getelementptr [4 x i32], ptr addrspace(4) @tab, i32 0, i32 %n
  %tv = load i32, ptr addrspace(4) %ti
  %i1 = icmp eq i32 %tv, 3
  %ss = select i1 %i1, i8 %c, i8 9
  store i8 %ss, ptr addrspace(1) %o2
  %i128 = zext i32 %n to i128
  %i129 = mul i128 %i128, 99999999999999999999
  store i128 %i129, ptr addrspace(1) %o
  ret void
}
