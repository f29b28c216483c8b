import numpy as np


def value_and_grad_first_passage(step):
    total_tape = []
    position = 0.0
    i = 0
    while i < len(step):
        step_i = step[i]
        total = 1.0 + position
        total_tape.append(total)
        position += step_i * total
        if position > 1.0:
            i += 1
            break
        i += 1

    # adjoint of line 5: for i in range(len(step)):
    step_bar = np.zeros_like(step)
    position_bar = 1.0
    for i in range(i - 1, -1, -1):
        # adjoint of line 6: position += step[i] * (1.0 + position)
        step_bar[i] += total_tape[i] * position_bar
        position_bar += step[i] * position_bar
    return position, step_bar
