/*
 * NonMaxSuppression: per image and class, boxes in the order of their scores, without those that a
 * selected one covers.
 *
 * The overlap decides a shape, so it is computed in the declared dtype, float32. What the text
 * leaves open is refused: boxes of equal scores (unless they are one box, whose index is then
 * undefined), and an overlap so near the threshold that the order of float32 operations decides.
 * Each margin is the least distance over all decisions of the node, since a single one may change
 * the shape.
 */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "onnx/eval/kernel_p.h"

enum { NMS_NEAR_UNITS = 8 };

struct box {
    float low[2], high[2];
};

struct nms {
    const float *boxes; /* 4 per box */
    const double *scores;
    size_t n;
    int64_t most; /* per class */
    float overlap;
    double least_score;
    bool has_least, is_centred, has_open;
    size_t *order, n_order;
    double margin;
    struct arena *scratch;
};

static struct box box_at(const struct nms *t, size_t i)
{
    const float *at = t->boxes + 4 * i;
    struct box b;
    for (int d = 0; d < 2; d++) {
        /* centred: x, y, width, height; corners: y1, x1, y2, x2, in any order */
        float first = t->is_centred ? at[d] - at[d + 2] / 2 : at[d];
        float second = t->is_centred ? at[d] + at[d + 2] / 2 : at[d + 2];
        b.low[d] = first < second ? first : second;
        b.high[d] = first < second ? second : first;
    }
    return b;
}

/* *order: -1 below, 0 at, 1 above the threshold; false where the order of operations decides. */
static bool compare_overlap(struct nms *t, size_t i, size_t j, int *order)
{
    struct box a = box_at(t, i), b = box_at(t, j);
    float side[2], area[2] = {1, 1};
    double exact = 1, wide[2] = {1, 1};
    for (int d = 0; d < 2; d++) {
        float low = a.low[d] > b.low[d] ? a.low[d] : b.low[d];
        float high = a.high[d] < b.high[d] ? a.high[d] : b.high[d];
        side[d] = high > low ? high - low : 0;
        exact *= high > low ? (double)high - low : 0;
        area[0] *= a.high[d] - a.low[d];
        area[1] *= b.high[d] - b.low[d];
        wide[0] *= (double)a.high[d] - a.low[d];
        wide[1] *= (double)b.high[d] - b.low[d];
    }
    float common = side[0] * side[1], all = area[0] + area[1] - common;
    double all_wide = wide[0] + wide[1] - exact;
    float share = common > 0 && all > 0 ? common / all : 0;
    bool is_exact = (double)common == exact && (double)all == all_wide;
    double distance = fabs((double)share - (double)t->overlap);
    *order = (share > t->overlap) - (share < t->overlap);
    t->margin = MIN(t->margin, distance * sqrt(fabs(all_wide)) / 4);
    return is_exact || distance > NMS_NEAR_UNITS * 0x1p-24 * (double)fabsf(t->overlap) ||
           common <= 0;
}

static bool is_same_box(const float *a, const float *b)
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2] && a[3] == b[3];
}

/* Sorts candidates by descending score, equal ones in the order of their boxes. */
static bool order_candidates(struct nms *t, struct err *e)
{
    t->n_order = 0;
    for (size_t i = 0; i < t->n; i++) {
        if (isnan(t->scores[i]))
            return err_set(e, ERR_UNSUPPORTED, "the score of box %zu is NaN", i);
        if (t->has_least)
            t->margin = MIN(t->margin, fabs(t->scores[i] - t->least_score));
        if (t->has_least && t->scores[i] < t->least_score)
            continue;
        size_t at = t->n_order++;
        for (; at > 0 && t->scores[t->order[at - 1]] < t->scores[i]; at--)
            t->order[at] = t->order[at - 1];
        t->order[at] = i;
    }
    t->has_open = false;
    for (size_t j = 1; j < t->n_order; j++) {
        double gap = t->scores[t->order[j - 1]] - t->scores[t->order[j]];
        bool is_same = is_same_box(t->boxes + 4 * t->order[j - 1], t->boxes + 4 * t->order[j]);
        if (gap > 0)
            t->margin = MIN(t->margin, gap / 2);
        else if (!is_same)
            return err_set(e, ERR_UNSUPPORTED,
                           "boxes %zu and %zu have equal scores: their order "
                           "is not defined",
                           t->order[j - 1], t->order[j]);
        t->has_open |= !(gap > 0);
    }
    return true;
}

/* One class of one image: order[] becomes the boxes that are selected, in order. */
static bool select_boxes(struct nms *t, struct err *e)
{
    size_t n = 0;
    for (size_t j = 0; j < t->n_order && (int64_t)n < t->most; j++) {
        size_t box = t->order[j];
        bool stays = true;
        for (size_t s = 0; s < n && stays; s++) {
            int order;
            if (!compare_overlap(t, box, t->order[s], &order))
                return err_set(e, ERR_UNSUPPORTED,
                               "the overlap of boxes %zu and %zu is at the "
                               "threshold: float32 decides",
                               box, t->order[s]);
            stays = order <= 0;
        }
        if (stays)
            t->order[n++] = box;
    }
    t->n_order = n;
    return true;
}

struct chosen {
    int64_t at[3];
    bool is_open;
};

static bool read_nms(const struct kernel *k, struct nms *t, struct err *e)
{
    const struct value *boxes = k->in[0], *scores = k->in[1], *most = kernel__in(k, 2);
    const struct value *overlap = kernel__in(k, 3), *least = kernel__in(k, 4);
    if (boxes->rank != 3 || scores->rank != 3 || boxes->dims[2] != 4 ||
        boxes->dims[0] != scores->dims[0] || boxes->dims[1] != scores->dims[2])
        return err_set(e, ERR_DATA, "boxes and scores do not fit");
    for (uint32_t i = 0; i < k->n_in; i++) {
        if (kernel__is_tainted(k->in[i]))
            return err_set(e, ERR_UNSUPPORTED, "input %u has undefined elements", i);
        if (i >= 2 && k->in[i] && k->in[i]->n != 1)
            return err_set(e, ERR_DATA, "input %u has %zu elements", i, k->in[i]->n);
    }
    float *narrow = arena_new_array(k->scratch, float, boxes->n);
    for (size_t i = 0; i < boxes->n; i++) {
        narrow[i] = (float)boxes->f[i];
        if (!isfinite(narrow[i]))
            return err_set(e, ERR_UNSUPPORTED, "the corners of box %zu are not finite", i / 4);
    }
    *t = (struct nms){.boxes = narrow, .scores = scores->f, .margin = (double)INFINITY};
    t->n = (size_t)boxes->dims[1];
    t->most = most ? most->i[0] : 0;
    t->overlap = overlap ? (float)overlap->f[0] : 0;
    t->has_least = least != NULL;
    t->least_score = least ? least->f[0] : 0;
    t->is_centred = node_int(k->n, "center_point_box", 0) != 0;
    t->order = arena_new_array(k->scratch, size_t, t->n);
    return !isnan(t->overlap) && !isnan(t->least_score)
               ? true
               : err_set(e, ERR_UNSUPPORTED, "a threshold is NaN");
}

/* NonMaxSuppression: boxes (b, n, 4), scores (b, c, n), most, overlap, least score -> (chosen, 3):
 * image, class, box. */
bool kernel__non_max_suppression(struct kernel *k, struct err *e)
{
    struct nms t;
    VEC(struct chosen) all = {0};
    if (!read_nms(k, &t, e) || !kernel__charge(k, k->in[1]->n * MAX(t.n, (size_t)1), e))
        return false;
    size_t n_classes = (size_t)k->in[1]->dims[1];
    const float *boxes = t.boxes;
    for (size_t i = 0; i < (size_t)k->in[1]->dims[0] * n_classes; i++) {
        t.boxes = boxes + i / n_classes * t.n * 4;
        t.scores = k->in[1]->f + i * t.n;
        if (!order_candidates(&t, e) || !select_boxes(&t, e))
            return false;
        for (size_t j = 0; j < t.n_order; j++) {
            struct chosen c = {
                {(int64_t)(i / n_classes), (int64_t)(i % n_classes), (int64_t)t.order[j]},
                t.has_open};
            vec_push(&all, k->scratch, c);
        }
    }
    if (!kernel__output(k, 0, DTYPE_INT64, 2, (int64_t[]){(int64_t)all.n, 3}, e))
        return false;
    for (size_t i = 0; i < 3 * all.n; i++) {
        k->to[0].i[i] = all.at[i / 3].at[i % 3];
        if (all.at[i / 3].is_open && i % 3 == 2)
            kernel__undefined(k, 0)[i] = 1;
        if (k->want_margins)
            kernel__margin(k, 0)[i] = t.margin;
    }
    kernel__no_taint(k, 0);
    return true;
}
