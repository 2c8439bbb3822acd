/*
 * RNN, GRU, LSTM, by the equations of their texts.
 *
 * One direction of one batch row is a run: the state goes from step to step, in float64. What the
 * texts leave open is marked undefined: Y after the end of a shorter sequence, and all results of
 * an empty one. Rounding: each step adds sqrt(K) |x, h|2 |w|2 for its sums, where K = I + H; the
 * scale is the largest of these so far, times sqrt(steps).
 */
#include <math.h>
#include <string.h>

#include "onnx/eval/recurrent_p.h"

struct cell;

/* One kind of cell. */
struct cell_row {
    const char *name;
    size_t n_gates;
    uint32_t n_activations;
    enum activation_kind defaults[3];
    void (*step)(struct cell *c, const double *x);
};

/* Sizes and parameters of a node, and the state of the present run. */
struct cell {
    const struct cell_row *row;
    size_t n_steps, n_batch, n_in, n_hidden, n_directions;
    bool batch_first, linear_before_reset, input_forget;
    double clip; /* infinity: none */
    struct activation activations[RECURRENT_ACTIVATIONS_MAX];
    const struct activation *f;    /* of this direction */
    const double *w, *r, *b, *p;   /* of this direction; b and p may be NULL */
    double *h, *c, *gates, *extra; /* H, H, gates x H, H */
    double worst;                  /* largest rounding of a sum so far */
    double margin;                 /* least distance to a threshold */
    bool is_open;                  /* the run has used something that the text leaves open */
};

static double activate(struct cell *c, uint32_t which, double x)
{
    const struct activation *a = &c->f[which];
    if (x > c->clip || x < -c->clip)
        x = x > 0 ? c->clip : -c->clip;
    if (a->kind == ACTIVATION_THRESHOLDED_RELU)
        c->margin = MIN(c->margin, fabs(x - a->alpha));
    return recurrent__activate(a, x);
}

static double dot(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static double length(const double *a, size_t n)
{
    return sqrt(dot(a, a, n));
}

/* Notes the rounding of the sums of one gate row. */
static void note_rounding(struct cell *c, double of_x, double of_h, size_t row)
{
    const double *w = c->w + row * c->n_in, *r = c->r + row * c->n_hidden;
    double sums = of_x * length(w, c->n_in) + of_h * length(r, c->n_hidden);
    double bias = c->b ? fabs(c->b[row]) + fabs(c->b[c->row->n_gates * c->n_hidden + row]) : 0;
    c->worst = MAX(c->worst, sqrt((double)(c->n_in + c->n_hidden)) * sums + bias);
}

/* gates[row] = W x + R h + Wb + Rb for a range of gate rows. */
static void sum_gates(struct cell *c, const double *x, size_t first, size_t last)
{
    size_t n_rows = c->row->n_gates * c->n_hidden;
    double of_x = length(x, c->n_in), of_h = length(c->h, c->n_hidden);
    for (size_t i = first; i < last; i++) {
        const double *w = c->w + i * c->n_in, *r = c->r + i * c->n_hidden;
        double bias = c->b ? c->b[i] + c->b[n_rows + i] : 0;
        c->gates[i] = dot(w, x, c->n_in) + dot(r, c->h, c->n_hidden) + bias;
        note_rounding(c, of_x, of_h, i);
    }
}

/* Ht = f(Xt Wi' + Ht-1 Ri' + Wbi + Rbi) */
static void step_rnn(struct cell *c, const double *x)
{
    sum_gates(c, x, 0, c->n_hidden);
    for (size_t j = 0; j < c->n_hidden; j++)
        c->h[j] = activate(c, 0, c->gates[j]);
}

/* Gates z, r, h; ht in the text's two forms. */
static void step_gru(struct cell *c, const double *x)
{
    size_t n = c->n_hidden;
    const double *wb = c->b ? c->b + 2 * n : NULL, *rb = c->b ? c->b + 5 * n : NULL;
    double *z = c->gates, *r = c->gates + n, *ht = c->gates + 2 * n;
    double x_length = length(x, c->n_in), h_length = length(c->h, n);
    sum_gates(c, x, 0, 2 * n);
    for (size_t j = 0; j < 2 * n; j++)
        z[j] = activate(c, 0, z[j]);
    for (size_t j = 0; j < n; j++)
        c->extra[j] = r[j] * c->h[j];
    for (size_t j = 0; j < n; j++) {
        const double *row = c->r + (2 * n + j) * n;
        double of_x = dot(c->w + (2 * n + j) * c->n_in, x, c->n_in) + (wb ? wb[j] : 0);
        double of_h = dot(row, c->linear_before_reset ? c->h : c->extra, n) + (rb ? rb[j] : 0);
        note_rounding(c, x_length, h_length, 2 * n + j);
        ht[j] = of_x + (c->linear_before_reset ? r[j] * of_h : of_h);
    }
    for (size_t j = 0; j < n; j++)
        c->h[j] = (1 - z[j]) * activate(c, 1, ht[j]) + z[j] * c->h[j];
}

/* Gates i, o, f, c; peepholes i, o, f. */
static void step_lstm(struct cell *c, const double *x)
{
    size_t n = c->n_hidden;
    double *i = c->gates, *o = i + n, *f = o + n, *g = f + n;
    sum_gates(c, x, 0, 4 * n);
    for (size_t j = 0; j < n; j++) {
        double before = c->c[j];
        double in = activate(c, 0, i[j] + (c->p ? c->p[j] * before : 0));
        double forget =
            c->input_forget ? 1 - in : activate(c, 0, f[j] + (c->p ? c->p[2 * n + j] * before : 0));
        c->c[j] = forget * before + in * activate(c, 1, g[j]);
        double out = activate(c, 0, o[j] + (c->p ? c->p[n + j] * c->c[j] : 0));
        c->h[j] = out * activate(c, 2, c->c[j]);
        c->worst = MAX(c->worst, fabs(c->c[j]));
        c->is_open |= fabs(c->c[j]) > c->clip;
    }
}

static const struct cell_row cell_rows[] = {
    {"RNN", 1, 1, {ACTIVATION_TANH}, step_rnn},
    {"GRU", 3, 2, {ACTIVATION_SIGMOID, ACTIVATION_TANH}, step_gru},
    {"LSTM", 4, 3, {ACTIVATION_SIGMOID, ACTIVATION_TANH, ACTIVATION_TANH}, step_lstm},
};

static bool has_shape(const struct value *v, const size_t *wanted, uint32_t rank)
{
    bool fits = !v || v->rank == rank;
    for (uint32_t d = 0; v && fits && d < rank; d++)
        fits = (size_t)v->dims[d] == wanted[d];
    return fits;
}

static bool check_shapes(const struct kernel *k, const struct cell *c, struct err *e)
{
    size_t d = c->n_directions, h = c->n_hidden, g = c->row->n_gates, b = c->n_batch;
    size_t state[] = {c->batch_first ? b : d, c->batch_first ? d : b, h};
    const struct {
        uint32_t input, rank;
        size_t dims[3];
    } wanted[] = {{1, 3, {d, g * h, c->n_in}},
                  {2, 3, {d, g * h, h}},
                  {3, 2, {d, 2 * g * h}},
                  {4, 1, {b}},
                  {5, 3, {state[0], state[1], state[2]}},
                  {6, 3, {state[0], state[1], state[2]}},
                  {7, 2, {d, 3 * h}}};
    for (size_t i = 0; i < COUNT_OF(wanted); i++)
        if (!has_shape(kernel__in(k, wanted[i].input), wanted[i].dims, wanted[i].rank))
            return err_set(e, ERR_DATA, "the shape of input %u does not fit X, W and R",
                           wanted[i].input);
    return true;
}

static bool read_node(struct kernel *k, struct cell *c, struct err *e)
{
    const struct value *x = k->in[0], *r = k->in[2];
    struct str direction = node_string(k->n, "direction", STR("forward"));
    const struct attr *clip = node_attr(k->n, "clip");
    if (x->rank != 3 || r->rank != 3)
        return err_set(e, ERR_DATA, "X of rank %u, R of rank %u", x->rank, r->rank);
    for (size_t i = 0; i < COUNT_OF(cell_rows); i++)
        if (str_is(k->n->op_type, cell_rows[i].name))
            c->row = &cell_rows[i];
    c->batch_first = node_int(k->n, "layout", 0) != 0;
    c->n_steps = (size_t)x->dims[c->batch_first];
    c->n_batch = (size_t)x->dims[!c->batch_first];
    c->n_in = (size_t)x->dims[2];
    c->n_hidden = (size_t)r->dims[2];
    c->n_directions = str_is(direction, "bidirectional") ? 2 : 1;
    c->clip = clip ? clip->f : (double)INFINITY;
    c->linear_before_reset = node_int(k->n, "linear_before_reset", 0) != 0;
    c->input_forget = node_int(k->n, "input_forget", 0) != 0;
    c->margin = (double)INFINITY;
    if (node_int(k->n, "hidden_size", r->dims[2]) != r->dims[2])
        return err_set(e, ERR_DATA, "hidden_size differs from R's %lld", (long long)r->dims[2]);
    if (c->n_directions == 1 && !str_is(direction, "forward") && !str_is(direction, "reverse"))
        return err_set(e, ERR_DATA, "direction '" STR_FMT "' does not exist", STR_ARG(direction));
    return check_shapes(k, c, e) &&
           recurrent__activations(k, c->row->defaults, c->row->n_activations,
                                  c->row->n_activations * (uint32_t)c->n_directions, c->activations,
                                  e);
}

static bool make_outputs(struct kernel *k, const struct cell *c, struct err *e)
{
    int64_t t = (int64_t)c->n_steps, b = (int64_t)c->n_batch, d = (int64_t)c->n_directions;
    int64_t h = (int64_t)c->n_hidden;
    int64_t plain[] = {t, d, b, h}, turned[] = {b, t, d, h};
    int64_t last[] = {d, b, h}, last_turned[] = {b, d, h};
    enum dtype type = k->in[0]->dtype;
    return kernel__output(k, 0, type, 4, c->batch_first ? turned : plain, e) &&
           kernel__output(k, 1, type, 3, c->batch_first ? last_turned : last, e) &&
           (c->row->n_gates != 4 ||
            kernel__output(k, 2, type, 3, c->batch_first ? last_turned : last, e));
}

/* Index of the first of the H numbers for direction d and batch row b. */
static size_t state_at(const struct cell *c, size_t d, size_t b)
{
    return (c->batch_first ? b * c->n_directions + d : d * c->n_batch + b) * c->n_hidden;
}

static size_t step_at(const struct cell *c, size_t t, size_t d, size_t b)
{
    size_t row = c->batch_first ? (b * c->n_steps + t) * c->n_directions + d
                                : (t * c->n_directions + d) * c->n_batch + b;
    return row * c->n_hidden;
}

static void write_state(struct kernel *k, uint32_t o, size_t to, const double *from, size_t n,
                        double scale)
{
    if (n)
        memcpy(k->to[o].f + to, from, n * sizeof *from);
    for (size_t j = 0; k->want_noise && j < n; j++)
        kernel__scales(k, o)[to + j] = scale;
}

static void mark_undefined(struct kernel *k, uint32_t o, size_t to, size_t n)
{
    if (n)
        memset(kernel__undefined(k, o) + to, 1, n);
}

static void start_state(const struct kernel *k, struct cell *c, uint32_t input, size_t d, size_t b,
                        double *to)
{
    const struct value *v = kernel__in(k, input);
    memset(to, 0, c->n_hidden * sizeof *to);
    if (v && c->n_hidden)
        memcpy(to, v->f + state_at(c, d, b), c->n_hidden * sizeof *to);
}

/* Runs one batch row in one direction, over its first n_steps. */
static void run_row(struct kernel *k, struct cell *c, size_t d, size_t b, size_t n_steps)
{
    bool is_lstm = c->row->n_gates == 4;
    bool is_reverse = d == 1 || str_is(node_string(k->n, "direction", STR("")), "reverse");
    double scale = 0;
    c->worst = 0;
    c->is_open = n_steps == 0;
    start_state(k, c, 5, d, b, c->h);
    if (is_lstm)
        start_state(k, c, 6, d, b, c->c);
    for (size_t i = 0; i < n_steps; i++) {
        size_t t = is_reverse ? n_steps - 1 - i : i;
        size_t row = c->batch_first ? b * c->n_steps + t : t * c->n_batch + b;
        c->row->step(c, k->in[0]->f + row * c->n_in);
        scale = 1 + c->worst * sqrt((double)(i + 1));
        write_state(k, 0, step_at(c, t, d, b), c->h, c->n_hidden, scale);
        if (c->is_open)
            mark_undefined(k, 0, step_at(c, t, d, b), c->n_hidden);
    }
    write_state(k, 1, state_at(c, d, b), c->h, c->n_hidden, scale);
    if (is_lstm)
        write_state(k, 2, state_at(c, d, b), c->c, c->n_hidden, scale);
    for (size_t t = n_steps; t < c->n_steps; t++)
        mark_undefined(k, 0, step_at(c, t, d, b), c->n_hidden);
    for (uint32_t o = 1; c->is_open && o <= (is_lstm ? 2 : 1); o++)
        mark_undefined(k, o, state_at(c, d, b), c->n_hidden);
}

static bool run_rows(struct kernel *k, struct cell *c, struct err *e)
{
    size_t n, n_rows = c->row->n_gates * c->n_hidden;
    const int64_t *lens = kernel__ints(k, 4, &n);
    for (size_t d = 0; d < c->n_directions; d++) {
        c->f = c->activations + d * c->row->n_activations;
        c->w = k->in[1]->f + d * n_rows * c->n_in;
        c->r = k->in[2]->f + d * n_rows * c->n_hidden;
        c->b = kernel__in(k, 3) ? k->in[3]->f + d * 2 * n_rows : NULL;
        c->p = kernel__in(k, 7) ? k->in[7]->f + d * 3 * c->n_hidden : NULL;
        for (size_t b = 0; b < c->n_batch; b++) {
            int64_t len = lens ? lens[b] : (int64_t)c->n_steps;
            if (len < 0 || len > (int64_t)c->n_steps)
                return err_set(e, ERR_DATA, "a length of %lld in %zu steps", (long long)len,
                               c->n_steps);
            run_row(k, c, d, b, (size_t)len);
        }
    }
    return true;
}

/* RNN, GRU, LSTM: X (T, B, I), W (D, g H, I), R (D, g H, H) -> Y (T, D, B, H), Y_h, Y_c (D, B, H).
 */
bool kernel__recurrent(struct kernel *k, struct err *e)
{
    struct cell c = {0};
    if (!read_node(k, &c, e))
        return false;
    uint64_t n_macs = (uint64_t)c.n_steps * c.n_batch * c.n_directions * c.row->n_gates *
                      c.n_hidden * (c.n_in + c.n_hidden);
    if (!kernel__charge(k, n_macs, e) || !make_outputs(k, &c, e))
        return false;
    c.h = arena_new_array(k->scratch, double, c.n_hidden);
    c.c = arena_new_array(k->scratch, double, c.n_hidden);
    c.extra = arena_new_array(k->scratch, double, c.n_hidden);
    c.gates = arena_new_array(k->scratch, double, c.row->n_gates *c.n_hidden);
    if (!run_rows(k, &c, e))
        return false;
    bool is_open = false;
    for (uint32_t i = 0; i < k->n_in; i++)
        is_open |= kernel__is_tainted(k->in[i]);
    for (uint32_t o = 0; o < (c.row->n_gates == 4 ? 3 : 2); o++) {
        if (is_open)
            mark_undefined(k, o, 0, k->out[o].n);
        for (size_t j = 0; k->want_margins && isfinite(c.margin) && j < k->out[o].n; j++)
            kernel__margin(k, o)[j] = c.margin;
    }
    return true;
}
