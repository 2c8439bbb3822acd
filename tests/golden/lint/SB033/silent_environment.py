def play(env, action):
    return env.step(action)
