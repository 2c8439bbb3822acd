import torch.nn.functional as F


def distillation_loss(student_logits, teacher_logits, labels, T=4.0, alpha=0.5):
    p_t = F.log_softmax(teacher_logits / T, dim=1)
    p_s = F.softmax(student_logits / T, dim=1)
    soft = F.kl_div(p_t, p_s, reduction="batchmean") * (T * T)  # expect: SB108
    return alpha * soft + (1 - alpha) * F.cross_entropy(student_logits, labels)
