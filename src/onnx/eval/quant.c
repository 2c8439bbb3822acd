/* See quant_p.h. Written from the texts of QuantizeLinear and DequantizeLinear. */
#include "onnx/eval/quant_p.h"

#include <math.h>

struct quant_range quant__range(enum dtype t)
{
    const struct dtype_row *row = dtype_row(t);
    bool is_signed = row->class == DTYPE_CLASS_SIGNED;
    double high = ldexp(1, row->n_bits - is_signed) - 1;
    return (struct quant_range){is_signed ? -high - 1 : 0, high};
}

bool quant__is_power_of_two(double x)
{
    int exponent;
    return isfinite(x) && fabs(frexp(x, &exponent)) == 0.5;
}

static bool blocked(const struct value *x, const struct value *scale, int64_t axis, int64_t size,
                    struct granularity *g, struct err *e)
{
    bool fits = scale->rank == x->rank;
    for (uint32_t d = 0; fits && d < x->rank; d++)
        fits = d == axis || scale->dims[d] == x->dims[d];
    int64_t n = x->dims[axis], n_blocks = n / size + (n % size != 0);
    if (!fits || scale->dims[axis] != n_blocks)
        return err_set(e, ERR_DATA, "the scale's shape does not fit blocks of %lld on axis %lld",
                       (long long)size, (long long)axis);
    g->block = (size_t)size;
    g->n_blocks = (size_t)n_blocks;
    g->keeps_inner = true;
    return true;
}

bool quant__granularity(const struct kernel *k, const struct value *scale, const struct value *zero,
                        struct granularity *g, struct err *e)
{
    const struct value *x = k->in[0];
    int64_t axis = node_int(k->n, "axis", 1), block = node_int(k->n, "block_size", 0);
    *g = (struct granularity){.inner = 1, .n = 1, .block = 1, .n_blocks = 1};
    if (zero && (zero->n != scale->n || (zero->rank != scale->rank && scale->n != 1)))
        return err_set(e, ERR_DATA, "scale and zero point have %zu and %zu elements", scale->n,
                       zero->n);
    g->per_tensor = scale->n == 1 && !block;
    if (g->per_tensor)
        return true;
    if (block < 0 || !kernel__fix_axis(&axis, x->rank, e))
        return block < 0 ? err_set(e, ERR_DATA, "block_size is %lld", (long long)block) : false;
    struct axis_split s = axis_split(x, axis);
    g->inner = s.inner;
    g->n = g->n_blocks = s.n;
    if (block)
        return blocked(x, scale, axis, block, g, e);
    return (scale->rank == 1 && scale->n == s.n) ||
           err_set(e, ERR_DATA, "the scale has %zu elements, axis %lld has %zu", scale->n,
                   (long long)axis, s.n);
}

int64_t quant__round(struct kernel *k, uint32_t o, size_t i, const struct quant_step *s,
                     bool is_exact_division)
{
    double low = s->range.low - s->zero, high = s->range.high - s->zero;
    if (isnan(s->q)) {
        kernel__undefined(k, o)[i] = 1;
        return 0;
    }
    double r = number_round_even(s->q), tie = floor(s->q) + 0.5;
    if (high > low) { /* levels change only between low and high */
        tie = tie < low + 0.5 ? low + 0.5 : tie > high - 0.5 ? high - 0.5 : tie;
        double distance = fabs(s->q - tie);
        if (distance <= 2 * s->unit * fabs(tie) && !is_exact_division)
            kernel__undefined(k, o)[i] = 1;
        if (k->want_margins) {
            int forced = kernel__tie(k, distance * s->step, s->magnitude);
            kernel__margin(k, o)[i] = distance * s->step;
            r = forced ? tie + (forced > 0 ? 0.5 : -0.5) : r;
        }
    }
    double y = r + s->zero;
    return (int64_t)(y < s->range.low ? s->range.low : y > s->range.high ? s->range.high : y);
}
