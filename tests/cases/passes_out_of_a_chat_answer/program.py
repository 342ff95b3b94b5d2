Sure, add one:
```python
def f(x):
    return x + 1
```
Done.
