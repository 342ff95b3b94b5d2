kept = []
while True:
    kept.append([kept])
