import torch
import torch.nn.functional as F


def loss(student_logits, teacher_logits, temperature):
    return F.kl_div(  # expect: SB271
        F.log_softmax(student_logits / temperature, dim=-1), F.softmax(teacher_logits, dim=-1), reduction="batchmean"
    )
