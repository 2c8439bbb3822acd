def update(agent, state, opt):
    policy_loss = agent.critic.q1(state, agent.actor(state)).mean()  # expect: SB285
    opt.zero_grad()
    policy_loss.backward()
    opt.step()
