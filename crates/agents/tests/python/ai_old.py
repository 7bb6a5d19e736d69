# -*- coding: utf-8 -*-
# Written years ago: time.clock, names that have moved since, an alarm that is never switched off.
import collections
import signal
import time


class ai():
    def __init__(self):
        self.start = time.clock()

    def move(self, a, b, a_fin, b_fin, t):
        assert isinstance(a, collections.Iterable)
        if hasattr(signal, "setitimer"):
            signal.signal(signal.SIGALRM, self.wake)
            signal.setitimer(signal.ITIMER_REAL, 0.02)
        with open('time.txt', mode='a') as f:
            f.write(str(time.clock() - self.start) + '\n')
        best = 0
        for i in range(len(a)):
            if a[i] == 0:
                continue
            best = i
        return best

    def wake(self, *_):
        raise RuntimeError("too late")
