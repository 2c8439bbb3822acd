import torch.nn.functional as F


def soft_loss(student_logits, teacher_logits, temperature):
    p_teacher = F.softmax(teacher_logits / temperature, dim=1)
    log_p_student = F.log_softmax(student_logits / temperature, dim=1)
    return F.kl_div(log_p_student, p_teacher, reduction="batchmean") * temperature ** 2


def attention_loss(s_map, t_map):
    def attention(m):
        return F.normalize(m.pow(2).mean(dim=1).flatten(1), dim=1)

    return (attention(s_map) - attention(t_map)).pow(2).sum(dim=1).mean()


def combine(hard, soft, hint, attention, alpha=0.7, beta=0.5, gamma=10.0):
    return (1 - alpha) * hard + alpha * soft + beta * hint + gamma * attention
