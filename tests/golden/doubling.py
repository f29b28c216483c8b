def value_and_grad_doubling(x):
    y = 1.0 - x
    y_tape = []
    count = 0
    while y > 0.01:
        y_tape.append(y)
        y *= y
        count += 1

    # adjoint of line 5: while y > 0.01:
    y_bar = 1.0
    for k in range(count - 1, -1, -1):
        y2 = float(y_tape[k])
        # adjoint of line 6: y = y * y
        y_bar = 2 * (y2 * y_bar)
    # adjoint of line 4: y = 1.0 - x
    x_bar = -y_bar
    return y, x_bar
