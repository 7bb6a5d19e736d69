"""A base class, a static helper, a keyword default and a global cache."""
import random
from functools import lru_cache

random.seed(7)


@lru_cache(maxsize=None)
def worth(seeds):
    return seeds * seeds


class Base:
    def pick(self, a):
        return max((i for i in range(len(a)) if a[i]), key=lambda i: (worth(a[i]), random.random()))


class ai(Base):
    def move(self, a, b, a_fin, b_fin, t=1000):
        return self.pick(a)
