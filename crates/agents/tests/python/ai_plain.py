"""The shortest agent of the course: a class and a move."""


class ai:
    def __init__(self):
        pass

    def move(self, a, b, a_fin, b_fin, t):
        for i in range(5, -1, -1):
            if a[i] == 6 - i:
                return i
        return max(range(6), key=lambda i: a[i])
