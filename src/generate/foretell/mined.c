/*
 * Decides what statements of documents predict. Must not know how they were found, nor how calls
 * are run. Invariant: a statement that the seed contradicts predicts nothing.
 */
#include "generate/foretell/mined.h"

#include <math.h>

struct str situation_name(const struct situation *s, size_t at)
{
    const struct argument *x = &s->seed->arguments[at];
    if (x->name.n || !s->record)
        return x->name;
    size_t own = str_is(s->record->kind, "method");
    if (at < own)
        return STR("");
    at -= own;
    if (s->record->has_signature)
        return at < s->record->n_parameters && !s->record->parameters[at].is_variadic
                   ? s->record->parameters[at].name
                   : STR("");
    return s->documented && at < s->documented->n ? s->documented->at[at].name : STR("");
}

static const struct documented_parameter *documented_of(const struct situation *s, size_t at)
{
    return s->documented ? documented_parameter_find(s->documented, situation_name(s, at)) : NULL;
}

static void say_raises(struct prediction *out)
{
    *out = (struct prediction){.is_given = true, .is = OUTCOME_KIND_RAISED};
}

/* Kinds of values ------------------------------------------------------------------------------*/

static unsigned kind_of(const struct argument *x)
{
    static const unsigned kinds[] = {
        [ARGUMENT_NONE] = DOCUMENTED_NONE,     [ARGUMENT_BOOL] = DOCUMENTED_BOOL,
        [ARGUMENT_INT] = DOCUMENTED_INT,       [ARGUMENT_FLOAT] = DOCUMENTED_FLOAT,
        [ARGUMENT_COMPLEX] = DOCUMENTED_FLOAT, [ARGUMENT_WORD] = DOCUMENTED_TEXT,
        [ARGUMENT_DTYPE] = DOCUMENTED_DTYPE,   [ARGUMENT_LIST] = DOCUMENTED_LIST,
        [ARGUMENT_TENSOR] = DOCUMENTED_TENSOR,
    };
    return kinds[x->kind];
}

/* A text, or a fraction, where the document asks for something else. Other changes of kind are
 * left alone: frameworks make tensors of numbers and lists without saying so. */
void predict__types(const struct situation *s, struct prediction *out)
{
    size_t at = s->change->at;
    const struct documented_parameter *p = documented_of(s, at);
    enum change_kind change = s->change->kind;
    bool text =
        change == CHANGE_TEXT || change == CHANGE_TEXT_FLOAT || change == CHANGE_TEXT_TENSOR;
    if (!p || !(p->kinds & kind_of(&s->seed->arguments[at])))
        return;
    if (text && !(p->kinds & (DOCUMENTED_TEXT | DOCUMENTED_DTYPE)))
        say_raises(out);
    else if (change == CHANGE_FRACTION && !(p->kinds & (DOCUMENTED_FLOAT | DOCUMENTED_TENSOR)))
        say_raises(out);
    else if (change == CHANGE_WORD &&
             str_find(p->text, s->seed->arguments[at].value->string) < p->text.n)
        say_raises(out); /* the document names the words that it takes */
}

/* Element types --------------------------------------------------------------------------------*/

static bool is_argument(const struct situation *s, size_t at, struct str name)
{
    return name.n && str_eq(situation_name(s, at), name);
}

/* Must arguments i and k have the same element type? */
static bool tied(const struct situation *s, size_t i, size_t k)
{
    const struct documented_parameter *p = documented_of(s, i), *q = documented_of(s, k);
    return (p && is_argument(s, k, p->same_type)) || (q && is_argument(s, i, q->same_type));
}

static bool breaks_a_tie(const struct situation *s)
{
    size_t at = s->change->at;
    struct str old = argument_dtype(&s->seed->arguments[at]);
    for (size_t i = 0; i < s->seed->n_arguments; i++)
        if (i != at && tied(s, i, at) && str_eq(argument_dtype(&s->seed->arguments[i]), old))
            return true;
    return false;
}

/* The seed's result, in which the new type takes the place of the old one. */
static void say_works_as(const struct situation *s, struct str old, struct str new,
                         struct prediction *out)
{
    *out = (struct prediction){
        .is_given = true, .is = OUTCOME_KIND_OK, .n_leaves = s->seed->before.n_leaves};
    memcpy(out->leaves, s->seed->before.leaves, sizeof out->leaves);
    for (size_t i = 0; i < out->n_leaves; i++)
        if (str_eq(out->leaves[i].dtype, old))
            out->leaves[i].dtype = new;
}

/* A type that the document does not list, or that another argument would have to share: raises. A
 * listed one of the only tensor: works, and the result takes it if it had the old one. */
void predict__elements(const struct situation *s, struct prediction *out)
{
    size_t at = s->change->at;
    const struct documented_parameter *p = documented_of(s, at);
    struct str old = argument_dtype(&s->seed->arguments[at]);
    struct str new = argument_dtype(&s->changed->arguments[at]);
    if (s->change->kind != CHANGE_DTYPE)
        return;
    bool listed = p && p->n_dtypes && documented_dtypes_have(p, old);
    if (breaks_a_tie(s) || (listed && !documented_dtypes_have(p, new))) {
        say_raises(out);
        return;
    }
    if (listed && api_call_tensors(s->seed) == 1)
        say_works_as(s, old, new, out);
}

static bool declares(const struct json *types, struct str dtype)
{
    for (size_t i = 0; i < types->n; i++)
        if (str_eq(types->items[i].string, dtype))
            return true;
    return false;
}

/* As predict__elements, but the types are declared for the operator, so only the first tensor, to
 * which they apply, is looked at. */
void predict__declared(const struct situation *s, struct prediction *out)
{
    const struct json *types = s->seed->types;
    struct str old = argument_dtype(&s->seed->arguments[0]);
    struct str new = argument_dtype(&s->changed->arguments[0]);
    if (s->change->kind != CHANGE_DTYPE || s->change->at != 0 || !types || !declares(types, old))
        return;
    if (!declares(types, new))
        say_raises(out);
    else if (api_call_tensors(s->seed) == 1)
        say_works_as(s, old, new, out);
}

/* Ranges ---------------------------------------------------------------------------------------*/

/* A number outside the documented range: raises. */
void predict__ranges(const struct situation *s, struct prediction *out)
{
    size_t at = s->change->at;
    const struct documented_parameter *p = documented_of(s, at);
    double old, new;
    if (!p || !(p->has_low || p->has_high) || !argument_number(&s->seed->arguments[at], &old) ||
        !argument_number(&s->changed->arguments[at], &new))
        return;
    if (documented_range_has(p, old) && !documented_range_has(p, new))
        say_raises(out);
}

/* Shapes ---------------------------------------------------------------------------------------*/

static bool shape_is_tied(const struct situation *s, size_t at)
{
    struct leaf own, other;
    if (!argument_leaf(&s->seed->arguments[at], &own))
        return false;
    for (size_t i = 0; i < s->seed->n_arguments; i++) {
        const struct documented_parameter *p = documented_of(s, at), *q = documented_of(s, i);
        bool said =
            (p && is_argument(s, i, p->same_shape)) || (q && is_argument(s, at, q->same_shape));
        if (i == at || !said || !argument_leaf(&s->seed->arguments[i], &other))
            continue;
        other.dtype = own.dtype;
        if (leaf_equal(&own, &other))
            return true;
    }
    return false;
}

/* A rank other than the documented one, or a shape that another argument would have to share. */
void predict__ranks(const struct situation *s, struct prediction *out)
{
    size_t at = s->change->at;
    const struct documented_parameter *p = documented_of(s, at);
    struct leaf old, new;
    if (!argument_leaf(&s->seed->arguments[at], &old) ||
        !argument_leaf(&s->changed->arguments[at], &new))
        return;
    new.dtype = old.dtype;
    if (!leaf_equal(&old, &new) &&
        ((p && p->rank >= 0 && (unsigned)p->rank == old.rank && new.rank != old.rank) ||
         shape_is_tied(s, at)))
        say_raises(out);
}
