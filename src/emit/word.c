/*
 * Words of forms: texts that are computed from the shapes, attributes and constants of a node,
 * where no single attribute gives them. Each is a function that fails when the node lacks what the
 * word needs; then the form with that word does not apply.
 */
#include "emit/emit_p.h"
#include "emit/literal.h"

enum { LIST_MAX = 2 * TENSOR_RANK_MAX };

static bool fails(struct filling *f, const char *why)
{
    return err_set(f->e, ERR_UNSUPPORTED, "operator " STR_FMT ": %s is not written for %s",
                   STR_ARG(f->node->op_type), why, f->w->framework->name);
}

static bool rank_of(struct filling *f, const struct graph_value *v, int64_t *rank)
{
    if (!v || !v->shape.known)
        return fails(f, "an unknown rank");
    *rank = v->shape.rank;
    return true;
}

static bool axis_of(struct filling *f, int64_t *axis, int64_t *rank)
{
    if (!rank_of(f, emit__input(f, 0), rank))
        return false;
    *axis = node_int(f->node, "axis", 0);
    *axis += *axis < 0 ? *rank : 0;
    return true;
}

/* Dims from the axis on, over which a norm is computed. */
static bool word_normalized(struct filling *f)
{
    int64_t axis, rank, dims[TENSOR_RANK_MAX];
    const struct graph_value *x = emit__input(f, 0);
    const struct graph_value *scale = emit__input(f, 1);
    if (!x || !shape_to_dims(&x->shape, dims) || !scale || !shape_is_static(&scale->shape))
        return fails(f, "an unknown dim");
    rank = x->shape.rank;
    axis = node_int(f->node, "axis", -1);
    axis += axis < 0 ? rank : 0;
    if (axis < 0 || scale->shape.rank != rank - axis)
        return fails(f, "a scale that is broadcast");
    for (int64_t i = axis; i < rank; i++)
        if (scale->shape.dims[i - axis].value != dims[i])
            return fails(f, "a scale that is broadcast");
    literal_dims(dims + axis, (uint32_t)(rank - axis), f->out);
    return true;
}

static bool word_perm(struct filling *f)
{
    size_t n;
    const int64_t *perm = node_ints(f->node, "perm", &n);
    int64_t reversed[TENSOR_RANK_MAX], rank;
    if (!perm) {
        if (!rank_of(f, emit__input(f, 0), &rank))
            return false;
        for (int64_t i = 0; i < rank; i++)
            reversed[i] = rank - 1 - i;
        perm = reversed;
        n = (size_t)rank;
    }
    literal_dims(perm, (uint32_t)n, f->out);
    return true;
}

/* Writes "axes_of(x, axes)" for a computed second input. */
static bool computed_axes(struct filling *f)
{
    return f->w->framework->to_list && !node_int(f->node, "noop_with_empty_axes", 0) &&
           emit__fill(f, "axes_of({0}, {1:list})");
}

/* Axes of a reduction as a tuple: the attribute, a constant second input, or all. */
static bool word_axes(struct filling *f)
{
    size_t n = 0;
    int64_t all[TENSOR_RANK_MAX], rank;
    const int64_t *axes = node_ints(f->node, "axes", &n);
    if (emit__input(f, 1) && !emit__ints(f, 1, &axes, &n))
        return computed_axes(f);
    if (!n) {
        if (node_int(f->node, "noop_with_empty_axes", 0))
            return fails(f, "noop_with_empty_axes");
        if (!rank_of(f, emit__input(f, 0), &rank))
            return false;
        for (int64_t i = 0; i < rank; i++)
            all[i] = i;
        axes = all;
        n = (size_t)rank;
    }
    strbuf_addc(f->out, '(');
    for (size_t i = 0; i < n; i++)
        strbuf_printf(f->out, i ? " %lld%s" : "%lld%s", (long long)axes[i],
                      i + 1 < n || n == 1 ? "," : "");
    strbuf_addc(f->out, ')');
    return true;
}

/* Fills the form only where a reduction with empty axes changes nothing. */
static bool word_noop(struct filling *f)
{
    size_t n = 0;
    const int64_t *axes = node_ints(f->node, "axes", &n);
    if (emit__input(f, 1) && !emit__ints(f, 1, &axes, &n))
        return false;
    return (!n && node_int(f->node, "noop_with_empty_axes", 0)) || fails(f, "a reduction");
}

static bool word_spatial(struct filling *f)
{
    int64_t rank;
    if (!rank_of(f, emit__input(f, 0), &rank))
        return false;
    strbuf_addc(f->out, '(');
    for (int64_t i = 2; i < rank; i++)
        strbuf_printf(f->out, i > 2 ? " %lld," : "%lld,", (long long)i);
    strbuf_addc(f->out, ')');
    return rank > 2 || fails(f, "no spatial dim");
}

/* The number of spatial dims: the "2" of conv2d. */
static bool word_nd(struct filling *f)
{
    int64_t rank;
    if (!rank_of(f, emit__input(f, 0), &rank))
        return false;
    if (rank < 3 || rank > 5)
        return fails(f, "this number of spatial dims");
    strbuf_printf(f->out, "%lld", (long long)rank - 2);
    return true;
}

/* Equal pads at both ends, as one list. */
static bool word_pads(struct filling *f)
{
    size_t n;
    int64_t rank, half[TENSOR_RANK_MAX] = {0};
    const int64_t *pads = node_ints(f->node, "pads", &n);
    struct str way = node_string(f->node, "auto_pad", STR("NOTSET"));
    if (!str_is(way, "NOTSET") && !str_is(way, "VALID"))
        return fails(f, "auto_pad");
    if (!rank_of(f, emit__input(f, 0), &rank) || rank < 2)
        return fails(f, "an unknown rank");
    for (size_t i = 0; str_is(way, "NOTSET") && i < n / 2 && i < TENSOR_RANK_MAX; i++) {
        half[i] = pads[i];
        if (pads[i] != pads[i + n / 2])
            return fails(f, "pads that differ at both ends");
    }
    literal_dims(half, (uint32_t)rank - 2, f->out);
    return true;
}

/* Like word_pads, but at most half the window, as pools require. */
static bool word_pool_pads(struct filling *f)
{
    size_t n, n_kernel;
    const int64_t *pads = node_ints(f->node, "pads", &n);
    const int64_t *kernel = node_ints(f->node, "kernel_shape", &n_kernel);
    for (size_t i = 0; i < n / 2 && i < n_kernel; i++)
        if (2 * pads[i] > kernel[i])
            return fails(f, "a pad of more than half the window");
    return word_pads(f);
}

static bool word_strides(struct filling *f)
{
    size_t n;
    int64_t rank, ones[TENSOR_RANK_MAX];
    const int64_t *strides = node_ints(f->node, "strides", &n);
    if (strides) {
        literal_dims(strides, (uint32_t)n, f->out);
        return true;
    }
    if (!rank_of(f, emit__input(f, 0), &rank) || rank < 3)
        return fails(f, "an unknown rank");
    for (int64_t i = 0; i < rank; i++)
        ones[i] = 1;
    literal_dims(ones, (uint32_t)rank - 2, f->out);
    return true;
}

/* The target of a Reshape, with the copied dims in place of zeros. */
static bool word_reshape(struct filling *f)
{
    const int64_t *shape;
    size_t n;
    int64_t dims[TENSOR_RANK_MAX];
    const struct graph_value *x = emit__input(f, 0);
    if (!emit__ints(f, 1, &shape, &n))
        return false;
    for (size_t i = 0; i < n && i < TENSOR_RANK_MAX; i++) {
        dims[i] = shape[i];
        if (shape[i] || node_int(f->node, "allowzero", 0))
            continue;
        if (!x->shape.known || i >= x->shape.rank || x->shape.dims[i].value < 0)
            return fails(f, "an unknown dim");
        dims[i] = x->shape.dims[i].value;
    }
    literal_dims(dims, (uint32_t)n, f->out);
    return true;
}

/* ":, :, " before the axis of a Gather. */
static bool word_colons(struct filling *f)
{
    int64_t axis, rank;
    if (!axis_of(f, &axis, &rank))
        return false;
    for (int64_t i = 0; i < axis; i++)
        strbuf_adds(f->out, ":, ");
    return true;
}

/* Axes of Unsqueeze or Squeeze, from the attribute or the second input. */
static bool listed_axes(struct filling *f, const int64_t **axes, size_t *n)
{
    *axes = node_ints(f->node, "axes", n);
    return *axes || emit__ints(f, 1, axes, n);
}

/* Calls such as ".unsqueeze(0).unsqueeze(2)". */
static bool word_unsqueeze(struct filling *f)
{
    const int64_t *axes;
    size_t n;
    int64_t rank;
    bool is_new[TENSOR_RANK_MAX] = {false};
    if (!listed_axes(f, &axes, &n) || !rank_of(f, emit__input(f, 0), &rank))
        return false;
    rank += (int64_t)n;
    for (size_t i = 0; i < n; i++) {
        int64_t axis = axes[i] + (axes[i] < 0 ? rank : 0);
        if (axis < 0 || axis >= rank || rank > TENSOR_RANK_MAX)
            return fails(f, "an axis out of range");
        is_new[axis] = true;
    }
    for (int64_t i = 0; i < rank; i++)
        if (is_new[i])
            strbuf_printf(f->out, ".unsqueeze(%lld)", (long long)i);
    return true;
}

static bool word_squeeze(struct filling *f)
{
    const int64_t *axes;
    size_t n;
    if (!listed_axes(f, &axes, &n))
        return false;
    strbuf_addc(f->out, '(');
    for (size_t i = 0; i < n; i++)
        strbuf_printf(f->out, i ? " %lld," : "%lld,", (long long)axes[i]);
    strbuf_addc(f->out, ')');
    return true;
}

/* Sizes of the parts of a Split. */
static bool word_split(struct filling *f)
{
    size_t n;
    int64_t axis, rank, sizes[LIST_MAX];
    const int64_t *given = node_ints(f->node, "split", &n);
    if (given || (emit__input(f, 1) && emit__ints(f, 1, &given, &n))) {
        literal_dims(given, (uint32_t)n, f->out);
        return true;
    }
    if (emit__input(f, 1) || !axis_of(f, &axis, &rank) || axis < 0 || axis >= rank)
        return fails(f, "a split that is computed");
    int64_t left = emit__input(f, 0)->shape.dims[axis].value, parts = f->node->n_outputs;
    if (left < 0 || parts > LIST_MAX)
        return fails(f, "an unknown dim");
    int64_t each = (left + parts - 1) / parts;
    for (int64_t i = 0; i < parts; i++) {
        sizes[i] = left < each ? left : each;
        left -= sizes[i];
    }
    literal_dims(sizes, (uint32_t)parts, f->out);
    return true;
}

struct slice_lists {
    const int64_t *starts, *ends, *axes, *steps;
    size_t n, n_ends, n_axes, n_steps;
};

static bool slice_lists(struct filling *f, struct slice_lists *s)
{
    *s = (struct slice_lists){0};
    if (f->node->n_inputs == 1) {
        s->starts = node_ints(f->node, "starts", &s->n);
        s->ends = node_ints(f->node, "ends", &s->n_ends);
        s->axes = node_ints(f->node, "axes", &s->n_axes);
        return s->starts && s->ends;
    }
    return emit__ints(f, 1, &s->starts, &s->n) && emit__ints(f, 2, &s->ends, &s->n_ends) &&
           (!emit__input(f, 3) || emit__ints(f, 3, &s->axes, &s->n_axes)) &&
           (!emit__input(f, 4) || emit__ints(f, 4, &s->steps, &s->n_steps));
}

/* An index such as ":, 1:3, ::2", for a Slice with positive steps. */
static bool word_index(struct filling *f)
{
    struct slice_lists s;
    struct strbuf text[TENSOR_RANK_MAX] = {{0}};
    int64_t rank, last = -1;
    bool ok = slice_lists(f, &s) && rank_of(f, emit__input(f, 0), &rank);
    for (size_t i = 0; ok && i < s.n; i++) {
        int64_t axis = s.axes ? s.axes[i] : (int64_t)i;
        int64_t step = s.steps ? s.steps[i] : 1;
        axis += axis < 0 ? rank : 0;
        ok = axis >= 0 && axis < rank && !text[axis].n && (step > 0 || fails(f, "a negative step"));
        if (!ok)
            break;
        last = axis > last ? axis : last;
        if (s.starts[i])
            strbuf_printf(&text[axis], "%lld", (long long)s.starts[i]);
        strbuf_addc(&text[axis], ':');
        if (s.ends[i] < INT32_MAX)
            strbuf_printf(&text[axis], "%lld", (long long)s.ends[i]);
        if (step != 1)
            strbuf_printf(&text[axis], ":%lld", (long long)step);
    }
    for (int64_t i = 0; ok && i <= last; i++)
        strbuf_printf(f->out, "%s" STR_FMT, i ? ", " : "",
                      STR_ARG(text[i].n ? strbuf_str(&text[i]) : STR(":")));
    if (ok && last < 0)
        strbuf_adds(f->out, "...");
    for (size_t i = 0; i < TENSOR_RANK_MAX; i++)
        strbuf_done(&text[i]);
    return ok || fails(f, "this slice");
}

/* Pads of a Pad as pairs, the last dim first, as F.pad takes them. */
static bool word_pad(struct filling *f)
{
    const int64_t *pads, *axes = NULL;
    size_t n, n_axes;
    int64_t rank, out[LIST_MAX] = {0};
    pads = node_ints(f->node, "pads", &n);
    if (!pads && !emit__ints(f, 1, &pads, &n))
        return false;
    if (!rank_of(f, emit__input(f, 0), &rank) ||
        (emit__input(f, 3) && !emit__ints(f, 3, &axes, &n_axes)))
        return false;
    for (size_t i = 0; i < n / 2; i++) {
        int64_t axis = axes ? axes[i] : (int64_t)i;
        axis += axis < 0 ? rank : 0;
        if (axis < 0 || axis >= rank || rank > TENSOR_RANK_MAX)
            return fails(f, "an axis out of range");
        out[2 * (rank - 1 - axis)] = pads[i];
        out[2 * (rank - 1 - axis) + 1] = pads[i + n / 2];
    }
    while (rank && !out[2 * rank - 2] && !out[2 * rank - 1])
        rank--;
    if (!str_is(node_string(f->node, "mode", STR("constant")), "constant")) {
        int64_t spatial = emit__input(f, 0)->shape.rank - 2;
        rank = rank < spatial ? spatial : rank;
        if (spatial < 1 || spatial > 3 || rank > spatial)
            return fails(f, "this mode on this dim");
    }
    literal_dims(out, (uint32_t)(2 * rank), f->out);
    return true;
}

/* The mode of grid_sample; opset 20 renamed the modes. */
static bool word_grid_mode(struct filling *f)
{
    struct str mode = node_string(f->node, "mode", STR("bilinear"));
    if (str_is(mode, "linear"))
        mode = STR("bilinear");
    if (str_is(mode, "cubic"))
        mode = STR("bicubic");
    literal_string(mode, f->out);
    return true;
}

/* Resize -----------------------------------------------------------------------------------------
 */

struct resize_target {
    const struct tensor *scales; /* per dim; NULL: sizes are given */
    const int64_t *sizes;
    double attr_scales[TENSOR_RANK_MAX];
    size_t n;
};

static double scale_at(const struct resize_target *t, size_t i)
{
    return t->scales ? tensor_get_double(t->scales, i) : t->attr_scales[i];
}

/* The target of a Resize or Upsample, for all dims. */
static bool resize_target(struct filling *f, struct resize_target *t, int64_t *rank)
{
    bool is_old = f->w->model->opset < 11;
    uint32_t at = is_old ? 1 : 2;
    size_t n_list;
    *t = (struct resize_target){0};
    if (node_ints(f->node, "axes", &n_list) ||
        !str_is(node_string(f->node, "keep_aspect_ratio_policy", STR("stretch")), "stretch") ||
        !rank_of(f, emit__input(f, 0), rank))
        return fails(f, "axes or an aspect ratio");
    const struct attr *list = node_attr(f->node, "scales");
    if (list && list->kind == ATTR_FLOATS && list->n <= TENSOR_RANK_MAX) {
        for (size_t i = 0; i < list->n; i++)
            t->attr_scales[i] = (double)list->floats[i];
        t->n = list->n;
    } else if (emit__input(f, at) && emit__constant(f->w, f->scope, f->node->inputs[at]) &&
               emit__constant(f->w, f->scope, f->node->inputs[at])->n) {
        t->scales = emit__constant(f->w, f->scope, f->node->inputs[at]);
        t->n = t->scales->n;
    } else if (is_old || !emit__input(f, 3) || !emit__ints(f, 3, &t->sizes, &t->n)) {
        return fails(f, "a size that is computed");
    }
    return t->n == (size_t)*rank || fails(f, "a size of another rank");
}

static void add_target(struct filling *f, const struct resize_target *t, size_t from,
                       const char *sizes, const char *scales)
{
    strbuf_printf(f->out, "%s=[", t->sizes ? sizes : scales);
    for (size_t i = from; i < t->n; i++) {
        strbuf_adds(f->out, i > from ? ", " : "");
        if (t->sizes)
            strbuf_printf(f->out, "%lld", (long long)t->sizes[i]);
        else
            literal_real(scale_at(t, i), DTYPE_FLOAT, f->w->framework->module, f->out);
    }
    strbuf_addc(f->out, ']');
}

static bool word_target(struct filling *f)
{
    struct resize_target t;
    int64_t rank;
    if (!resize_target(f, &t, &rank))
        return false;
    add_target(f, &t, 0, "sizes", "scales");
    return true;
}

/* The spatial part of the target; batch and channels must keep their size. */
static bool word_spatial_target(struct filling *f)
{
    struct resize_target t;
    int64_t rank;
    if (!resize_target(f, &t, &rank))
        return false;
    for (size_t i = 0; i < 2 && i < t.n; i++)
        if (t.sizes ? t.sizes[i] != emit__input(f, 0)->shape.dims[i].value : scale_at(&t, i) != 1)
            return fails(f, "a new number of channels");
    add_target(f, &t, 2, "size", "scale_factor");
    return (rank > 2 && rank < 6) || fails(f, "this number of spatial dims");
}

/* Like word_spatial_target, but each dim times its scale is a whole number: align_corners uses the
 * product. */
static bool word_whole_target(struct filling *f)
{
    struct resize_target t;
    int64_t rank;
    if (!resize_target(f, &t, &rank))
        return false;
    for (size_t i = 2; !t.sizes && i < t.n; i++) {
        double size = scale_at(&t, i) * (double)emit__input(f, 0)->shape.dims[i].value;
        if (size < 1 || size != (double)(int64_t)size)
            return fails(f, "a scale that gives a part of an element");
    }
    return word_spatial_target(f);
}

static bool word_linear(struct filling *f)
{
    static const char *const modes[] = {"\"linear\"", "\"bilinear\"", "\"trilinear\""};
    int64_t rank;
    if (!rank_of(f, emit__input(f, 0), &rank))
        return false;
    if (rank < 3 || rank > 5)
        return fails(f, "this number of spatial dims");
    strbuf_adds(f->out, modes[rank - 3]);
    return true;
}

/* The size of the axis, for one-hot depths and the like. */
static bool word_channels(struct filling *f)
{
    const struct graph_value *x = emit__input(f, 0);
    if (!x || !x->shape.known || x->shape.rank < 2 || x->shape.dims[1].value < 0)
        return fails(f, "an unknown dim");
    strbuf_printf(f->out, "%lld", (long long)x->shape.dims[1].value);
    return true;
}

static bool word_outputs(struct filling *f)
{
    strbuf_printf(f->out, "%u", f->node->n_outputs);
    return true;
}

static bool word_opset(struct filling *f)
{
    strbuf_printf(f->out, "%d", f->w->model->opset);
    return true;
}

static const struct {
    const char *name;
    const char *attributes; /* that it uses, separated by blanks */
    bool (*add)(struct filling *f);
} words[] = {
    {"normalized", "axis", word_normalized},
    {"perm", "perm", word_perm},
    {"axes", "axes noop_with_empty_axes", word_axes},
    {"noop", "axes noop_with_empty_axes keepdims", word_noop},
    {"spatial", "", word_spatial},
    {"nd", "", word_nd},
    {"pads", "pads auto_pad", word_pads},
    {"pool_pads", "pads auto_pad", word_pool_pads},
    {"strides", "strides", word_strides},
    {"reshape", "allowzero", word_reshape},
    {"colons", "axis", word_colons},
    {"unsqueeze", "axes", word_unsqueeze},
    {"squeeze", "axes", word_squeeze},
    {"split", "split axis num_outputs", word_split},
    {"index", "starts ends axes", word_index},
    {"pad", "pads mode", word_pad},
    {"grid_mode", "mode", word_grid_mode},
    {"target", "scales axes keep_aspect_ratio_policy", word_target},
    {"spatial_target", "scales axes keep_aspect_ratio_policy", word_spatial_target},
    {"whole_target", "scales axes keep_aspect_ratio_policy", word_whole_target},
    {"linear", "", word_linear},
    {"channels", "", word_channels},
    {"outputs", "", word_outputs},
    {"opset", "", word_opset},
};

bool emit__word(struct filling *f, struct str word)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        struct str rest = str_of(words[i].attributes), name;
        if (!str_is(word, words[i].name))
            continue;
        while (str_split(&rest, ' ', &name))
            vec_push(&f->heeded, NULL, name);
        return words[i].add(f);
    }
    return err_set(f->e, ERR_INTERNAL, "operator " STR_FMT ": no word is called " STR_FMT,
                   STR_ARG(f->node->op_type), STR_ARG(word));
}
