def grad_newton_root(a, x):
    x_tape = []
    # the square root of a, by Newton's method
    count = 0
    while abs(x * x - a) > 1e-10:
        x_tape.append(x)
        x = 0.5 * (x + a / x)  # the mean of a guess and its partner
        count += 1

    # adjoint of line 3: while abs(x * x - a) > 1e-10:
    x_bar = 1.0
    a_bar = 0.0
    for k in range(count - 1, -1, -1):
        x = float(x_tape[k])
        # adjoint of line 4: x = 0.5 * (x + a / x)
        total_bar = 0.5 * x_bar
        a_bar2 = total_bar / x
        a_bar += a_bar2
        x_bar = total_bar - a / x * a_bar2
    return a_bar, x_bar
