import torch.nn.functional as F


def distil(student, teacher, t):
    soft = F.kl_div(
        F.log_softmax(student / t, dim=1),
        F.softmax(teacher / t, dim=0),  # expect: SB109
        reduction="batchmean",
    )
    given = F.log_softmax(student, dim=0)  # expect: SB109
    wanted = F.softmax(teacher, dim=-1)
    return soft + F.kl_div(given, wanted, reduction="batchmean")
