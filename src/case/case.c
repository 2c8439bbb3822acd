/*
 * The identity of a case, as two hashes. `content` covers the model (or the source) and every input
 * value; `id` adds lane and provenance, so that the same model of two generators is two cases with
 * one content. Knows no file and no engine. Every field of struct tcase that decides what is tested
 * or how it is judged is part of a hash; the parent is, by its hash in the provenance.
 */
#include "case/subject.h"

static const char *const lane_names[LANE_COUNT] = {
    [LANE_NUMERIC] = "numeric",     [LANE_VALUES] = "values",     [LANE_SHAPES] = "shapes",
    [LANE_RESOURCES] = "resources", [LANE_TRAINING] = "training", [LANE_DEPLOYMENT] = "deployment",
};

const char *lane_name(enum lane lane)
{
    return lane < LANE_COUNT ? lane_names[lane] : "unknown";
}

bool lane_find(struct str name, enum lane *out)
{
    for (unsigned i = 0; i < LANE_COUNT; i++) {
        if (str_is(name, lane_names[i])) {
            *out = (enum lane)i;
            return true;
        }
    }
    return false;
}

static void add_inputs(const struct tcase *c, struct hasher *h)
{
    hasher_add_u64(h, c->n_input_sets);
    for (size_t set = 0; set < c->n_input_sets; set++) {
        const struct tensors *t = &c->input_sets[set];
        hasher_add_u64(h, t->n);
        for (size_t i = 0; i < t->n; i++) {
            hasher_add_str(h, t->at[i].name);
            tensor_hash(&t->at[i].tensor, h);
        }
    }
}

static struct hash content_hash(const struct tcase *c)
{
    struct hasher h;
    hasher_init(&h);
    hasher_add_u64(&h, c->kind);
    case_subject(c)->hash(c, &h);
    add_inputs(c, &h);
    return hasher_done(&h);
}

void case_seal(struct tcase *c)
{
    struct hasher h;
    c->content = content_hash(c);
    hasher_init(&h);
    hasher_add(&h, c->content.bytes, sizeof c->content.bytes);
    hasher_add_u64(&h, c->lane);
    hasher_add_u64(&h, c->preserves_function);
    hasher_add_str(&h, str_of(c->from.generator));
    hasher_add_u64(&h, c->from.version);
    hasher_add_u64(&h, c->from.seed);
    hasher_add_u64(&h, c->from.index);
    hasher_add(&h, c->from.parent.bytes, sizeof c->from.parent.bytes);
    hasher_add_str(&h, c->from.edits);
    c->id = hasher_done(&h);
}
