import torch.nn.functional as F


def loss(student, teacher, x):
    p = F.log_softmax(student(x), dim=-1)
    q = F.log_softmax(teacher(x), dim=-1)
    return (
        F.kl_div(p, q, reduction="batchmean", log_target=True)
        + F.kl_div(p, q.exp(), reduction="batchmean")
        + F.kl_div(p, F.softmax(teacher(x), dim=-1), reduction="batchmean")
    )
