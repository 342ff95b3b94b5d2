Here is the program in C:
```c
int f(int x) { return x + 1; }
```
