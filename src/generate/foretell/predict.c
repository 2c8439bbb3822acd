/*
 * Decides what each predictor says and how far it is trusted. Must not know how calls are run.
 * Invariant: a predictor sees the call, its seed's result and documents, never the real result of
 * the changed call.
 */
#include "generate/foretell/predict.h"

#include <stdarg.h>

#include "base/compiler.h"
#include "base/hash.h"
#include "documents/schema.h"
#include "generate/foretell/constraints.h"
#include "generate/foretell/mined.h"

enum { FEATURE_MAX = 112 };

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

bool predict_takes(const struct api_record *r, const struct api_call *c)
{
    for (size_t i = 0; i < r->n_schemas; i++) {
        struct schema s;
        schema_read(r->schemas[i], &s);
        if (!s.writes_out && schema_fits(&s, c))
            return true;
    }
    return false;
}

bool predict_has_overloads(const struct api_record *r)
{
    for (size_t i = 0; i < r->n_schemas; i++) {
        struct schema s;
        schema_read(r->schemas[i], &s);
        if (!s.writes_out && s.n)
            return true;
    }
    return false;
}

static void predict__schemas(const struct situation *s, struct prediction *out)
{
    if (!s->record || !predict_takes(s->record, s->seed) || predict_takes(s->record, s->changed))
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

static bool same_shape(const struct leaf *x, struct leaf y)
{
    y.dtype = x->dtype;
    return leaf_equal(x, &y);
}

/* The element type in which the call takes an argument of this one. Keras, except on TensorFlow,
 * computes 64 bits in 32 (keras.backend.result_type), and its layers all floats in their own type
 * (keras.layers.Layer, autocast). */
static struct str taken_as(const struct situation *s, struct str dtype)
{
    static const char *const rows[][2] = {{"float64", "float32"},
                                          {"int64", "int32"},
                                          {"uint64", "uint32"},
                                          {"complex128", "complex64"}};
    if (!str_starts(s->seed->symbol, STR("keras.")))
        return dtype;
    if (s->seed->is_class && s->change->at >= s->seed->n_made &&
        (str_is(dtype, "float16") || str_is(dtype, "bfloat16")))
        return STR("float32");
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (str_is(dtype, rows[i][0]))
            return str_of(rows[i][1]);
    return dtype;
}

/* Puts the shape to which all tensors of the call are broadcast into `out`, without its dtype.
 * False: there is none, which *clash tells from no tensors or too many dimensions. */
static bool broadcast(const struct api_call *c, struct leaf *out, bool *clash)
{
    struct leaf x;
    *out = (struct leaf){.rank = 0};
    *clash = false;
    for (size_t i = 0; i < c->n_arguments; i++) {
        if (c->arguments[i].kind != ARGUMENT_TENSOR)
            continue;
        if (!argument_leaf(&c->arguments[i], &x))
            return false;
        unsigned shift = x.rank > out->rank ? x.rank - out->rank : 0;
        memmove(out->dims + shift, out->dims, out->rank * sizeof out->dims[0]);
        for (unsigned k = 0; k < shift; k++)
            out->dims[k] = 1;
        out->rank += shift;
        for (unsigned k = 0; k < x.rank; k++) {
            size_t *dim = &out->dims[out->rank - x.rank + k];
            *clash = *clash || (*dim != x.dims[k] && *dim != 1 && x.dims[k] != 1);
            *dim = *dim == 1 ? x.dims[k] : *dim;
        }
    }
    return !*clash;
}

/* Does the call write its result into its first tensor, which the result does not fit any more?
 * Torch: in-place operations do not broadcast the tensor that they write. A seed that changes the
 * shape (unsqueeze_) says nothing. */
static bool outgrows(const struct situation *s, const struct prediction *told)
{
    struct leaf before, now;
    return str_ends(s->seed->symbol, STR("_")) && told->is == OUTCOME_KIND_OK &&
           told->n_leaves == 1 && s->seed->before.n_leaves == 1 &&
           argument_leaf(&s->seed->arguments[0], &before) &&
           argument_leaf(&s->changed->arguments[0], &now) &&
           same_shape(&s->seed->before.leaves[0], before) && !same_shape(&told->leaves[0], now);
}

/* If the seed's only result has the shape to which its tensors are broadcast, so has the changed
 * call's; tensors that cannot be broadcast raise. */
static void predict__elementwise(const struct situation *s, struct prediction *out)
{
    struct leaf old, new;
    size_t at = s->change->at, n = api_call_tensors(s->seed);
    const struct leaf *result = &s->seed->before.leaves[0];
    bool clash, retyped = s->change->kind == CHANGE_DTYPE;
    if (!s->record || !is_elementwise(s->record->doc) || !n || (retyped && n > 1) ||
        s->changed->arguments[at].kind != ARGUMENT_TENSOR || s->seed->before.n_leaves != 1 ||
        !broadcast(s->seed, &old, &clash) || !same_shape(&old, *result))
        return;
    bool fits = broadcast(s->changed, &new, &clash);
    if (!fits && !clash)
        return;
    *out = (struct prediction){.is_given = true, .is = OUTCOME_KIND_RAISED};
    if (clash)
        return;
    out->is = OUTCOME_KIND_OK;
    out->n_leaves = 1;
    out->leaves[0] = new;
    out->leaves[0].dtype = result->dtype;
    if (retyped && str_eq(argument_dtype(&s->seed->arguments[at]), result->dtype))
        out->leaves[0].dtype = taken_as(s, argument_dtype(&s->changed->arguments[at]));
    if (outgrows(s, out))
        *out = (struct prediction){.is_given = true, .is = OUTCOME_KIND_RAISED};
}

static void follow_dtype(const struct situation *s, struct prediction *out)
{
    size_t at = s->change->at;
    struct str old = argument_dtype(&s->seed->arguments[at]),
               new = taken_as(s, argument_dtype(&s->changed->arguments[at]));
    if (api_call_tensors(s->seed) != 1) {
        out->is_given = false;
        return;
    }
    for (size_t i = 0; i < out->n_leaves; i++)
        if (str_eq(out->leaves[i].dtype, old))
            out->leaves[i].dtype = new;
}

/* The shape stays after a change of a fraction, of a truth value other than keepdim, or of a
 * tensor's dtype, which the result takes if it had the old one. An integer is a size too often. */
static void predict__before(const struct situation *s, struct prediction *out)
{
    struct str name = situation_name(s, s->change->at);
    enum change_kind kind = s->change->kind;
    if ((kind != CHANGE_FLOAT && kind != CHANGE_BOOL && kind != CHANGE_DTYPE) ||
        str_starts(name, STR("keepdim")))
        return;
    *out = (struct prediction){
        .is_given = true, .is = OUTCOME_KIND_OK, .n_leaves = s->seed->before.n_leaves};
    memcpy(out->leaves, s->seed->before.leaves, sizeof out->leaves);
    if (kind == CHANGE_DTYPE)
        follow_dtype(s, out);
}

static void predict_from(const struct call_outcome *o, struct prediction *out)
{
    if (!o || (o->is != OUTCOME_KIND_OK && o->is != OUTCOME_KIND_RAISED))
        return;
    *out = (struct prediction){.is_given = true, .is = o->is, .n_leaves = o->n_leaves};
    memcpy(out->leaves, o->leaves, sizeof out->leaves);
}

static void predict_abstract(const struct situation *s, const char *how, struct prediction *out)
{
    if (str_is(s->how, how))
        predict_from(s->abstract, out);
}

static void predict__fake(const struct situation *s, struct prediction *out)
{
    predict_abstract(s, "fake", out);
    if (out->is_given && outgrows(s, out))
        *out = (struct prediction){.is_given = true, .is = OUTCOME_KIND_RAISED};
}

static void predict__standard(const struct situation *s, struct prediction *out)
{
    predict_abstract(s, "model", out);
}

static void predict__traced(const struct situation *s, struct prediction *out)
{
    predict_abstract(s, "traced", out);
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
        if (!leaf_equal(&p->leaves[i], &real->leaves[i]))
            return false;
    return true;
}

/* Confidence -----------------------------------------------------------------------------------*/

struct features {
    char text[FEATURES_MAX][FEATURE_MAX];
    struct str at[FEATURES_MAX];
    size_t n;
};

PRINTF_LIKE(2, 3)
static void add_feature(struct features *f, const char *format, ...)
{
    va_list args;
    if (f->n == FEATURES_MAX)
        return;
    va_start(args, format);
    int n = vsnprintf(f->text[f->n], FEATURE_MAX, format, args);
    va_end(args);
    f->at[f->n] = (struct str){f->text[f->n], MIN((size_t)n, FEATURE_MAX - 1)};
    f->n++;
}

/* What the other predictors of the columns say: '+' works, '-' raises, '~' works otherwise. */
static void others_of(const struct prediction *all, unsigned own, unsigned columns, char *out)
{
    for (unsigned i = 0; i < PREDICTOR_COUNT; i++) {
        struct call_outcome said = {.is = all[own].is, .n_leaves = all[own].n_leaves};
        memcpy(said.leaves, all[own].leaves, sizeof said.leaves);
        bool given = all[i].is_given && (rows[i].column & columns);
        out[i] = !given                                ? '.'
                 : all[i].is == OUTCOME_KIND_RAISED    ? '-'
                 : prediction_is_right(&all[i], &said) ? '+'
                                                       : '~';
    }
    out[PREDICTOR_COUNT] = 0;
}

static struct str module_of(struct str symbol)
{
    size_t at = symbol.n;
    while (at && symbol.at[at - 1] != '.')
        at--;
    return str_sub(symbol, 0, at);
}

/* Was the abstract run right about the seed, whose outcome is known ('=')? One that raises ('-') or
 * gives something else ('~') does not compute what the call does. '.': it said nothing. */
static char about_seed(const struct situation *s)
{
    struct call_outcome works = s->seed->before;
    struct prediction told = {0};
    works.is = OUTCOME_KIND_OK;
    predict_from(s->seed_abstract, &told);
    return !told.is_given                       ? '.'
           : told.is == OUTCOME_KIND_RAISED     ? '-'
           : prediction_is_right(&told, &works) ? '='
                                                : '~';
}

static struct str first_words(struct str text, int most)
{
    size_t n = 0;
    for (int k = 0; k < most && n < text.n; k++)
        n += str_find_byte(str_sub(text, n, text.n), ' ') + 1;
    return str_sub(text, 0, n);
}

/* What the prediction changes of the seed's result: "raises", "number", or of dtype and shape. */
static const char *changes_what(const struct prediction *p, const struct call_outcome *before)
{
    bool dtype = false, shape = false;
    if (p->is == OUTCOME_KIND_RAISED)
        return "raises";
    if (p->n_leaves != before->n_leaves)
        return "number";
    for (size_t i = 0; i < p->n_leaves; i++) {
        dtype = dtype || !str_eq(p->leaves[i].dtype, before->leaves[i].dtype);
        shape = shape || !same_shape(&p->leaves[i], before->leaves[i]);
    }
    return dtype && shape ? "dtype shape" : dtype ? "dtype" : shape ? "shape" : "nothing";
}

static void add_abstract(const struct situation *s, const char *base, const char *said,
                         struct str value, struct features *f)
{
    char seed = about_seed(s);
    add_feature(f, "D %s %c", said, seed);
    add_feature(f, "E %s %c", base, seed);
    add_feature(f, "F %s %c " STR_FMT, base, seed, STR_ARG(value));
    if (s->abstract->is == OUTCOME_KIND_ABSTAINS)
        add_feature(f, "G %s " STR_FMT, base, STR_ARG(first_words(s->abstract->message, 3)));
}

/* What the abstract run raised: how it is checked tells how far it is trusted. */
static void add_raised(const struct situation *s, const char *base, struct features *f)
{
    add_feature(f, "r %s " STR_FMT, base, STR_ARG(s->abstract->type));
    add_feature(f, "s %s " STR_FMT " " STR_FMT, base, STR_ARG(s->abstract->type),
                STR_ARG(first_words(s->abstract->message, 3)));
}

/* Words of the operator's name, which related operators share: "max_pool2d", "avg_pool2d". */
static void add_words(const struct situation *s, const char *base, struct str value,
                      struct features *f)
{
    struct str rest = s->seed->op, word;
    for (int k = 0; k < 3 && rest.n && str_split(&rest, '_', &word); k++)
        add_feature(f, "t %s " STR_FMT " " STR_FMT, base, STR_ARG(value), STR_ARG(word));
}

static bool is_kernel(const struct json *j)
{
    for (size_t i = 0; i < j->n; i++)
        if (j->kind != JSON_KIND_ARRAY || j->items[i].kind != JSON_KIND_STRING)
            return false;
    return j->n > 0;
}

static struct str type_given(const struct json *kernel, size_t at)
{
    return at < kernel->n ? kernel->items[at].string : STR("");
}

/* Was it given tensors of more than one element type? */
static bool mixes_types(const struct json *kernel)
{
    for (size_t i = 2; i < kernel->n; i++)
        if (!str_eq(kernel->items[i].string, kernel->items[1].string))
            return true;
    return false;
}

/* What the abstract run called, which operators of different names share. A kernel is trusted as
 * far as its abstract form checks what the real one does. */
static void add_kernels(const struct situation *s, const char *base, const char *said,
                        struct features *f)
{
    const struct json *all = s->abstract->kernels;
    bool any = false;
    for (size_t i = 0; all && all->kind == JSON_KIND_ARRAY && i < all->n; i++) {
        const struct json *k = &all->items[i];
        if (!is_kernel(k))
            continue;
        struct str name = k->items[0].string;
        bool mixed = mixes_types(k);
        add_feature(f, "u %s " STR_FMT, base, STR_ARG(name));
        add_feature(f, "v %s " STR_FMT " " STR_FMT " " STR_FMT " " STR_FMT, base, STR_ARG(name),
                    STR_ARG(type_given(k, 1)), STR_ARG(type_given(k, 2)),
                    STR_ARG(type_given(k, 3)));
        add_feature(f, "w %s " STR_FMT, said, STR_ARG(name));
        add_feature(f, "x %s " STR_FMT " %d", said, STR_ARG(name), mixed);
        if (mixed)
            add_feature(f, "y %s " STR_FMT, base, STR_ARG(name));
        any = any || mixed;
    }
    if (any)
        add_feature(f, "z %s", base);
}

/* What is odd about the tensors that kernels were given: "undeclared mixes". */
static void add_marks(const struct situation *s, const char *base, const char *said,
                      struct str value, struct features *f)
{
    const struct json *all = s->abstract->marks;
    char text[FEATURE_MAX] = "";
    size_t n = 0;
    for (size_t i = 0; all && all->kind == JSON_KIND_ARRAY && i < all->n; i++)
        if (all->items[i].kind == JSON_KIND_STRING && n < sizeof text)
            n += (size_t)snprintf(text + n, sizeof text - n, " " STR_FMT,
                                  STR_ARG(all->items[i].string));
    add_feature(f, "A %s%.40s", said, text);
    add_feature(f, "B %s%.40s", base, text);
    add_feature(f, "C %s%.40s " STR_FMT, base, text, STR_ARG(value));
}

/* The situation without the operator's name, from coarse to fine; what it has in common with those
 * of other operators. */
static void features_of(const struct situation *s, const struct prediction *all, unsigned own,
                        unsigned columns, struct features *f)
{
    const struct argument *x = &s->changed->arguments[s->change->at];
    struct str new = argument_dtype(x), module = module_of(s->seed->symbol);
    struct str name = situation_name(s, s->change->at);
    struct str result = s->seed->before.n_leaves ? s->seed->before.leaves[0].dtype : STR("");
    struct str old = argument_dtype(&s->seed->arguments[s->change->at]);
    bool says_ok = all[own].is == OUTCOME_KIND_OK;
    char base[16], said[16], others[PREDICTOR_COUNT + 1];
    struct str value = new.n ? new : str_sub(s->change->text, 0, 16);
    others_of(all, own, columns, others);
    snprintf(base, sizeof base, "%u %u %u", own, (unsigned)s->change->kind, (unsigned)says_ok);
    snprintf(said, sizeof said, "%u %u", own, (unsigned)says_ok);
    f->n = 0;
    add_feature(f, "a %s", said);
    add_feature(f, "b %s", base);
    add_feature(f, "c %s %s", base, others);
    add_feature(f, "d %s " STR_FMT, base, STR_ARG(value));
    add_feature(f, "e %s " STR_FMT, base, STR_ARG(module));
    add_feature(f, "f %s " STR_FMT " " STR_FMT, base, STR_ARG(value), STR_ARG(module));
    add_feature(f, "g %s " STR_FMT " " STR_FMT " " STR_FMT, base, STR_ARG(value), STR_ARG(old),
                STR_ARG(result));
    add_feature(f, "h %s " STR_FMT, base, STR_ARG(name));
    add_feature(f, "i %s %zu %zu", base, s->change->at, api_call_tensors(s->seed));
    add_feature(f, "j %s " STR_FMT " %zu", base, STR_ARG(value), api_call_tensors(s->seed));
    add_feature(f, "k %s " STR_FMT " %d", base, STR_ARG(value),
                s->record && is_elementwise(s->record->doc));
    add_feature(f, "l %s %d " STR_FMT, base, str_ends(s->seed->symbol, STR("_")), STR_ARG(value));
    if (says_ok && all[own].n_leaves)
        add_feature(f, "m %s " STR_FMT " " STR_FMT, base, STR_ARG(value),
                    STR_ARG(all[own].leaves[0].dtype));
    add_feature(f, "n %s %s " STR_FMT, base, others, STR_ARG(value));
    if (says_ok && all[own].n_leaves)
        add_feature(f, "o %s " STR_FMT " " STR_FMT " " STR_FMT, base, STR_ARG(value),
                    STR_ARG(result), STR_ARG(all[own].leaves[0].dtype));
    struct leaf before, now;
    if (argument_leaf(&s->seed->arguments[s->change->at], &before) && argument_leaf(x, &now))
        add_feature(f, "p %s %u %u", base, before.rank, now.rank);
    add_feature(f, "q %s %d %zu", base, s->seed->is_class, s->seed->n_arguments);
    add_words(s, base, value, f);
    add_feature(f, "H %s %s", base, changes_what(&all[own], &s->seed->before));
    unsigned needed = str_is(s->how, "traced") ? COLUMN_TRACED : COLUMN_FAKE;
    if (!(columns & needed) || !s->abstract)
        return;
    if (!says_ok && s->abstract->is == OUTCOME_KIND_RAISED)
        add_raised(s, base, f);
    add_abstract(s, base, said, value, f);
    add_marks(s, base, said, value, f);
    add_kernels(s, base, said, f);
}

static const unsigned column_sets[] = {COLUMN_DOCUMENTS, COLUMN_DOCUMENTS | COLUMN_FAKE,
                                       COLUMN_DOCUMENTS | COLUMN_FAKE | COLUMN_TRACED};

static size_t set_of(unsigned columns)
{
    size_t at = 0;
    while (at + 1 < COUNT_OF(column_sets) && column_sets[at] != columns)
        at++;
    return at;
}

void calibration_add(struct calibration *c, const struct situation *s, const struct prediction *all,
                     const struct call_outcome *real, struct arena *a)
{
    struct hash fold = hash_of(s->seed->op.at, s->seed->op.n);
    for (unsigned i = 0; i < PREDICTOR_COUNT; i++) {
        if (!all[i].is_given)
            continue;
        bool right = prediction_is_right(&all[i], real);
        unsigned said = all[i].is == OUTCOME_KIND_OK;
        c->n[i][s->change->kind][said]++;
        c->right[i][s->change->kind][said] += right;
        for (size_t k = 0; k < COUNT_OF(column_sets); k++) {
            struct features f;
            if (!(rows[i].column & column_sets[k]))
                continue;
            features_of(s, all, i, column_sets[k], &f);
            confidence_add(&c->of[k], f.at, f.n, right, fold.bytes[1] & 1, a);
        }
    }
}

void calibration_fit(struct calibration *c, struct arena *a)
{
    for (size_t k = 0; k < COUNT_OF(column_sets); k++)
        confidence_fit(&c->of[k], a);
}

double calibration_best(const struct calibration *c, const struct situation *s,
                        const struct prediction *all, unsigned columns, enum predictor *which)
{
    double best = 0;
    for (unsigned i = 0; i < PREDICTOR_COUNT; i++) {
        struct features f;
        if (!all[i].is_given || !(rows[i].column & columns))
            continue;
        features_of(s, all, i, columns, &f);
        double sure = confidence_of(&c->of[set_of(columns)], f.at, f.n);
        if (sure > best) {
            best = sure;
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
