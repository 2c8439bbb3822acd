/*
 * Decides the values of shared tensors: a function of their text alone. By default they are
 * multiples of 2^-10, which are exact in every dtype but the narrowest.
 */
#include "align/tensors.h"

#include <ctype.h>
#include <math.h>

#include "base/hash.h"
#include "base/number.h"
#include "base/rng.h"

enum { SEED = 15, SIDE_MAX = 64 };

/* Value `i` of `n` of the tensor. */
typedef double (*draw_fn)(struct rng *r, const struct tensor_spec *s, size_t i, size_t n);

static double rounded(double x)
{
    return number_round_even(x * 1024) / 1024;
}

static double draw_normal(struct rng *r, const struct tensor_spec *s, size_t i, size_t n)
{
    (void)s, (void)i, (void)n;
    return rounded(rng_normal(r));
}

static double draw_pos(struct rng *r, const struct tensor_spec *s, size_t i, size_t n)
{
    (void)s, (void)i, (void)n;
    return rounded(0.1 + 2.9 * rng_unit(r));
}

static double draw_unit(struct rng *r, const struct tensor_spec *s, size_t i, size_t n)
{
    (void)s, (void)i, (void)n;
    return rounded(0.02 + 0.96 * rng_unit(r));
}

static double draw_sym(struct rng *r, const struct tensor_spec *s, size_t i, size_t n)
{
    (void)s, (void)i, (void)n;
    return rounded(1.9 * rng_unit(r) - 0.95);
}

static double draw_gt1(struct rng *r, const struct tensor_spec *s, size_t i, size_t n)
{
    (void)s, (void)i, (void)n;
    return rounded(1.05 + 3 * rng_unit(r));
}

static double draw_big(struct rng *r, const struct tensor_spec *s, size_t i, size_t n)
{
    (void)s, (void)i, (void)n;
    return rounded(100 * rng_unit(r) - 50);
}

static double draw_nan(struct rng *r, const struct tensor_spec *s, size_t i, size_t n)
{
    double x = draw_normal(r, s, i, n);
    return rng_below(r, 3) == 0 || i == n / 2 ? (double)NAN : x;
}

static double draw_edge(struct rng *r, const struct tensor_spec *s, size_t i, size_t n)
{
    static const double edges[] = {0.0,      -0.0,      1,   -1, 0.5,  -0.5,
                                   INFINITY, -INFINITY, NAN, 2,  -2.5, 1.5};
    (void)r, (void)s, (void)n;
    return edges[i % COUNT_OF(edges)];
}

static double draw_inf(struct rng *r, const struct tensor_spec *s, size_t i, size_t n)
{
    double x = draw_normal(r, s, i, n);
    return i % 4 == 1 ? (double)INFINITY : i % 4 == 3 ? -(double)INFINITY : x;
}

static double draw_ties(struct rng *r, const struct tensor_spec *s, size_t i, size_t n)
{
    (void)s, (void)i, (void)n;
    return (double)rng_between(r, -1, 1);
}

static double draw_half(struct rng *r, const struct tensor_spec *s, size_t i, size_t n)
{
    (void)s, (void)i, (void)n;
    return (double)rng_between(r, -7, 7) / 2;
}

static double draw_whole(struct rng *r, const struct tensor_spec *s, size_t i, size_t n)
{
    (void)s, (void)i, (void)n;
    return (double)rng_between(r, 1, 6);
}

static double draw_neg(struct rng *r, const struct tensor_spec *s, size_t i, size_t n)
{
    return -draw_pos(r, s, i, n);
}

static double draw_sorted(struct rng *r, const struct tensor_spec *s, size_t i, size_t n)
{
    int64_t last = s->rank ? s->dims[s->rank - 1] : 1;
    (void)n;
    return rounded((double)(i % (size_t)(last ? last : 1)) - 2 + 0.9 * rng_unit(r));
}

static double draw_perm(struct rng *r, const struct tensor_spec *s, size_t i, size_t n)
{
    (void)r, (void)s;
    return (double)((i * 7 + 3) % (n % 7 ? n : n + 1) % (n ? n : 1));
}

static double draw_zero(struct rng *r, const struct tensor_spec *s, size_t i, size_t n)
{
    (void)r, (void)s, (void)i, (void)n;
    return 0;
}

static double draw_one(struct rng *r, const struct tensor_spec *s, size_t i, size_t n)
{
    (void)r, (void)s, (void)i, (void)n;
    return 1;
}

/* spd: diagonally dominant and symmetric in the last two dimensions. */
static double draw_spd(struct rng *r, const struct tensor_spec *s, size_t i, size_t n)
{
    size_t side = s->rank ? (size_t)s->dims[s->rank - 1] : 1;
    size_t row = i / side % side, column = i % side;
    size_t low = MIN(row, column), high = MAX(row, column);
    (void)r, (void)n;
    double x = (double)((low * 5 + high * 3 + i / (side * side)) % 7) / 8 - 0.375;
    return row == column ? (double)side + 0.5 + (double)row / 4 : x;
}

static double draw_lower(struct rng *r, const struct tensor_spec *s, size_t i, size_t n)
{
    size_t side = s->rank ? (size_t)s->dims[s->rank - 1] : 1;
    double x = draw_spd(r, s, i, n);
    return i % side > i / side % side ? 0 : x;
}

static double draw_upper(struct rng *r, const struct tensor_spec *s, size_t i, size_t n)
{
    size_t side = s->rank ? (size_t)s->dims[s->rank - 1] : 1;
    double x = draw_spd(r, s, i, n);
    return i % side < i / side % side ? 0 : x;
}

static double draw_onehot(struct rng *r, const struct tensor_spec *s, size_t i, size_t n)
{
    size_t last = s->rank ? (size_t)s->dims[s->rank - 1] : 1;
    (void)r, (void)n;
    return i % last == (i / last * 2 + 1) % last;
}

/* prob: each row sums to one. */
static double draw_prob(struct rng *r, const struct tensor_spec *s, size_t i, size_t n)
{
    size_t last = s->rank ? (size_t)s->dims[s->rank - 1] : 1;
    double weight = (double)((i / last + i % last * 3) % 5 + 1), sum = 0;
    (void)r, (void)n;
    for (size_t k = 0; k < last; k++)
        sum += (double)((i / last + k * 3) % 5 + 1);
    return weight / sum;
}

static const struct {
    const char *name;
    draw_fn draw;
} draws[] = {
    {"", draw_normal},       {"pos", draw_pos},       {"unit", draw_unit},   {"sym", draw_sym},
    {"gt1", draw_gt1},       {"big", draw_big},       {"nan", draw_nan},     {"edge", draw_edge},
    {"inf", draw_inf},       {"ties", draw_ties},     {"half", draw_half},   {"whole", draw_whole},
    {"neg", draw_neg},       {"sorted", draw_sorted}, {"perm", draw_perm},   {"zero", draw_zero},
    {"one", draw_one},       {"spd", draw_spd},       {"lower", draw_lower}, {"upper", draw_upper},
    {"onehot", draw_onehot}, {"prob", draw_prob}};

/* The 5 of "idx5", which draws integers below it; 0: another draw. */
static int64_t index_bound(struct str draw)
{
    int64_t n = 0;
    bool is_index = str_starts(draw, STR("idx")) && str_to_i64(str_sub(draw, 3, draw.n), &n);
    return is_index ? n : 0;
}

static draw_fn find_draw(struct str name)
{
    for (size_t i = 0; i < COUNT_OF(draws); i++)
        if (str_is(name, draws[i].name))
            return draws[i].draw;
    return NULL;
}

bool tensors_knows_draw(struct str draw)
{
    return find_draw(draw) || index_bound(draw) > 0;
}

static double value(struct rng *r, const struct tensor_spec *s, size_t i, size_t n)
{
    int64_t bound = index_bound(s->draw);
    bool is_whole = strchr("lisyub", s->letter) != NULL;
    if (bound > 0)
        return (double)rng_below(r, (uint64_t)bound);
    if (s->draw.n || !is_whole)
        return find_draw(s->draw)(r, s, i, n);
    return s->letter == 'b'   ? (double)rng_below(r, 2)
           : s->letter == 'u' ? (double)rng_below(r, 10)
                              : (double)rng_between(r, -4, 9);
}

static void put_value(char letter, double x, struct strbuf *out)
{
    int64_t whole = isfinite(x) ? (int64_t)x : 0;
    float single = (float)x;
    uint32_t half;
    switch (letter) {
    case 'f':
    case 'c':
        strbuf_add(out, &single, sizeof single);
        break;
    case 'd':
    case 'z':
        strbuf_add(out, &x, sizeof x);
        break;
    case 'h':
        half = number_encode(&number_float16, x, NUMBER_NEAREST_EVEN, NUMBER_OVERFLOW);
        strbuf_add(out, &half, 2);
        break;
    case 'b':
        whole = x != 0;
        strbuf_add(out, &whole, 1);
        break;
    default: /* little-endian, so the low bytes come first */
        strbuf_add(out, &whole, letter == 'l' ? 8 : letter == 'i' ? 4 : letter == 's' ? 2 : 1);
        break;
    }
}

static void make(const struct tensor_spec *s, struct str name, struct strbuf *out)
{
    struct hash h = hash_of(name.at, name.n);
    struct rng r;
    size_t n = 1;
    bool is_complex = s->letter == 'c' || s->letter == 'z';
    rng_init(&r, SEED, RNG_INPUT, hash_prefix(&h));
    for (size_t i = 0; i < s->rank; i++)
        n *= (size_t)s->dims[i];
    for (size_t i = 0; i < n; i++) {
        put_value(s->letter, value(&r, s, i, n), out);
        if (is_complex)
            put_value(s->letter, s->draw.n ? 0 : draw_normal(&r, s, i, n), out);
    }
}

uint32_t tensors_row(struct tensors_made *p, struct arena *a, const struct arg *tensor)
{
    struct strbuf name = {0};
    bool added;
    struct tensor_made made = {.at = p->bytes.n};
    strbuf_printf(&name, STR_FMT "#%u", STR_ARG(tensor->text), tensor->ordinal);
    uint64_t *row = map_at(&p->rows, a, strbuf_str(&name), &added);
    if (added) {
        *row = p->list.n;
        tensor_spec_parse(str_of(str_dup(a, tensor->text)), &made.spec);
        make(&made.spec, strbuf_str(&name), &p->bytes);
        made.n = p->bytes.n - made.at;
        vec_push(&p->list, a, made);
    }
    uint32_t at = (uint32_t)*row;
    strbuf_done(&name);
    return at;
}

void tensors_put_json(const struct tensors_made *p, struct strbuf *out)
{
    struct json_out w = json_open(out, JSON_COMPACT);
    json_begin_array(&w);
    for (size_t i = 0; i < p->list.n; i++) {
        const struct tensor_made *t = &p->list.at[i];
        json_begin_object(&w);
        json_pair_cstr(&w, "dtype", tensor_letter_dtype(t->spec.letter));
        json_key(&w, "dims");
        json_begin_array(&w);
        for (size_t k = 0; k < t->spec.rank; k++)
            json_put_i64(&w, t->spec.dims[k]);
        json_end_array(&w);
        json_pair_u64(&w, "at", t->at);
        json_pair_u64(&w, "n", t->n);
        json_end_object(&w);
    }
    json_end_array(&w);
}

void tensors_done(struct tensors_made *p)
{
    strbuf_done(&p->bytes);
}
