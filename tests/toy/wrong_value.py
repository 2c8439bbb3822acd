import toy

a = toy.tensor(1, 2, 3)
b = toy.square(a)
c = toy.shift(b, 4)
if len(c.data) > 2:
    d = toy.square(c)
    e = toy.shift(d, -1)
    f = toy.double(e)
else:
    f = toy.tensor(0)
g = toy.negate(f)
h = toy.shift(g, 0.5)
i = toy.square(a)
toy.output(h)
toy.output(i)
