import numpy as np
from gradscribe import runtime as rt


def value_and_grad_first_passage(step):
    t_tape = rt.tape(np.float64)
    position = 0.0
    i = 0
    while i < len(step):
        t = 1.0 + position
        t_tape = rt.push_(t_tape, i, t)
        position += step[i] * t
        if position > 1.0:
            i += 1
            break
        i += 1
    t_tape = rt.pop(t_tape, 0, (i,))

    # adjoint of line 5: for i in range(len(step)):
    step_bar = np.zeros_like(step)
    position_bar = 1.0
    for i in range(i - 1, -1, -1):
        # adjoint of line 6: position += step[i] * (1.0 + position)
        position_bar2 = position_bar + step[i] * position_bar
        step_bar[i] += t_tape[i] * position_bar
        position_bar = position_bar2
    return position, step_bar
