from dataclasses import dataclass


@dataclass
class P:
    x: int

    def __add__(self, other):
        return P(other.x + self.x)
