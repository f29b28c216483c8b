"""REINFORCE with a baseline: a walker on a windy line learns to reach its end."""
import numpy as jnp

import gradscribe as jax
from gradscribe import lax

jax.config.update("jax_enable_x64", True)
STATES, STEPS, EPISODES, GAMMA = 7, 16, 24, 0.95


def policy_logits(params, state):
    hidden = jnp.tanh(params["W"][state] + params["b"])
    return hidden @ params["V"]


def environment(key, state, action):
    """Action 1 goes right, 0 goes left, and at times the wind blows back; the last state ends an episode."""
    wind = jnp.where(jax.random.bernoulli(key, 0.2), 1, 0)
    moved = jnp.clip(state + 2 * action - 1 - wind, 0, STATES - 1)
    done = state == STATES - 1
    state = jnp.where(done, state, moved)
    reward = jnp.where(done, 0.0, jnp.where(state == STATES - 1, 10.0, -0.3))
    return state, reward, done


def rollout(params, key):
    def step(state, key):
        k1, k2 = jax.random.split(key)
        action = jax.random.categorical(k1, policy_logits(params, state))
        new_state, reward, done = environment(k2, state, action)
        return new_state, (state, action, reward, done)

    return lax.scan(step, 1, jax.random.split(key, STEPS))[1]


def returns_to_go(rewards):
    def combine(later, earlier):  # of maps r -> a + b r
        return earlier[0] + earlier[1] * later[0], earlier[1] * later[1]

    return lax.associative_scan(combine, (rewards, jnp.full_like(rewards, GAMMA)), reverse=True)[0]


def loss(params, episodes, baseline):
    states, actions, rewards, done = episodes
    log_p = jax.nn.log_softmax(jax.vmap(jax.vmap(policy_logits, (None, 0)), (None, 0))(params, states))
    chosen = jnp.take_along_axis(log_p, actions[..., None], axis=-1)[..., 0]
    advantage = lax.stop_gradient(jax.vmap(returns_to_go)(rewards) - baseline)
    return -jnp.sum(chosen * advantage * (1.0 - done)) / EPISODES


@jax.jit
def update(params, baseline, key):
    episodes = jax.vmap(rollout, in_axes=(None, 0))(params, jax.random.split(key, EPISODES))
    grads = jax.grad(loss)(params, episodes, baseline)
    score = episodes[2].sum(axis=1).mean()
    return jax.tree.map(lambda p, g: p - 0.02 * g, params, grads), 0.9 * baseline + 0.1 * score, score


def main():
    kw, kv, key = jax.random.split(jax.random.key(4), 3)
    params = {"W": jax.random.normal(kw, (STATES, 8)), "b": jnp.zeros(8), "V": 0.1 * jax.random.normal(kv, (8, 2))}
    baseline, scores = 0.0, []
    for i in range(10):
        params, baseline, score = update(params, baseline, jax.random.fold_in(key, i))
        scores.append(score)
    return {"scores": jnp.array(scores), "right": jax.nn.softmax(jax.vmap(policy_logits, (None, 0))(params, jnp.arange(STATES)))[:, 1]}


if __name__ == "__main__":
    print(main())
