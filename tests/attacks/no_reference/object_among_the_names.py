# runtime_error wrong_answer
# The name that the tests take is a dictionary whose keys are objects.

class K:
    pass


f = {K(): 3}
