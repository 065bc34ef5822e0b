"""A stand-in for PyTorch, so that the programs of the guide run without it. It computes nothing: the tests check how the
programs use rethink, and that every name in them exists."""

import contextlib
import pickle
import random

from anything import Anything, part as __getattr__

from torch import distributed, nn, utils

__version__ = "stand-in"


class version:
    cuda = None


class cuda:
    @staticmethod
    def is_available():
        return False


class device:
    def __init__(self, kind, index=None):
        self.type, self.index = kind, index


class no_grad(contextlib.ContextDecorator):
    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False


class _RandomState:
    def __init__(self, state):
        self.state = state

    def cpu(self):
        return self


def manual_seed(seed):
    random.seed(seed)


def get_rng_state():
    return _RandomState(random.getstate())


def set_rng_state(state):
    random.setstate(state.state)


def save(state, file):
    with open(file, "wb") as out:
        pickle.dump(state, out)


def load(file, map_location=None, weights_only=True):
    with open(file, "rb") as source:
        return pickle.load(source)
