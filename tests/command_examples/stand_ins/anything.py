"""The base of the stand-ins: a value on which every operation works and returns another such value. Its number comes from
Python's generator, so that a program which does not restore its generators has other numbers after a resume."""

import random
import time

STEP_S = 0.02  # [s] of a step of training, so that a test can stop it before its end


class Anything:
    def __init__(self, *words, **named):
        pass

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Anything()

    def __call__(self, *words, **named):
        return Anything()

    def __getitem__(self, key):
        return Anything()

    def __setitem__(self, key, value):
        pass

    def __iter__(self):
        return iter([Anything(), Anything(), Anything()])

    def __len__(self):
        return 1000

    def chunk(self, count, dim=0):
        return [Anything() for _ in range(count)]

    def backward(self):
        time.sleep(STEP_S)

    def item(self):
        return random.random()

    def __float__(self):
        return random.random()

    def __index__(self):
        return 0

    def __int__(self):
        return 1

    def _other(self, *values):
        return Anything()

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __neg__ = _other
    __pow__ = __rpow__ = __and__ = __lt__ = __le__ = __gt__ = __ge__ = __eq__ = __ne__ = _other
    __hash__ = None


class Module:
    """The base of models: its parts are attributes, its call is `forward`."""

    training = True

    def __init__(self):
        pass

    def register_buffer(self, name, value, persistent=True):
        setattr(self, name, value)

    def __call__(self, *words, **named):
        return self.forward(*words, **named)

    def to(self, device):
        return self

    def train(self):
        return self

    eval = train

    def parameters(self):
        return []

    def named_parameters(self):
        return [("output.weight", Anything())]

    def state_dict(self):
        return Anything()

    def load_state_dict(self, state):
        pass


def part(name):
    """Returns an attribute for a module's __getattr__."""
    if name.startswith("__"):
        raise AttributeError(name)
    return Anything()
