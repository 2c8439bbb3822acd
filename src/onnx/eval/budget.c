/* See budget_p.h. */
#include "onnx/eval/budget_p.h"

bool budget__charge_bytes(struct budget *b, uint64_t n_bytes, struct err *e)
{
    b->n_bytes += n_bytes;
    return b->n_bytes <= b->max_bytes || err_set(e, ERR_LIMIT, "results take more than %llu bytes",
                                                 (unsigned long long)b->max_bytes);
}

bool budget__charge_macs(struct budget *b, uint64_t n_macs, struct err *e)
{
    if (CHECKED_ADD(b->n_macs, n_macs, &b->n_macs) || b->n_macs > b->max_macs)
        return err_set(e, ERR_LIMIT, "more than %llu multiply-adds",
                       (unsigned long long)b->max_macs);
    return true;
}
