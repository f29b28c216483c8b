# seed 881000306, stages, IndexError: raises IndexError: list index out of range
def f():
    for c4 in (0.96, 0.79):
        for i in range(1, 0, -1):
            if i % 2:
                break
    return 1


ARGS = ()
MORE = ()
SEED = 881000306
