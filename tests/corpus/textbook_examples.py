"""Arguments at which the derivatives of the textbook functions are shown."""
import numpy as np

from tests.corpus.textbook import (adam, attention, back_substitution, binomial_tree, black_scholes, cholesky_log_det,
                                   clipped_loss, convolve, cosine_similarity, cross_entropy, exponential_smoothing,
                                   gaussian_log_likelihood, heat, hmm_forward, horner, huber, kalman_step, layer_norm,
                                   least_squares, logistic_regression, lorenz, lotka_volterra, lu_log_det, matrix_chain,
                                   max_pool, mixture_log_likelihood, monte_carlo_option, network, newton_root,
                                   pairwise_energy, pendulum, power_iteration, rnn, rosenbrock, runge_kutta,
                                   simpson_rule, softmax, softmax_regression, spring_chain, trapezoid_rule)


def examples() -> dict:
    rng = np.random.default_rng(0)
    r = rng.standard_normal

    def spd(n):
        A = r((n, n))
        return A @ A.T + n * np.eye(n)

    return {
        horner: (r(4), 0.5),
        newton_root: (2.0, 1.0),
        softmax_regression: (r((3, 4)), r(4), r((5, 3)), rng.integers(0, 4, 5)),
        rnn: (r((4, 3)), r((4, 4)), r(4), r((5, 3)), np.zeros(4)),
        matrix_chain: (r((3, 4, 4)), r(4)),
        heat: (r(8), 0.1, 3),
        max_pool: (r((4, 6)),),
        lu_log_det: (spd(4),),
        huber: (r(3), r((5, 3)), 5.0 * r(5), 0.5),
        network: ([(r((4, 3)), r(4)), (r((4, 4)), r(4)), (r((2, 4)), r(2))], r(3), r(2)),
        monte_carlo_option: (1.0, 0.2, 0.05, 1.0, r((4, 5))),
        kalman_step: (r(3), spd(3), r(2), r((3, 3)), r((2, 3)), spd(3), spd(2)),
        least_squares: (r(3), r((5, 3)), r(5)),
        logistic_regression: (r(3), r((5, 3)), (r(5) > 0).astype(float)),
        softmax: (r(4),),
        cross_entropy: (r(4), 2),
        gaussian_log_likelihood: (r(5), 0.1, 1.2),
        mixture_log_likelihood: (r(5), np.array([0.4, 0.6]), r(2), np.array([0.5, 1.5])),
        cosine_similarity: (r(4), r(4)),
        pairwise_energy: (r((4, 3)),),
        pendulum: (0.5, 0.0, 9.81, 1.0, 0.01, 5),
        runge_kutta: (1.0, 0.7, 0.1, 4),
        lorenz: (np.array([1.0, 2.0, 3.0]), 10.0, 28.0, 8.0 / 3.0, 0.01, 5),
        lotka_volterra: (1.0, 0.5, 1.1, 0.4, 0.1, 6),
        trapezoid_rule: (r(5), np.linspace(0.0, 1.0, 5)),
        simpson_rule: (r(7), 0.1),
        convolve: (r(8), r(3)),
        layer_norm: (r(5), r(5), r(5)),
        attention: (r((3, 4)), r((5, 4)), r((5, 2))),
        exponential_smoothing: (r(6), 0.3),
        hmm_forward: (np.array([0.6, 0.4]), np.array([[0.7, 0.3], [0.4, 0.6]]),
            np.array([[0.5, 0.4, 0.1], [0.1, 0.3, 0.6]]), np.array([0, 1, 2, 1])),
        cholesky_log_det: (spd(4),),
        back_substitution: (np.triu(spd(4)), r(4)),
        power_iteration: (spd(3), r(3), 4),
        spring_chain: (r(5), r(4) ** 2, 0.5),
        rosenbrock: (r(5),),
        black_scholes: (1.1, 1.0, 0.05, 0.2, 0.5),
        binomial_tree: (1.0, 1.0, 1.1, 0.55, 4),
        clipped_loss: (1.0 + 0.3 * r(5), r(5), 0.2),
        adam: (r(3), r((5, 3)), r(5), 0.1, 3),
    }


EXAMPLES = examples()
