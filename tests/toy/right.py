import toy

a = toy.tensor(1, 2)
toy.output(toy.square(toy.shift(a, 1)))
