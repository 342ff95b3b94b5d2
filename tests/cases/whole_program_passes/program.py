import sys


def main():
    print(sum(map(int, sys.stdin.read().split())))


if __name__ == "__main__":
    main()
