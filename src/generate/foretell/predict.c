/*
 * Decides what each predictor says and how far it is trusted. Must not know how calls are run.
 * Invariant: a predictor sees the call, its seed's result and documents, never the real result of
 * the changed call.
 */
#include "generate/foretell/predict.h"

#include "base/hash.h"
#include "documents/schema.h"

enum { SMOOTHING = 1, PULL = 10, KEY_MAX = 96 };

/* Schemas -------------------------------------------------------------------------------------*/

static bool starts(struct str type, const char *prefix)
{
    return str_starts(type, str_of(prefix));
}

static bool is_list_type(struct str type)
{
    return str_find_byte(type, '[') < type.n;
}

static size_t n_elements(const struct argument *x)
{
    const struct json *shape = json_get(json_get(x->value, "tensor"), "shape");
    size_t n = 1;
    for (size_t i = 0; shape && i < shape->n; i++)
        n *= (size_t)shape->items[i].integer;
    return n;
}

/* Does the parameter's type take the argument? A list also takes one number, a number also a tensor
 * of one element. */
static bool takes(struct str type, const struct argument *x)
{
    bool optional = type.n && type.at[type.n - 1] == '?';
    bool number = starts(type, "Scalar") || starts(type, "float");
    bool integer = starts(type, "int") || starts(type, "SymInt");
    switch (x->kind) {
    case ARGUMENT_NONE:
        return optional;
    case ARGUMENT_BOOL:
        return starts(type, "bool") || number || integer;
    case ARGUMENT_INT:
        return (number || integer || starts(type, "ScalarType")) && !starts(type, "bool");
    case ARGUMENT_FLOAT:
        return number;
    case ARGUMENT_COMPLEX:
        return starts(type, "Scalar") && !starts(type, "ScalarType");
    case ARGUMENT_WORD:
        return starts(type, "str") || starts(type, "Device") || starts(type, "Dimname");
    case ARGUMENT_DTYPE:
        return starts(type, "ScalarType");
    case ARGUMENT_LIST:
        return is_list_type(type);
    case ARGUMENT_TENSOR:
        return (starts(type, "Tensor") && !is_list_type(type)) ||
               ((number || integer) && n_elements(x) == 1);
    }
    return false;
}

static bool schema_fits(const struct schema *s, const struct api_call *c)
{
    for (size_t i = 0; i < c->n_arguments; i++) {
        const struct argument *x = &c->arguments[i];
        size_t at = x->name.n ? 0 : i;
        while (x->name.n && at < s->n && !str_eq(s->at[at].name, x->name))
            at++;
        if (at >= s->n || (!x->name.n && at >= s->n_positional) || !takes(s->at[at].type, x))
            return false;
    }
    return true;
}

static bool some_schema_fits(const struct api_record *r, const struct api_call *c)
{
    for (size_t i = 0; i < r->n_schemas; i++) {
        struct schema s;
        schema_read(r->schemas[i], &s);
        if (!s.writes_out && schema_fits(&s, c))
            return true;
    }
    return false;
}

static void predict__schemas(const struct situation *s, struct prediction *out)
{
    if (!s->record || !some_schema_fits(s->record, s->seed) ||
        some_schema_fits(s->record, s->changed))
        return;
    out->is_given = true;
    out->is = OUTCOME_KIND_RAISED;
}

/* Texts and results before the change ----------------------------------------------------------*/

static bool says(struct str doc, const char *words)
{
    return str_find(doc, str_of(words)) < doc.n;
}

static bool is_elementwise(struct str doc)
{
    static const char *const words[] = {"elementwise", "element-wise", "each element of",
                                        "of the elements of", "same shape as"};
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (says(doc, words[i]))
            return true;
    return false;
}

static bool leaf_of(const struct argument *x, struct leaf *out)
{
    const struct json *t = json_get(x->value, "tensor"), *shape = json_get(t, "shape");
    if (!shape || shape->n > CALL_DIMS_MAX)
        return false;
    *out = (struct leaf){.dtype = json_get_str(t, "dtype", STR("")), .rank = (unsigned)shape->n};
    for (unsigned i = 0; i < out->rank; i++)
        out->dims[i] = (size_t)shape->items[i].integer;
    return true;
}

static bool same_leaf(const struct leaf *x, const struct leaf *y)
{
    return str_eq(x->dtype, y->dtype) && x->rank == y->rank &&
           memcmp(x->dims, y->dims, x->rank * sizeof x->dims[0]) == 0;
}

static struct str dtype_of(const struct argument *x)
{
    return json_get_str(json_get(x->value, "tensor"), "dtype", STR(""));
}

static size_t n_tensors(const struct api_call *c)
{
    size_t n = 0;
    for (size_t i = 0; i < c->n_arguments; i++)
        n += c->arguments[i].kind == ARGUMENT_TENSOR;
    return n;
}

/* If the seed's only result has the shape of its only tensor, so has the changed call's. */
static void predict__elementwise(const struct situation *s, struct prediction *out)
{
    struct leaf old, new;
    size_t at = s->change->at;
    if (!s->record || !is_elementwise(s->record->doc) || n_tensors(s->seed) != 1 ||
        s->changed->arguments[at].kind != ARGUMENT_TENSOR || s->seed->before.n_leaves != 1 ||
        !leaf_of(&s->seed->arguments[at], &old) || !leaf_of(&s->changed->arguments[at], &new))
        return;
    const struct leaf *result = &s->seed->before.leaves[0];
    old.dtype = result->dtype;
    if (!same_leaf(&old, result))
        return;
    bool kept =
        str_eq(json_get_str(json_get(s->seed->arguments[at].value, "tensor"), "dtype", STR("")),
               result->dtype);
    *out = (struct prediction){.is_given = true, .is = OUTCOME_KIND_OK, .n_leaves = 1};
    out->leaves[0] = new;
    if (!kept)
        out->leaves[0].dtype = result->dtype;
}

static void follow_dtype(const struct situation *s, struct prediction *out)
{
    size_t at = s->change->at;
    struct str old = dtype_of(&s->seed->arguments[at]), new = dtype_of(&s->changed->arguments[at]);
    if (n_tensors(s->seed) != 1) {
        out->is_given = false;
        return;
    }
    for (size_t i = 0; i < out->n_leaves; i++)
        if (str_eq(out->leaves[i].dtype, old))
            out->leaves[i].dtype = new;
}

/* The shape stays after a change of a number or truth value whose name is not that of a size or
 * axis, or of a tensor's dtype, which the result takes if it had the old one. */
static void predict__before(const struct situation *s, struct prediction *out)
{
    static const char *const sizes[] = {"dim", "keepdim", "k", "n", "size", "dims", "axis"};
    struct str name = s->seed->arguments[s->change->at].name;
    enum change_kind kind = s->change->kind;
    if (kind != CHANGE_FLOAT && kind != CHANGE_BOOL && kind != CHANGE_INT && kind != CHANGE_DTYPE)
        return;
    for (size_t i = 0; i < COUNT_OF(sizes); i++)
        if (str_is(name, sizes[i]))
            return;
    *out = (struct prediction){
        .is_given = true, .is = OUTCOME_KIND_OK, .n_leaves = s->seed->before.n_leaves};
    memcpy(out->leaves, s->seed->before.leaves, sizeof out->leaves);
    if (kind == CHANGE_DTYPE)
        follow_dtype(s, out);
}

static void predict__fake(const struct situation *s, struct prediction *out)
{
    if (!s->fake || s->fake->is == OUTCOME_KIND_ABSTAINS || s->fake->is == OUTCOME_KIND_DIED)
        return;
    *out = (struct prediction){.is_given = true, .is = s->fake->is, .n_leaves = s->fake->n_leaves};
    memcpy(out->leaves, s->fake->leaves, sizeof out->leaves);
}

/* All of them ----------------------------------------------------------------------------------*/

struct predictor_row {
    const char *name;
    unsigned column;
    void (*predict)(const struct situation *s, struct prediction *out);
};

static const struct predictor_row rows[] = {
#define PREDICTOR(id, column, function, help) {#id, COLUMN_##column, function},
#include "generate/foretell/predictor.def"
#undef PREDICTOR
};

const char *predictor_name(enum predictor p)
{
    return rows[p].name;
}

unsigned predictor_column(enum predictor p)
{
    return rows[p].column;
}

void predict_all(const struct situation *s, struct prediction out[PREDICTOR_COUNT])
{
    for (size_t i = 0; i < PREDICTOR_COUNT; i++) {
        out[i] = (struct prediction){0};
        rows[i].predict(s, &out[i]);
    }
}

bool prediction_is_right(const struct prediction *p, const struct call_outcome *real)
{
    if (p->is != OUTCOME_KIND_OK || real->is != OUTCOME_KIND_OK)
        return p->is == OUTCOME_KIND_RAISED && real->is == OUTCOME_KIND_RAISED;
    if (p->n_leaves != real->n_leaves)
        return false;
    for (size_t i = 0; i < p->n_leaves; i++)
        if (!same_leaf(&p->leaves[i], &real->leaves[i]))
            return false;
    return true;
}

/* Distinguishes situations within one kind of change: by the new dtype or value, and by whether
 * another predictor of the columns contradicts (-), agrees (+) or all abstain (blank). */
static struct str fine_key(const struct situation *s, const struct prediction *all, unsigned own,
                           unsigned columns, char *buffer, size_t size)
{
    const struct json *t = json_get(s->changed->arguments[s->change->at].value, "tensor");
    struct str value = t ? json_get_str(t, "dtype", STR("")) : str_sub(s->change->text, 0, 16);
    char others = ' ';
    for (unsigned i = 0; i < PREDICTOR_COUNT; i++)
        if (i != own && all[i].is_given && (rows[i].column & columns))
            others = all[i].is == all[own].is && others != '-' ? '+' : '-';
    int n = snprintf(buffer, size, "%u %u %u %u %c " STR_FMT, own, (unsigned)s->change->kind,
                     (unsigned)(all[own].is == OUTCOME_KIND_OK), columns, others, STR_ARG(value));
    return (struct str){buffer, MIN((size_t)n, size - 1)};
}

void calibration_add(struct calibration *c, const struct situation *s, const struct prediction *all,
                     const struct call_outcome *real, struct arena *a)
{
    static const unsigned columns[] = {COLUMN_DOCUMENTS, COLUMN_DOCUMENTS | COLUMN_FAKE};
    for (unsigned i = 0; i < PREDICTOR_COUNT; i++) {
        char buffer[KEY_MAX];
        if (!all[i].is_given)
            continue;
        unsigned said = all[i].is == OUTCOME_KIND_OK;
        bool right = prediction_is_right(&all[i], real);
        c->n[i][s->change->kind][said]++;
        c->right[i][s->change->kind][said] += right;
        for (size_t k = 0; k < COUNT_OF(columns); k++) {
            struct str key = fine_key(s, all, i, columns[k], buffer, sizeof buffer);
            ++*map_at(&c->fine_n, a, key, NULL);
            *map_at(&c->fine_right, a, key, NULL) += right;
        }
    }
}

static double count_of(const struct map *m, struct str key)
{
    const uint64_t *n = map_get(m, key);
    return n ? (double)*n : 0;
}

double calibration_best(const struct calibration *c, const struct situation *s,
                        const struct prediction *all, unsigned columns, enum predictor *which)
{
    double best = 0;
    for (unsigned i = 0; i < PREDICTOR_COUNT; i++) {
        char buffer[KEY_MAX];
        if (!all[i].is_given || !(rows[i].column & columns))
            continue;
        unsigned said = all[i].is == OUTCOME_KIND_OK;
        double n = (double)c->n[i][s->change->kind][said];
        double coarse =
            ((double)c->right[i][s->change->kind][said] + SMOOTHING) / (n + 2.0 * SMOOTHING);
        struct str key = fine_key(s, all, i, columns, buffer, sizeof buffer);
        double reliability =
            (count_of(&c->fine_right, key) + PULL * coarse) / (count_of(&c->fine_n, key) + PULL);
        if (reliability > best) {
            best = reliability;
            *which = (enum predictor)i;
        }
    }
    return best;
}

unsigned predict_half(struct str op)
{
    struct hash h = hash_of(op.at, op.n);
    return h.bytes[0] & 1;
}
