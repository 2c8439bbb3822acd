/*
 * Einsum: output[output-term] = sum over the other labels of the products of the operands.
 *
 * Every label has a size and, in every operand, a stride; the strides of a repeated label add up,
 * which gives the diagonal. The loops run over two lists of offsets: one entry per element of the
 * result, and one per term of the sum.
 */
#include <math.h>

#include "base/number.h"
#include "onnx/einsum.h"
#include "onnx/eval/kernel_p.h"

enum { TERMS_MAX = 1 << 24 }; /* terms of one sum, so that the lists of offsets stay small */

struct plan {
    struct einsum s;
    int64_t sizes[EINSUM_LABELS];        /* >= 0; -1: the label is not used */
    ptrdiff_t (*strides)[EINSUM_LABELS]; /* by operand */
    uint8_t summed[EINSUM_LABELS];
    uint32_t n_summed;
    size_t n_terms; /* of each sum */
};

static bool size_labels(const struct kernel *k, struct plan *p, struct err *e)
{
    for (uint32_t label = 0; label < EINSUM_LABELS; label++)
        p->sizes[label] = -1;
    for (uint32_t i = 0; i < k->n_in; i++)
        for (uint32_t d = 0; d < k->in[i]->rank; d++) {
            uint8_t label = p->s.terms[i].at[d];
            int64_t *size = &p->sizes[label], dim = k->in[i]->dims[d];
            bool broadcasts = einsum_is_ellipsis(label);
            if (*size < 0 || (broadcasts && *size == 1))
                *size = dim;
            else if (*size != dim && !(broadcasts && dim == 1))
                return err_set(e, ERR_DATA, "a label stands for %lld and for %lld elements",
                               (long long)*size, (long long)dim);
        }
    return true;
}

static bool make_plan(struct kernel *k, struct plan *p, struct err *e)
{
    uint32_t *ranks = arena_new_array(k->scratch, uint32_t, k->n_in);
    bool is_output[EINSUM_LABELS] = {false};
    for (uint32_t i = 0; i < k->n_in; i++)
        ranks[i] = k->in[i]->rank;
    if (!einsum_parse(node_string(k->n, "equation", STR("")), ranks, k->n_in, k->scratch, &p->s,
                      e) ||
        !size_labels(k, p, e))
        return false;
    p->strides = arena_alloc_array(k->scratch, k->n_in, sizeof *p->strides);
    for (uint32_t i = 0; i < k->n_in; i++) {
        ptrdiff_t own[TENSOR_RANK_MAX];
        walk__strides(k->in[i]->dims, ranks[i], own);
        for (uint32_t d = 0; d < ranks[i]; d++)
            if (k->in[i]->dims[d] != 1)
                p->strides[i][p->s.terms[i].at[d]] += own[d];
    }
    for (uint32_t d = 0; d < p->s.output.n; d++)
        is_output[p->s.output.at[d]] = true;
    p->n_summed = 0;
    p->n_terms = 1;
    for (uint32_t label = 0; label < EINSUM_LABELS; label++)
        if (p->sizes[label] >= 0 && !is_output[label]) {
            p->summed[p->n_summed++] = (uint8_t)label;
            if (CHECKED_MUL(p->n_terms, (size_t)p->sizes[label], &p->n_terms))
                return err_set(e, ERR_LIMIT, "too many terms in a sum");
        }
    return true;
}

/* Offsets into operand i over a list of labels, row-major. */
static ptrdiff_t *offsets_of(struct kernel *k, const struct plan *p, uint32_t i,
                             const uint8_t *labels, uint32_t n_labels, size_t n)
{
    ptrdiff_t *at = arena_new_array(k->scratch, ptrdiff_t, n ? n : 1);
    size_t n_done = 1;
    for (uint32_t d = n_labels; n && d-- > 0;) {
        for (int64_t j = 1; j < p->sizes[labels[d]]; j++)
            for (size_t m = 0; m < n_done; m++)
                at[(size_t)j * n_done + m] = at[m] + j * p->strides[i][labels[d]];
        n_done *= (size_t)p->sizes[labels[d]];
    }
    return at;
}

/* Both lists of offsets, by operand. */
struct offsets {
    ptrdiff_t **outer, **inner;
};

static void sum_floats(struct kernel *k, const struct plan *p, struct offsets o)
{
    double factor = MAX(1, sqrt((double)p->n_terms) / 8);
    double *scales = k->want_noise ? kernel__scales(k, 0) : NULL;
    for (size_t i = 0; i < k->out[0].n; i++) {
        double sum = 0, squares = 0;
        for (size_t j = 0; j < p->n_terms; j++) {
            double term = 1;
            for (uint32_t m = 0; m < k->n_in; m++)
                term *= k->in[m]->f[o.outer[m][i] + o.inner[m][j]];
            sum += term;
            squares += term * term;
        }
        k->to[0].f[i] = sum;
        if (scales)
            scales[i] = factor * sqrt((double)p->n_terms * squares);
    }
}

static void sum_integers(struct kernel *k, const struct plan *p, struct offsets o)
{
    for (size_t i = 0; i < k->out[0].n; i++) {
        uint64_t sum = 0;
        for (size_t j = 0; j < p->n_terms; j++) {
            uint64_t term = 1;
            for (uint32_t m = 0; m < k->n_in; m++)
                term *= k->in[m]->u[o.outer[m][i] + o.inner[m][j]];
            sum += term;
        }
        bool is_wide = k->out[0].storage == STORAGE_U64;
        k->to[0].u[i] = is_wide ? sum : (uint64_t)kernel__wrap(k->out[0].dtype, (int64_t)sum);
    }
}

/* Einsum: operands with the dims of the equation's terms -> the dims of its result. */
bool kernel__einsum(struct kernel *k, struct err *e)
{
    struct plan p = {0};
    int64_t dims[TENSOR_RANK_MAX];
    uint64_t n_work;
    if (!make_plan(k, &p, e))
        return false;
    for (uint32_t d = 0; d < p.s.output.n; d++)
        dims[d] = p.sizes[p.s.output.at[d]];
    if (!kernel__output(k, 0, k->in[0]->dtype, p.s.output.n, dims, e))
        return false;
    if (!k->out[0].n)
        return true;
    if (p.n_terms > TERMS_MAX)
        return err_set(e, ERR_LIMIT, "sums of %zu terms", p.n_terms);
    if (CHECKED_MUL((uint64_t)k->out[0].n, (uint64_t)p.n_terms * k->n_in, &n_work))
        n_work = UINT64_MAX;
    if (!kernel__charge(k, n_work, e))
        return false;
    struct offsets o = {arena_new_array(k->scratch, ptrdiff_t *, k->n_in),
                        arena_new_array(k->scratch, ptrdiff_t *, k->n_in)};
    for (uint32_t i = 0; i < k->n_in; i++) {
        o.outer[i] = offsets_of(k, &p, i, p.s.output.at, p.s.output.n, k->out[0].n);
        o.inner[i] = offsets_of(k, &p, i, p.summed, p.n_summed, p.n_terms);
    }
    if (k->out[0].storage == STORAGE_F64)
        sum_floats(k, &p, o);
    else
        sum_integers(k, &p, o);
    if (k->out[0].storage == STORAGE_F64 && k->n_in <= 2)
        kernel__set_exact(k, 0,
                          kernel__sum_is_exact(k->in[0], k->n_in == 2 ? k->in[1] : NULL, p.n_terms,
                                               k->out[0].dtype));
    return true;
}
