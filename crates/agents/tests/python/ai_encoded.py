# 你好，世界
class ai:
    """想"""
    def move(self, a, b, a_fin, b_fin, t):
        for i in range(5, -1, -1):
            if a[i]:
                return i
