import numpy as np


def grad_lotka_volterra(prey, predators, a, b, dt, steps):
    trips = max(steps, 0)
    predators_tape = np.empty(trips)
    prey_tape = np.empty(trips)
    for t in range(steps):
        predators_tape[t] = predators
        prey_tape[t] = prey
        born = a * prey
        eaten = b * prey * predators
        prey += dt * (born - eaten)
        predators += dt * (eaten - predators)

    # adjoint of line 9: return np.mean(history)
    history_bar = np.broadcast_to(np.float64(1.0) / steps, steps)
    # adjoint of line 3: for t in range(steps):
    prey_bar = 0.0
    predators_bar = 0.0
    a_bar = 0.0
    b_bar = 0.0
    dt_bar = 0.0
    for t in range(steps - 1, -1, -1):
        prey = float(prey_tape[t])
        predators = float(predators_tape[t])
        born = a * prey
        product = b * prey
        eaten = product * predators
        # adjoint of line 8: history[t] = prey
        prey_bar += float(history_bar[t])
        # adjoint of line 7: predators = predators + dt * (eaten - predators)
        difference_bar = dt * predators_bar
        dt_bar += (eaten - predators) * predators_bar
        predators_bar -= difference_bar
        # adjoint of line 6: prey = prey + dt * (born - eaten)
        difference2_bar = dt * prey_bar
        dt_bar += (born - eaten) * prey_bar
        eaten_bar = difference_bar - difference2_bar
        # adjoint of line 5: eaten = b * prey * predators
        product_bar = predators * eaten_bar
        predators_bar += product * eaten_bar
        b_bar += prey * product_bar
        prey_bar += b * product_bar
        # adjoint of line 4: born = a * prey
        a_bar += prey * difference2_bar
        prey_bar += a * difference2_bar
    return prey_bar, predators_bar, a_bar, b_bar, dt_bar
