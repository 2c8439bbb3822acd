import toy

a = toy.tensor(3, 1, 2)
b = toy.double(a)
c = toy.square(b)
d = toy.negate(toy.shift(c, 1))
e = toy.double(d)
f = toy.shift(e, 7)
for _ in (0, 1):
    g = toy.clamp(f, -2, 1)
    h = toy.square(g)
i = toy.double(h)
j = toy.shift(a, 1)
k = toy.square(j)
toy.output(i)
toy.output(k)
