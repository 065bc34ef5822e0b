from anything import part as __getattr__


class Sampler:
    pass
