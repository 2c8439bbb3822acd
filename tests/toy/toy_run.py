import sys

import toy

run = toy.run
