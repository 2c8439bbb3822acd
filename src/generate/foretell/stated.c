/*
 * Decides what a document says of a call as it stands. Must not know what calls do, nor which
 * statements others doubt. Invariant: an argument that the document does not describe breaks
 * nothing.
 */
#include "generate/foretell/stated.h"

#include "generate/foretell/mined.h"
#include "generate/foretell/predict.h"

const char *stated_reason_name(enum stated_reason r)
{
    static const char *const names[] = {
#define STATED(id, help) help,
#include "generate/foretell/stated.def"
#undef STATED
    };
    return names[r];
}

static void say(struct stated *out, bool keeps, enum stated_reason reason)
{
    if (keeps)
        out->n_kept++;
    else
        out->reasons |= 1u << reason;
}

/* The signature ---------------------------------------------------------------------------------*/

static bool has_variadic(const struct api_record *r)
{
    for (size_t i = 0; i < r->n_parameters; i++)
        if (r->parameters[i].is_variadic)
            return true;
    return false;
}

static size_t parameter_at(const struct api_record *r, struct str name)
{
    size_t i = 0;
    while (i < r->n_parameters && !str_eq(r->parameters[i].name, name))
        i++;
    return i;
}

/* Names, and how many arguments there are; of a class these are the constructor's. */
static void check_signature(const struct api_record *r, const struct api_call *c,
                            struct stated *out)
{
    bool given[CALL_ARGUMENTS_MAX + 1] = {0};
    size_t own = str_is(r->kind, "method"), n = 0;
    if (!r->has_signature || has_variadic(r) || r->n_parameters > CALL_ARGUMENTS_MAX)
        return;
    for (size_t i = 0; i < c->n_arguments; i++) {
        const struct argument *x = &c->arguments[i];
        if (!x->name.n && (i < own || (c->is_class && i >= c->n_made)))
            continue;
        size_t at = x->name.n ? parameter_at(r, x->name) : n++;
        if (at >= r->n_parameters)
            say(out, false, x->name.n ? STATED_NAME : STATED_MANY);
        else
            given[at] = true;
    }
    for (size_t i = 0; i < r->n_parameters; i++)
        if (!given[i] && !r->parameters[i].has_default)
            say(out, false, STATED_FEW);
}

/* Arguments -------------------------------------------------------------------------------------*/

static void check_kind(const struct documented_parameter *p, const struct argument *x,
                       struct stated *out)
{
    const unsigned texts = DOCUMENTED_TEXT | DOCUMENTED_DTYPE;
    if (p->kinds && x->kind == ARGUMENT_WORD)
        say(out, (p->kinds & texts) != 0, STATED_KIND);
    else if (p->kinds && x->kind == ARGUMENT_FLOAT)
        say(out, (p->kinds & (DOCUMENTED_FLOAT | DOCUMENTED_TENSOR)) != 0, STATED_KIND);
    else if (x->kind == ARGUMENT_TENSOR && (p->kinds & DOCUMENTED_TENSOR))
        out->n_kept++;
}

static void check_tensor(const struct documented_parameter *p, const struct argument *x,
                         struct stated *out)
{
    struct leaf leaf;
    if (!argument_leaf(x, &leaf))
        return;
    if (p->n_dtypes)
        say(out, documented_dtypes_have(p, leaf.dtype), STATED_ELEMENTS);
    if (p->rank >= 0)
        say(out, (unsigned)p->rank == leaf.rank, STATED_RANK);
}

static void check_argument(const struct documented_parameter *p, const struct argument *x,
                           struct stated *out)
{
    double number;
    check_kind(p, x, out);
    check_tensor(p, x, out);
    if ((p->has_low || p->has_high) && argument_number(x, &number))
        say(out, documented_range_has(p, number), STATED_RANGE);
}

/* The call with its trailing integers as one list: torch.zeros(2, 3) is torch.zeros([2, 3]). */
static bool as_list(const struct api_call *c, struct api_call *out)
{
    size_t n = c->n_arguments, from, behind;
    *out = *c;
    while (n && c->arguments[n - 1].name.n)
        n--;
    behind = from = n;
    while (from && c->arguments[from - 1].kind == ARGUMENT_INT)
        from--;
    if (from == behind)
        return false;
    out->arguments[from].kind = ARGUMENT_LIST;
    memmove(&out->arguments[from + 1], &c->arguments[behind],
            (c->n_arguments - behind) * sizeof c->arguments[0]);
    out->n_arguments = from + 1 + c->n_arguments - behind;
    return true;
}

/* Overloads that write into `out` are not among those that are looked at. */
static void check_overloads(const struct api_record *r, const struct api_call *c,
                            struct stated *out)
{
    struct api_call listed;
    for (size_t i = 0; i < c->n_arguments; i++)
        if (str_is(c->arguments[i].name, "out"))
            return;
    if (predict_has_overloads(r))
        say(out, predict_takes(r, c) || (as_list(c, &listed) && predict_takes(r, &listed)),
            STATED_SCHEMAS);
}

struct stated stated_of(const struct api_record *r, const struct documented_parameters *documented,
                        const struct api_call *call)
{
    struct stated out = {0};
    const struct situation s = {
        .record = r, .seed = call, .changed = call, .documented = documented};
    check_signature(r, call, &out);
    check_overloads(r, call, &out);
    for (size_t i = 0; i < call->n_arguments; i++) {
        const struct documented_parameter *p =
            documented_parameter_find(documented, situation_name(&s, i));
        if (p && !(call->is_class && i >= call->n_made && !call->arguments[i].name.n))
            check_argument(p, &call->arguments[i], &out);
    }
    return out;
}
