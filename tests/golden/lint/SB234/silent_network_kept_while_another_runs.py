from torch import nn


class Problem:
    """The network is put aside while a patched copy of it is trained, and put back afterwards."""

    def __init__(self, patch):
        self.module = nn.Linear(4, 2)
        self.patch = patch

    def begin(self):
        self.module_orig = self.module
        self.module = self.patch(self.module_orig)

    def end(self):
        self.module_orig.load_state_dict(self.module.state_dict())
        self.module = self.module_orig
