/*
 * Layer builders of operators that move data by shape: reshaping, transposing, stretching, joining,
 * cutting, padding. Results may have another shape than x; a dim is 0 only if x has such a dim.
 */
#include <math.h>

#include "generate/mutate/layer_p.h"

uint32_t layer__reshape(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    struct dims p = builder__dims(b, x), d = p;
    uint32_t form = builder__below(b, 8);
    int64_t n = builder__count(b, x);
    bool allowzero = b->m->opset >= 14 && builder__chance(b, 15);
    if (form == 0) {
        d = (struct dims){1, {-1}};
    } else if (form < 3 && p.n >= 2) { /* two adjacent dims joined, one dim given as -1 */
        uint32_t at = builder__below(b, p.n - 1);
        d.at[at] = p.at[at] * p.at[at + 1];
        for (uint32_t i = at + 1; i + 1 < p.n; i++)
            d.at[i] = p.at[i + 1];
        d.n = p.n - 1;
        if (n > 0 && builder__chance(b, 50))
            d.at[builder__below(b, d.n)] = -1;
    } else if (form < 5 && p.n < 6) { /* a dim of 1 inserted */
        uint32_t at = builder__below(b, p.n + 1);
        for (uint32_t i = p.n; i > at; i--)
            d.at[i] = p.at[i - 1];
        d.at[at] = 1;
        d.n = p.n + 1;
    } else if (form == 5 && p.n > 0 && p.at[p.n - 1] % 2 == 0) { /* the last dim split in two */
        d.at[p.n - 1] = 2;
        d.at[p.n] = p.at[p.n - 1] / 2;
        d.n = p.n + 1;
    } else if (!allowzero) { /* the same shape, some dims given as 0 */
        for (uint32_t i = 0; i < p.n; i++)
            d.at[i] = builder__chance(b, 40) ? 0 : p.at[i];
    }
    uint32_t y = OP(b, row->op_type, x, builder__i64s(b, d.at, d.n));
    if (allowzero)
        builder__int(b, "allowzero", 1);
    builder__note(b, "form=%u rank=%u>%u%s", form, p.n, d.n, allowzero ? " allowzero" : "");
    return y;
}

uint32_t layer__transpose(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    int64_t perm[TENSOR_RANK_MAX];
    uint32_t n = builder__rank(b, x);
    builder__permutation(b, n, perm);
    if (builder__chance(b, 15))
        return OP(b, row->op_type, x); /* reversed by default */
    uint32_t y = builder__transpose(b, x, perm, n);
    if (builder__chance(b, 25)) { /* and a second one after it */
        builder__permutation(b, n, perm);
        y = builder__transpose(b, y, perm, n);
    }
    return y;
}

uint32_t layer__squeeze(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    struct dims p = builder__dims(b, x);
    int64_t axes[TENSOR_RANK_MAX];
    size_t n = 0;
    for (uint32_t i = 0; i < p.n; i++) {
        if (p.at[i] == 1)
            axes[n++] = builder__chance(b, 50) ? (int64_t)i : (int64_t)i - p.n;
    }
    if (n == 0 && p.n > 0) { /* no dim of 1: make one first */
        axes[0] = builder__between_i(b, 0, p.n);
        x = builder__unsqueeze(b, x, axes, 1);
        if (b->m->opset >= 13 && builder__chance(b, 50))
            x = OP(b, "Relu", layer__fit(b, "Relu", x));
        n = 1;
    }
    if (n == 0 || builder__chance(b, 20))
        return OP(b, row->op_type, x);
    return builder__squeeze(b, x, axes, n);
}

uint32_t layer__unsqueeze(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    uint32_t rank = builder__rank(b, x), n = 1 + builder__below(b, 2);
    int64_t axes[2];
    (void)row;
    axes[0] = builder__between_i(b, 0, rank);
    axes[1] = axes[0] + 1;
    if (n == 2 && axes[1] > (int64_t)rank + 1)
        n = 1;
    for (uint32_t i = 0; i < n; i++) {
        if (builder__chance(b, 40))
            axes[i] -= rank + n;
    }
    if (n == 2 && builder__chance(b, 30)) { /* unsorted */
        int64_t first = axes[0];
        axes[0] = axes[1];
        axes[1] = first;
    }
    builder__note(b, "axes=%lld,%u", (long long)axes[0], n);
    return builder__unsqueeze(b, x, axes, n);
}

uint32_t layer__expand(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    struct dims p = builder__dims(b, x), d = p;
    for (uint32_t i = 0; i < p.n; i++) {
        if (p.at[i] == 1)
            d.at[i] = builder__between_i(b, 1, 3);
        else if (builder__chance(b, 35))
            d.at[i] = 1; /* "1 means the other's dim" */
    }
    if (builder__chance(b, 30) && p.n < 5) { /* of higher rank */
        for (uint32_t i = p.n; i > 0; i--)
            d.at[i] = d.at[i - 1];
        d.at[0] = builder__between_i(b, 1, 2);
        d.n = p.n + 1;
    } else if (builder__chance(b, 25) && p.n > 1) { /* of lower rank */
        for (uint32_t i = 0; i + 1 < p.n; i++)
            d.at[i] = d.at[i + 1];
        d.n = p.n - 1;
    }
    return OP(b, row->op_type, x, builder__i64s(b, d.at, d.n));
}

uint32_t layer__tile(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    struct dims d = builder__dims(b, x);
    int64_t n = builder__count(b, x);
    for (uint32_t i = 0; i < d.n; i++) {
        d.at[i] = n < 4096 && builder__chance(b, 35) ? 2 : 1;
        n *= d.at[i];
    }
    return OP(b, row->op_type, x, builder__i64s(b, d.at, d.n));
}

uint32_t layer__concat(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    int64_t axis, plain;
    uint32_t in[3], n = 1 + builder__below(b, 3);
    if (builder__rank(b, x) == 0)
        x = layer__rank(b, x, 1);
    axis = builder__axis(b, builder__rank(b, x), &plain);
    for (uint32_t i = 0; i < n; i++) {
        struct dims d = builder__dims(b, x);
        d.at[plain] = builder__between_i(b, 1, 3);
        in[i] = i == 0 || builder__chance(b, 40)
                    ? x
                    : builder__random(b, builder__dtype(b, x), d.at, d.n, 1);
    }
    if (n > 1 && builder__chance(b, 40)) {
        uint32_t first = in[0];
        in[0] = in[n - 1];
        in[n - 1] = first;
    }
    uint32_t y = builder__op(b, row->op_type, 1, in, n);
    builder__int(b, "axis", axis);
    builder__note(b, "inputs=%u axis=%lld", n, (long long)axis);
    return y;
}

uint32_t layer__split(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    int64_t axis, plain, sizes[2];
    if (builder__rank(b, x) == 0)
        x = layer__rank(b, x, 1);
    axis = builder__axis(b, builder__rank(b, x), &plain);
    int64_t size = builder__dim(b, x, plain);
    if (b->m->opset >= 18 && size >= 3 && builder__chance(b, 15)) {
        uint32_t n_parts = 3 + (size > 3 && builder__chance(b, 50)), part = builder__below(b, 3);
        if ((size + n_parts - 1) / n_parts * (n_parts - 1) < size) { /* only if no part is empty */
            uint32_t parts = OP_N(b, row->op_type, n_parts, x);
            builder__int(b, "num_outputs", n_parts);
            builder__int(b, "axis", axis);
            return parts == VALUE_NONE ? parts : parts + part;
        }
    }
    sizes[0] = builder__between_i(b, 1, MAX(size - 1, 1));
    sizes[1] = size - sizes[0];
    uint32_t n = sizes[1] > 0 ? 2 : 1, y;
    bool even = size % n == 0 && builder__chance(b, 40);
    if (b->m->opset < 13) {
        y = OP_N(b, row->op_type, n, x);
        if (!even)
            builder__int_list(b, "split", sizes, n);
    } else if (b->m->opset >= 18 && (even || builder__chance(b, 30))) {
        y = OP_N(b, row->op_type, n, x); /* uneven: the last chunk is smaller */
        builder__int(b, "num_outputs", n);
    } else {
        y = even ? OP_N(b, row->op_type, n, x)
                 : OP_N(b, row->op_type, n, x, builder__i64s(b, sizes, n));
    }
    builder__int(b, "axis", axis);
    builder__note(b, "axis=%lld n=%u even=%d", (long long)axis, n, even);
    if (n == 2 && y != VALUE_NONE && builder__chance(b, 50)) { /* joined again, perhaps swapped */
        uint32_t parts[2] = {y, y + 1};
        bool swapped = builder__chance(b, 50);
        y = OP(b, "Concat", parts[swapped], parts[!swapped]);
        builder__int(b, "axis", axis);
        return y;
    }
    return y == VALUE_NONE ? y : y + builder__below(b, n);
}

/* One axis: start, end and step with every sign, also beyond the ends; empty only on request. */
static void draw_slice(struct graph_builder *b, int64_t size, int64_t v[static 3])
{
    bool backwards = builder__chance(b, 35);
    int64_t step = builder__chance(b, 60) ? 1 : builder__between_i(b, 2, 3);
    int64_t low = builder__between_i(b, 0, MAX(size - 1, 0)),
            high = builder__between_i(b, low + 1, size);
    v[0] = backwards ? high - 1 : low;
    v[1] = backwards ? low - 1 : high;
    v[2] = backwards ? -step : step;
    if (builder__chance(b, 30)) /* counted from the end */
        v[0] -= size;
    if (backwards && v[1] < 0)
        v[1] = -size - (builder__chance(b, 50) ? 1 : 100);
    else if (!backwards && high == size && builder__chance(b, 50))
        v[1] = builder__chance(b, 50) ? INT64_MAX : size + 5;
    if (!backwards && low == 0 && builder__chance(b, 20))
        v[0] = -size - 3;
}

uint32_t layer__slice(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    int64_t starts[2], ends[2], steps[2], axes[2], v[3], plain;
    if (builder__rank(b, x) == 0)
        x = layer__rank(b, x, 1);
    uint32_t rank = builder__rank(b, x), n = rank > 1 && builder__chance(b, 40) ? 2 : 1;
    axes[0] = builder__axis(b, rank, &plain);
    for (uint32_t i = 0; i < n; i++) {
        int64_t at = i == 0 ? plain : (plain + 1) % rank;
        if (i == 1)
            axes[1] = builder__chance(b, 50) ? at : at - rank;
        draw_slice(b, builder__dim(b, x, at), v);
        starts[i] = v[0];
        ends[i] = v[1];
        steps[i] = v[2];
    }
    builder__note(b, "axis=%lld %lld:%lld:%lld n=%u", (long long)axes[0], (long long)starts[0],
                  (long long)ends[0], (long long)steps[0], n);
    uint32_t sv = builder__i64s(b, starts, n), ev = builder__i64s(b, ends, n);
    if (steps[0] == 1 && (n == 1 || steps[1] == 1) && builder__chance(b, 50))
        return OP(b, row->op_type, x, sv, ev, builder__i64s(b, axes, n));
    uint32_t av = builder__i64s(b, axes, n);
    return OP(b, row->op_type, x, sv, ev, av, builder__i64s(b, steps, n));
}

uint32_t layer__pad(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    static const char *const modes[] = {"constant", "reflect", "edge", "wrap"};
    static const double fills[] = {0, 1, -1, 0.5, 7};
    x = layer__fit(b, row->op_type, x);
    struct dims p = builder__dims(b, x), d = {.n = 2 * p.n};
    const char *mode =
        modes[builder__chance(b, 50) ? 0 : builder__below(b, b->m->opset >= 19 ? 4 : 3)];
    bool is_constant = strcmp(mode, "constant") == 0;
    enum dtype t = builder__dtype(b, x);
    if (d.n > TENSOR_RANK_MAX / 2 || p.n == 0)
        x = layer__rank(b, x, 2), p = builder__dims(b, x), d.n = 4;
    for (uint32_t i = 0; i < p.n; i++) {
        int64_t room = is_constant ? 2 : MIN(2, p.at[i] - 1), low = -MIN(1, (p.at[i] - 1) / 2);
        if (!builder__chance(b, 50) || (!is_constant && p.at[i] < 2))
            continue;
        d.at[i] = builder__between_i(b, builder__chance(b, 25) ? low : 0, MAX(room, 0));
        d.at[i + p.n] = builder__between_i(b, builder__chance(b, 25) ? low : 0, MAX(room, 0));
    }
    uint32_t fill = VALUE_NONE, axes = VALUE_NONE, pads, y;
    if (b->m->opset >= 18 && builder__chance(b, 30)) { /* the first or the last dims alone */
        uint32_t n = 1 + builder__below(b, p.n);
        bool last = builder__chance(b, 50);
        double at[TENSOR_RANK_MAX];
        int64_t few[2 * TENSOR_RANK_MAX], count = n;
        for (uint32_t i = 0; i < n; i++) {
            uint32_t axis = last ? p.n - 1 - i : i;
            few[i] = d.at[axis];
            few[n + i] = d.at[axis + p.n];
            at[i] = builder__chance(b, 50) ? axis : (double)axis - p.n;
        }
        pads = builder__i64s(b, few, 2 * n);
        axes = layer__fixed(b, builder__chance(b, 50) ? DTYPE_INT64 : DTYPE_INT32, &count, 1, at);
    } else {
        pads = builder__i64s(b, d.at, 2 * p.n);
    }
    if (is_constant && builder__chance(b, 60)) {
        double v = b->values_lane && dtype_is_float(t) && builder__chance(b, 50) ? -INFINITY
                                                                                 : ONE_OF(b, fills);
        if (dtype_row(t)->class == DTYPE_CLASS_UNSIGNED && v < 0)
            v = 0;
        fill = builder__scalar(b, t, v);
        builder__note(b, "value=%g", v);
    }
    y = OP(b, row->op_type, x, pads, fill, axes);
    if (!is_constant || builder__chance(b, 30))
        builder__string(b, "mode", mode);
    builder__note(b, "mode=%s pads=%lld..%lld", mode, (long long)d.at[0],
                  (long long)d.at[2 * p.n - 1]);
    return y;
}

uint32_t layer__depth_to_space(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    x = layer__rank(b, layer__fit(b, row->op_type, x), 4);
    if (builder__dim(b, x, 1) % 4 != 0) {
        const int64_t four[4] = {1, 4, 1, 1};
        x = OP(b, "Tile", x, builder__i64s(b, four, 4));
    }
    uint32_t y = OP(b, row->op_type, x);
    builder__int(b, "blocksize", 2);
    corner__set_some(b, 60);
    return y;
}

uint32_t layer__space_to_depth(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    x = layer__rank(b, layer__fit(b, row->op_type, x), 4);
    if (builder__dim(b, x, 2) % 2 != 0 || builder__dim(b, x, 3) % 2 != 0) {
        const int64_t two[4] = {1, 1, 2, 2};
        x = OP(b, "Tile", x, builder__i64s(b, two, 4));
    }
    uint32_t y = OP(b, row->op_type, x);
    builder__int(b, "blocksize", 2);
    return y;
}

uint32_t layer__trilu(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    x = layer__fit(b, row->op_type, x);
    if (builder__rank(b, x) < 2)
        x = layer__rank(b, x, 2);
    int64_t k = builder__between_i(b, -4, 4);
    uint32_t y = builder__chance(b, 70) ? OP(b, row->op_type, x, builder__i64(b, k))
                                        : OP(b, row->op_type, x);
    corner__set_some(b, 70);
    builder__note(b, "k=%lld", (long long)k);
    return y;
}

uint32_t layer__eye_like(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    x = layer__rank(b, layer__fit(b, row->op_type, x), 2);
    if (builder__chance(b, 50))
        x = layer__dynamic(b, x);
    uint32_t y = OP(b, row->op_type, x);
    if (builder__chance(b, 60))
        builder__int(b, "k", builder__between_i(b, -3, 3));
    if (builder__chance(b, 50))
        builder__int(b, "dtype", layer__output_dtype(b, row->op_type));
    return y;
}

uint32_t layer__constant_of_shape(struct graph_builder *b, const struct layer_builder *row,
                                  uint32_t x)
{
    struct tensor *t = arena_new(b->m->arena, struct tensor);
    enum dtype type = layer__output_dtype(b, row->op_type);
    int64_t one = 1;
    double v = builder__chance(b, 50) ? 1 : 0;
    uint32_t y = OP(b, row->op_type, OP(b, "Shape", layer__dynamic(b, x)));
    if (!b->failed && builder__chance(b, 70) &&
        tensor_from_doubles(type, &one, 1, &v, b->m->arena, t, &b->e))
        node_set_tensor(b->m, graph_last_node(b->g), "value", t);
    return y;
}

uint32_t layer__range(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    static const double rows[][3] = {{0, 5, 1}, {5, 0, -2}, {-1, 2, 0.5}, {3, 4, 7}, {0, 10, 3}};
    uint32_t at = builder__below(b, (uint32_t)COUNT_OF(rows));
    enum dtype t = layer__input_dtype(b, row->op_type, 0);
    uint32_t v[3];
    (void)x;
    if (at == 2 && !dtype_is_float(t))
        at = 0;
    for (uint32_t i = 0; i < 3; i++)
        v[i] = builder__chance(b, 50) ? layer__computed(b, t, NULL, 0, &rows[at][i])
                                      : layer__fixed(b, t, NULL, 0, &rows[at][i]);
    return OP(b, row->op_type, v[0], v[1], v[2]);
}
