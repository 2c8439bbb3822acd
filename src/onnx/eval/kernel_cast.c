/*
 * Cast and CastLike between all dtypes (ONNX Cast). The wide number is rounded to the target in one
 * step. Undefined by the standard, and marked so, are casts of NaN and of floats out of range to
 * integers, of fractions to integers of 4 bits or fewer (the page on these types rounds, the
 * operator's text and the other integers do not), of negative numbers to float8e8m0, of NaN to
 * float4e2m1, and of strings that are no numbers.
 */
#include <math.h>
#include <string.h>

#include "onnx/eval/kernel_p.h"

struct cast {
    enum dtype to;
    const struct dtype_row *row;
    enum number_overflow overflow;
    enum number_rounding rounding;
};

/* Integers beyond 2^53 as a double whose last bit is sticky, so that rounding once more is right.
 */
static double sticky_double(uint64_t magnitude)
{
    if (magnitude >> 53 == 0)
        return (double)magnitude;
    uint64_t kept = magnitude & ~(uint64_t)0x7ff;
    if (magnitude & 0x7ff)
        kept |= 0x800;
    return (double)kept;
}

static double wide_number(const struct value *v, size_t i, enum dtype to)
{
    if (v->storage == STORAGE_F64)
        return v->f[i];
    if (to == DTYPE_DOUBLE || v->storage == STORAGE_BOOL)
        return value_get_double(v, i);
    if (v->storage == STORAGE_U64)
        return sticky_double(v->u[i]);
    int64_t x = v->i[i];
    return x < 0 ? -sticky_double(0 - (uint64_t)x) : sticky_double((uint64_t)x);
}

static double round_float(const struct cast *c, double x, enum number_rounding rounding)
{
    if (!c->row->format)
        return x;
    if (c->to == DTYPE_FLOAT && rounding == NUMBER_NEAREST_EVEN)
        return (double)(float)x;
    return number_decode(c->row->format, number_encode(c->row->format, x, rounding, c->overflow));
}

/* Distance to the nearest point where rounding jumps: half-way between two neighbours. */
static double tie_distance(const struct number_format *f, double x)
{
    double magnitude = fabs(x);
    if (!(magnitude <= number_largest(f)))
        return (double)INFINITY;
    uint32_t down = number_encode(f, magnitude, NUMBER_TOWARDS_ZERO, NUMBER_SATURATE);
    double low = number_decode(f, down);
    double high = low >= number_largest(f) ? low : number_decode(f, down + 1);
    return fabs(magnitude - (low + high) / 2);
}

/* The neighbour below or above, as the tie is forced. */
static double force_tie(const struct cast *c, double x, int tie)
{
    const struct number_format *f = c->row->format;
    bool outwards = (tie > 0) == (x > 0);
    uint32_t down = number_encode(f, fabs(x), NUMBER_TOWARDS_ZERO, NUMBER_SATURATE);
    double low = number_decode(f, down);
    double y =
        outwards && low < fabs(x) && low < number_largest(f) ? number_decode(f, down + 1) : low;
    return copysign(y, x);
}

static void to_float(struct kernel *k, const struct cast *c, double most)
{
    const struct value *v = k->in[0];
    bool with_margin = k->want_margins && v->storage == STORAGE_F64 && c->row->format &&
                       c->row->format->special != NUMBER_EXPONENT && c->to != v->dtype;
    for (size_t i = 0; i < v->n; i++) {
        double x = wide_number(v, i, c->to);
        k->to[0].f[i] = round_float(c, x, c->rounding);
        if ((c->to == DTYPE_FLOAT8E8M0 && (x < 0 || (x == 0 && signbit(x)))) ||
            (c->to == DTYPE_FLOAT4E2M1 && isnan(x)))
            kernel__undefined(k, 0)[i] = 1;
        if (!with_margin)
            continue;
        double distance = tie_distance(c->row->format, x);
        int tie = kernel__tie(k, distance, most);
        kernel__margin(k, 0)[i] = distance;
        if (tie)
            k->to[0].f[i] = force_tie(c, x, tie);
    }
}

static bool float_to_integer(const struct cast *c, double x, int64_t *i, uint64_t *u)
{
    if (c->to == DTYPE_UINT64)
        return number_to_u64(x, u);
    if (!number_to_i64(x, i))
        return false;
    int64_t whole = *i;
    *i = kernel__wrap(c->to, whole);
    return *i == whole;
}

/* Truncation jumps at every integer but zero. */
static double truncation_margin(double x)
{
    double nearest = number_round_even(x);
    return nearest == 0 ? 1 - fabs(x) : fabs(x - nearest);
}

static void float_to_integers(struct kernel *k, const struct cast *c, double most)
{
    const struct value *v = k->in[0];
    for (size_t i = 0; i < v->n; i++) {
        double x = v->f[i];
        int64_t whole = 0;
        uint64_t positive = 0;
        if (k->want_margins && isfinite(x)) {
            double distance = truncation_margin(x);
            int tie = kernel__tie(k, distance, most);
            kernel__margin(k, 0)[i] = distance;
            if (tie) {
                double jump = number_round_even(x);
                jump = jump == 0 ? copysign(1, x) : jump;
                x = tie > 0 ? jump + 0.25 : jump - 0.25;
            }
        }
        bool is_open = c->row->n_bits <= 4 && x != trunc(x);
        if (!float_to_integer(c, x, &whole, &positive) || is_open)
            kernel__undefined(k, 0)[i] = 1;
        if (c->to == DTYPE_UINT64)
            k->to[0].u[i] = positive;
        else
            k->to[0].i[i] = whole;
    }
}

static void to_integers(struct kernel *k, const struct cast *c)
{
    const struct value *v = k->in[0];
    for (size_t i = 0; i < v->n; i++) {
        int64_t x = v->storage == STORAGE_BOOL ? v->b[i] : v->i[i];
        k->to[0].i[i] = kernel__wrap(c->to, x);
    }
}

static void to_bool(struct kernel *k)
{
    const struct value *v = k->in[0];
    for (size_t i = 0; i < v->n; i++) {
        k->to[0].b[i] = v->storage == STORAGE_I64 ? v->i[i] != 0 : value_get_double(v, i) != 0;
        if (k->want_margins && v->storage == STORAGE_F64)
            kernel__margin(k, 0)[i] = fabs(v->f[i]);
    }
}

/* Strings are read as plain or scientific numbers; INF, +INF, -INF and NaN in upper or lower case.
 */
static bool from_strings(struct kernel *k, const struct cast *c, struct err *e)
{
    const struct value *v = k->in[0];
    for (size_t i = 0; i < v->n; i++) {
        double x = 0;
        bool ok = str_to_double(str_trim(v->s[i]), &x);
        int64_t whole = 0;
        uint64_t positive = 0;
        if (k->out[0].storage == STORAGE_F64)
            k->to[0].f[i] = round_float(c, x, c->rounding);
        else if (k->out[0].storage == STORAGE_BOOL)
            return err_set(e, ERR_UNSUPPORTED, "Cast of text to bool");
        else
            ok = ok && float_to_integer(c, x, &whole, &positive);
        if (k->out[0].storage == STORAGE_I64)
            k->to[0].i[i] = whole;
        if (k->out[0].storage == STORAGE_U64)
            k->to[0].u[i] = positive;
        if (!ok)
            kernel__undefined(k, 0)[i] = 1;
    }
    return true;
}

/* The shortest decimal that reads back as the same number of the input's dtype. */
static struct str print_number(struct arena *a, const struct value *v, size_t i)
{
    if (v->storage == STORAGE_I64)
        return str_of(arena_printf(a, "%lld", (long long)v->i[i]));
    if (v->storage == STORAGE_U64)
        return str_of(arena_printf(a, "%llu", (unsigned long long)v->u[i]));
    if (v->storage == STORAGE_BOOL)
        return v->b[i] ? STR("1") : STR("0");
    double x = v->f[i];
    if (isnan(x))
        return STR("NaN");
    if (isinf(x))
        return x > 0 ? STR("INF") : STR("-INF");
    struct cast same = {.to = v->dtype, .row = dtype_row(v->dtype)};
    for (int digits = 1; digits < 18; digits++) {
        struct str text = str_of(arena_printf(a, "%.*g", digits, x));
        double back;
        if (str_to_double(text, &back) && round_float(&same, back, NUMBER_NEAREST_EVEN) == x)
            return text;
    }
    return str_of(arena_printf(a, "%.17g", x));
}

static bool cast_to(struct kernel *k, const struct cast *c, struct err *e)
{
    const struct value *v = k->in[0];
    if (c->row->class == DTYPE_CLASS_COMPLEX)
        return err_set(e, ERR_UNSUPPORTED, "Cast to %s", c->row->name);
    if (c->to == v->dtype) { /* nothing is converted: an unrounded number stays so */
        kernel__alias(k, 0, 0, v->rank, v->dims);
        return true;
    }
    if (!kernel__output(k, 0, c->to, v->rank, v->dims, e))
        return false;
    kernel__pass_taint(k, 0, 0);
    kernel__set_exact(k, 0, v->exact);
    double most = k->want_margins && v->storage == STORAGE_F64 ? kernel__max_abs(v) : 0;
    if (c->to == DTYPE_STRING) {
        for (size_t i = 0; i < v->n; i++)
            k->to[0].s[i] = v->storage == STORAGE_STRING ? v->s[i] : print_number(k->a, v, i);
        return true;
    }
    if (v->storage == STORAGE_STRING)
        return from_strings(k, c, e);
    if (k->out[0].storage == STORAGE_F64)
        to_float(k, c, most);
    else if (c->to == DTYPE_BOOL)
        to_bool(k);
    else if (v->storage == STORAGE_F64)
        float_to_integers(k, c, most);
    else
        to_integers(k, c);
    return true;
}

static bool read_cast(const struct kernel *k, enum dtype to, struct cast *c, struct err *e)
{
    struct str mode = node_string(k->n, "round_mode", STR("up"));
    bool saturate = node_int(k->n, "saturate", 1) != 0;
    *c = (struct cast){.to = to, .row = dtype_row(to), .rounding = NUMBER_NEAREST_EVEN};
    bool is_narrow = c->row->class == DTYPE_CLASS_FLOAT && c->row->n_bits <= 8;
    c->overflow = is_narrow && saturate ? NUMBER_SATURATE : NUMBER_OVERFLOW;
    if (to != DTYPE_FLOAT8E8M0)
        return str_is(mode, "up") || err_set(e, ERR_UNSUPPORTED,
                                             "round_mode '" STR_FMT "' of another result than "
                                             "float8e8m0: ignored or forbidden",
                                             STR_ARG(mode));
    if (str_is(mode, "up"))
        c->rounding = NUMBER_UP;
    else if (str_is(mode, "down"))
        c->rounding = NUMBER_TOWARDS_ZERO;
    else if (!str_is(mode, "nearest"))
        return err_set(e, ERR_DATA, "round_mode is '" STR_FMT "', up, down or nearest is expected",
                       STR_ARG(mode));
    return true;
}

bool kernel__cast(struct kernel *k, struct err *e)
{
    struct cast c;
    int64_t to = node_int(k->n, "to", 0);
    if (to <= 0 || to >= DTYPE_COUNT)
        return err_set(e, ERR_DATA, "attribute to is %lld, no known type", (long long)to);
    return read_cast(k, (enum dtype)to, &c, e) && cast_to(k, &c, e);
}

/* CastLike(input, target_type): only the type of the second input counts. */
bool kernel__castlike(struct kernel *k, struct err *e)
{
    struct cast c;
    return read_cast(k, k->in[1]->dtype, &c, e) && cast_to(k, &c, e);
}
