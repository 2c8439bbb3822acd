import torch
import torch.nn.functional as F
from torch.distributions import Bernoulli, Categorical


def act(policy, x):
    probs = F.softmax(policy(x), dim=-1)
    log_probs = F.log_softmax(policy(x), dim=-1)
    return Categorical(probs), Categorical(probs=probs), Categorical(logits=policy(x)), Categorical(logits=log_probs)


def gate(net, x):
    return Bernoulli(torch.sigmoid(net(x))), Bernoulli(probs=torch.sigmoid(net(x))), Bernoulli(logits=net(x))


def logs(net, x):
    probs = F.softmax(net(x), dim=-1)
    return Categorical(logits=torch.log(probs + 1e-8)), F.gumbel_softmax(net(x), tau=1.0)
