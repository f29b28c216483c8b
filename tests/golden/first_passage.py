import numpy as np
from gradscribe import runtime as rt


def value_and_grad_first_passage(step):
    i_tape = rt.tape(np.int64)
    t_tape = rt.tape(np.float64)
    position = 0.0
    count = 0
    for i in range(len(step)):
        i_tape = rt.push_(i_tape, count, i)
        t = 1.0 + position
        t_tape = rt.push_(t_tape, count, t)
        position += step[i] * t
        if position > 1.0:
            count += 1
            break
        count += 1
    i_tape = rt.pop(i_tape, 0, (count,))
    t_tape = rt.pop(t_tape, 0, (count,))

    # adjoint of line 5: for i in range(len(step)):
    step_bar = np.zeros_like(step)
    position_bar = 1.0
    for k in range(count - 1, -1, -1):
        i = int(i_tape[k])
        # adjoint of line 6: position += step[i] * (1.0 + position)
        position_bar2 = position_bar + step[i] * position_bar
        step_bar[i] += t_tape[k] * position_bar
        position_bar = position_bar2
    return position, step_bar
