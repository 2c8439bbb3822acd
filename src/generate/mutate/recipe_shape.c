/*
 * Recipes of operators that move data by shape: reshaping, transposing, stretching, joining,
 * cutting, padding. Results may have another shape than x; nothing here makes a zero-size dim
 * unless x has one.
 */
#include <math.h>

#include "generate/mutate/recipe_p.h"

uint32_t recipe__reshape(struct sketch *s, const struct recipe *row, uint32_t x)
{
    struct dims p = sketch__dims(s, x), d = p;
    uint32_t form = sketch__below(s, 8);
    int64_t n = sketch__count(s, x);
    bool allowzero = s->m->opset >= 14 && sketch__chance(s, 15);
    if (form == 0) {
        d = (struct dims){1, {-1}};
    } else if (form < 3 && p.n >= 2) { /* two neighbours joined, one dim left open */
        uint32_t at = sketch__below(s, p.n - 1);
        d.at[at] = p.at[at] * p.at[at + 1];
        for (uint32_t i = at + 1; i + 1 < p.n; i++)
            d.at[i] = p.at[i + 1];
        d.n = p.n - 1;
        if (n > 0 && sketch__chance(s, 50))
            d.at[sketch__below(s, d.n)] = -1;
    } else if (form < 5 && p.n < 6) { /* a one put in */
        uint32_t at = sketch__below(s, p.n + 1);
        for (uint32_t i = p.n; i > at; i--)
            d.at[i] = p.at[i - 1];
        d.at[at] = 1;
        d.n = p.n + 1;
    } else if (form == 5 && p.n > 0 && p.at[p.n - 1] % 2 == 0) { /* the last dim split */
        d.at[p.n - 1] = 2;
        d.at[p.n] = p.at[p.n - 1] / 2;
        d.n = p.n + 1;
    } else if (!allowzero) { /* the same shape, some dims copied by 0 */
        for (uint32_t i = 0; i < p.n; i++)
            d.at[i] = sketch__chance(s, 40) ? 0 : p.at[i];
    }
    uint32_t y = OP(s, row->op_type, x, sketch__i64s(s, d.at, d.n));
    if (allowzero)
        sketch__int(s, "allowzero", 1);
    sketch__note(s, "form=%u rank=%u>%u%s", form, p.n, d.n, allowzero ? " allowzero" : "");
    return y;
}

static void draw_perm(struct sketch *s, uint32_t n, int64_t perm[static TENSOR_RANK_MAX])
{
    for (uint32_t i = 0; i < n; i++)
        perm[i] = i;
    for (uint32_t i = n; i > 1; i--) {
        uint32_t j = sketch__below(s, i);
        int64_t t = perm[i - 1];
        perm[i - 1] = perm[j];
        perm[j] = t;
    }
}

uint32_t recipe__transpose(struct sketch *s, const struct recipe *row, uint32_t x)
{
    int64_t perm[TENSOR_RANK_MAX];
    uint32_t n = sketch__rank(s, x);
    draw_perm(s, n, perm);
    if (sketch__chance(s, 15))
        return OP(s, row->op_type, x); /* reversed by default */
    uint32_t y = sketch__transpose(s, x, perm, n);
    if (sketch__chance(s, 25)) { /* and a second one on top */
        draw_perm(s, n, perm);
        y = sketch__transpose(s, y, perm, n);
    }
    return y;
}

uint32_t recipe__squeeze(struct sketch *s, const struct recipe *row, uint32_t x)
{
    struct dims p = sketch__dims(s, x);
    int64_t axes[TENSOR_RANK_MAX];
    size_t n = 0;
    for (uint32_t i = 0; i < p.n; i++) {
        if (p.at[i] == 1)
            axes[n++] = sketch__chance(s, 50) ? (int64_t)i : (int64_t)i - p.n;
    }
    if (n == 0 && p.n > 0) { /* none: make one first */
        axes[0] = sketch__between_i(s, 0, p.n);
        x = sketch__unsqueeze(s, x, axes, 1);
        if (s->m->opset >= 13 && sketch__chance(s, 50))
            x = OP(s, "Relu", recipe__fit(s, "Relu", x));
        n = 1;
    }
    if (n == 0 || sketch__chance(s, 20))
        return OP(s, row->op_type, x);
    return sketch__squeeze(s, x, axes, n);
}

uint32_t recipe__unsqueeze(struct sketch *s, const struct recipe *row, uint32_t x)
{
    uint32_t rank = sketch__rank(s, x), n = 1 + sketch__below(s, 2);
    int64_t axes[2];
    (void)row;
    axes[0] = sketch__between_i(s, 0, rank);
    axes[1] = axes[0] + 1;
    if (n == 2 && axes[1] > (int64_t)rank + 1)
        n = 1;
    for (uint32_t i = 0; i < n; i++) {
        if (sketch__chance(s, 40))
            axes[i] -= rank + n;
    }
    if (n == 2 && sketch__chance(s, 30)) { /* unsorted */
        int64_t first = axes[0];
        axes[0] = axes[1];
        axes[1] = first;
    }
    sketch__note(s, "axes=%lld,%u", (long long)axes[0], n);
    return sketch__unsqueeze(s, x, axes, n);
}

uint32_t recipe__expand(struct sketch *s, const struct recipe *row, uint32_t x)
{
    struct dims p = sketch__dims(s, x), d = p;
    for (uint32_t i = 0; i < p.n; i++) {
        if (p.at[i] == 1)
            d.at[i] = sketch__between_i(s, 1, 3);
        else if (sketch__chance(s, 35))
            d.at[i] = 1; /* "1 means the other's dim" */
    }
    if (sketch__chance(s, 30) && p.n < 5) { /* of a higher rank */
        for (uint32_t i = p.n; i > 0; i--)
            d.at[i] = d.at[i - 1];
        d.at[0] = sketch__between_i(s, 1, 2);
        d.n = p.n + 1;
    } else if (sketch__chance(s, 25) && p.n > 1) { /* of a lower */
        for (uint32_t i = 0; i + 1 < p.n; i++)
            d.at[i] = d.at[i + 1];
        d.n = p.n - 1;
    }
    return OP(s, row->op_type, x, sketch__i64s(s, d.at, d.n));
}

uint32_t recipe__tile(struct sketch *s, const struct recipe *row, uint32_t x)
{
    struct dims d = sketch__dims(s, x);
    int64_t n = sketch__count(s, x);
    for (uint32_t i = 0; i < d.n; i++) {
        d.at[i] = n < 4096 && sketch__chance(s, 35) ? 2 : 1;
        n *= d.at[i];
    }
    return OP(s, row->op_type, x, sketch__i64s(s, d.at, d.n));
}

uint32_t recipe__concat(struct sketch *s, const struct recipe *row, uint32_t x)
{
    int64_t axis, plain;
    uint32_t in[3], n = 1 + sketch__below(s, 3);
    if (sketch__rank(s, x) == 0)
        x = recipe__rank(s, x, 1);
    axis = sketch__axis(s, sketch__rank(s, x), &plain);
    for (uint32_t i = 0; i < n; i++) {
        struct dims d = sketch__dims(s, x);
        d.at[plain] = sketch__between_i(s, 1, 3);
        in[i] = i == 0 || sketch__chance(s, 40)
                    ? x
                    : sketch__random(s, sketch__dtype(s, x), d.at, d.n, 1);
    }
    if (n > 1 && sketch__chance(s, 40)) {
        uint32_t first = in[0];
        in[0] = in[n - 1];
        in[n - 1] = first;
    }
    uint32_t y = sketch__op(s, row->op_type, 1, in, n);
    sketch__int(s, "axis", axis);
    sketch__note(s, "inputs=%u axis=%lld", n, (long long)axis);
    return y;
}

uint32_t recipe__split(struct sketch *s, const struct recipe *row, uint32_t x)
{
    int64_t axis, plain, sizes[2];
    if (sketch__rank(s, x) == 0)
        x = recipe__rank(s, x, 1);
    axis = sketch__axis(s, sketch__rank(s, x), &plain);
    int64_t size = sketch__dim(s, x, plain);
    sizes[0] = sketch__between_i(s, 1, MAX(size - 1, 1));
    sizes[1] = size - sizes[0];
    uint32_t n = sizes[1] > 0 ? 2 : 1, y;
    bool even = size % n == 0 && sketch__chance(s, 40);
    if (s->m->opset < 13) {
        y = OP_N(s, row->op_type, n, x);
        if (!even)
            sketch__int_list(s, "split", sizes, n);
    } else if (s->m->opset >= 18 && (even || sketch__chance(s, 30))) {
        y = OP_N(s, row->op_type, n, x); /* uneven: the last chunk is smaller */
        sketch__int(s, "num_outputs", n);
    } else {
        y = even ? OP_N(s, row->op_type, n, x)
                 : OP_N(s, row->op_type, n, x, sketch__i64s(s, sizes, n));
    }
    sketch__int(s, "axis", axis);
    sketch__note(s, "axis=%lld n=%u even=%d", (long long)axis, n, even);
    if (n == 2 && y != VALUE_NONE && sketch__chance(s, 50)) { /* joined again, perhaps swapped */
        uint32_t parts[2] = {y, y + 1};
        bool swapped = sketch__chance(s, 50);
        y = OP(s, "Concat", parts[swapped], parts[!swapped]);
        sketch__int(s, "axis", axis);
        return y;
    }
    return y == VALUE_NONE ? y : y + sketch__below(s, n);
}

/* One axis: start, end and step with every sign, beyond the ends too; never empty unless asked. */
static void draw_slice(struct sketch *s, int64_t size, int64_t v[static 3])
{
    bool backwards = sketch__chance(s, 35);
    int64_t step = sketch__chance(s, 60) ? 1 : sketch__between_i(s, 2, 3);
    int64_t low = sketch__between_i(s, 0, MAX(size - 1, 0)),
            high = sketch__between_i(s, low + 1, size);
    v[0] = backwards ? high - 1 : low;
    v[1] = backwards ? low - 1 : high;
    v[2] = backwards ? -step : step;
    if (sketch__chance(s, 30)) /* counted from the end */
        v[0] -= size;
    if (backwards && v[1] < 0)
        v[1] = -size - (sketch__chance(s, 50) ? 1 : 100);
    else if (!backwards && high == size && sketch__chance(s, 50))
        v[1] = sketch__chance(s, 50) ? INT64_MAX : size + 5;
    if (!backwards && low == 0 && sketch__chance(s, 20))
        v[0] = -size - 3;
}

uint32_t recipe__slice(struct sketch *s, const struct recipe *row, uint32_t x)
{
    int64_t starts[2], ends[2], steps[2], axes[2], v[3], plain;
    if (sketch__rank(s, x) == 0)
        x = recipe__rank(s, x, 1);
    uint32_t rank = sketch__rank(s, x), n = rank > 1 && sketch__chance(s, 40) ? 2 : 1;
    axes[0] = sketch__axis(s, rank, &plain);
    for (uint32_t i = 0; i < n; i++) {
        int64_t at = i == 0 ? plain : (plain + 1) % rank;
        if (i == 1)
            axes[1] = sketch__chance(s, 50) ? at : at - rank;
        draw_slice(s, sketch__dim(s, x, at), v);
        starts[i] = v[0];
        ends[i] = v[1];
        steps[i] = v[2];
    }
    sketch__note(s, "axis=%lld %lld:%lld:%lld n=%u", (long long)axes[0], (long long)starts[0],
                 (long long)ends[0], (long long)steps[0], n);
    uint32_t sv = sketch__i64s(s, starts, n), ev = sketch__i64s(s, ends, n);
    if (steps[0] == 1 && (n == 1 || steps[1] == 1) && sketch__chance(s, 50))
        return OP(s, row->op_type, x, sv, ev, sketch__i64s(s, axes, n));
    uint32_t av = sketch__i64s(s, axes, n);
    return OP(s, row->op_type, x, sv, ev, av, sketch__i64s(s, steps, n));
}

uint32_t recipe__pad(struct sketch *s, const struct recipe *row, uint32_t x)
{
    static const char *const modes[] = {"constant", "reflect", "edge", "wrap"};
    static const double fills[] = {0, 1, -1, 0.5, 7};
    x = recipe__fit(s, row->op_type, x);
    struct dims p = sketch__dims(s, x), d = {.n = 2 * p.n};
    const char *mode =
        modes[sketch__chance(s, 50) ? 0 : sketch__below(s, s->m->opset >= 19 ? 4 : 3)];
    bool is_constant = strcmp(mode, "constant") == 0;
    enum dtype t = sketch__dtype(s, x);
    if (d.n > TENSOR_RANK_MAX || p.n == 0)
        x = recipe__rank(s, x, 2), p = sketch__dims(s, x), d.n = 4;
    for (uint32_t i = 0; i < p.n; i++) {
        int64_t room = is_constant ? 2 : MIN(2, p.at[i] - 1), low = -MIN(1, (p.at[i] - 1) / 2);
        if (!sketch__chance(s, 50) || (!is_constant && p.at[i] < 2))
            continue;
        d.at[i] = sketch__between_i(s, sketch__chance(s, 25) ? low : 0, MAX(room, 0));
        d.at[i + p.n] = sketch__between_i(s, sketch__chance(s, 25) ? low : 0, MAX(room, 0));
    }
    uint32_t pads = sketch__i64s(s, d.at, 2 * p.n), fill = VALUE_NONE, y;
    if (is_constant && sketch__chance(s, 60)) {
        double v = s->values_lane && dtype_is_float(t) && sketch__chance(s, 50) ? -INFINITY
                                                                                : PICK(s, fills);
        if (dtype_row(t)->class == DTYPE_CLASS_UNSIGNED && v < 0)
            v = 0;
        fill = sketch__scalar(s, t, v);
        sketch__note(s, "value=%g", v);
    }
    y = OP(s, row->op_type, x, pads, fill);
    if (!is_constant || sketch__chance(s, 30))
        sketch__string(s, "mode", mode);
    sketch__note(s, "mode=%s pads=%lld..%lld", mode, (long long)d.at[0],
                 (long long)d.at[2 * p.n - 1]);
    return y;
}

uint32_t recipe__depth_to_space(struct sketch *s, const struct recipe *row, uint32_t x)
{
    x = recipe__rank(s, recipe__fit(s, row->op_type, x), 4);
    if (sketch__dim(s, x, 1) % 4 != 0) {
        const int64_t four[4] = {1, 4, 1, 1};
        x = OP(s, "Tile", x, sketch__i64s(s, four, 4));
    }
    uint32_t y = OP(s, row->op_type, x);
    sketch__int(s, "blocksize", 2);
    corner__sprinkle(s, 60);
    return y;
}

uint32_t recipe__space_to_depth(struct sketch *s, const struct recipe *row, uint32_t x)
{
    x = recipe__rank(s, recipe__fit(s, row->op_type, x), 4);
    if (sketch__dim(s, x, 2) % 2 != 0 || sketch__dim(s, x, 3) % 2 != 0) {
        const int64_t two[4] = {1, 1, 2, 2};
        x = OP(s, "Tile", x, sketch__i64s(s, two, 4));
    }
    uint32_t y = OP(s, row->op_type, x);
    sketch__int(s, "blocksize", 2);
    return y;
}

uint32_t recipe__trilu(struct sketch *s, const struct recipe *row, uint32_t x)
{
    x = recipe__fit(s, row->op_type, x);
    if (sketch__rank(s, x) < 2)
        x = recipe__rank(s, x, 2);
    int64_t k = sketch__between_i(s, -4, 4);
    uint32_t y =
        sketch__chance(s, 70) ? OP(s, row->op_type, x, sketch__i64(s, k)) : OP(s, row->op_type, x);
    corner__sprinkle(s, 70);
    sketch__note(s, "k=%lld", (long long)k);
    return y;
}

uint32_t recipe__eye_like(struct sketch *s, const struct recipe *row, uint32_t x)
{
    x = recipe__rank(s, recipe__fit(s, row->op_type, x), 2);
    uint32_t y = OP(s, row->op_type, x);
    if (sketch__chance(s, 60))
        sketch__int(s, "k", sketch__between_i(s, -3, 3));
    if (sketch__chance(s, 40))
        sketch__int(s, "dtype", sketch__chance(s, 50) ? DTYPE_FLOAT : DTYPE_INT64);
    return y;
}

uint32_t recipe__constant_of_shape(struct sketch *s, const struct recipe *row, uint32_t x)
{
    static const enum dtype types[] = {DTYPE_FLOAT, DTYPE_INT64, DTYPE_INT32, DTYPE_BOOL,
                                       DTYPE_FLOAT16};
    struct tensor *t = arena_new(s->m->arena, struct tensor);
    enum dtype type = PICK(s, types);
    int64_t one = 1;
    double v = sketch__chance(s, 50) ? 1 : 0;
    uint32_t y = OP(s, row->op_type, OP(s, "Shape", x));
    if (!s->failed && sketch__chance(s, 70) &&
        tensor_from_doubles(type, &one, 1, &v, s->m->arena, t, &s->e))
        node_set_tensor(s->m, graph_last_node(s->g), "value", t);
    return y;
}

uint32_t recipe__range(struct sketch *s, const struct recipe *row, uint32_t x)
{
    static const double rows[][3] = {{0, 5, 1}, {5, 0, -2}, {-1, 2, 0.5}, {3, 4, 7}, {0, 10, 3}};
    uint32_t at = sketch__below(s, (uint32_t)COUNT_OF(rows));
    enum dtype t = at == 2 || sketch__chance(s, 50) ? DTYPE_FLOAT : DTYPE_INT64;
    enum place before = s->weights;
    (void)x;
    s->weights = s->shapes;
    uint32_t a = sketch__scalar(s, t, rows[at][0]), b = sketch__scalar(s, t, rows[at][1]);
    uint32_t c = sketch__scalar(s, t, rows[at][2]);
    s->weights = before;
    return OP(s, row->op_type, a, b, c);
}
