/*
 * The claim of a verdict about a tensor: one sentence for people with both sides of the comparison,
 * clear without context. Decides no verdict.
 */
#include "judge/claim_p.h"

#include "judge/judge_p.h"
#include "judge/normalise.h"

static void add_dims(const int64_t *dims, uint32_t rank, struct strbuf *out)
{
    strbuf_addc(out, '[');
    for (uint32_t i = 0; i < rank; i++)
        strbuf_printf(out, i ? ",%lld" : "%lld", (long long)dims[i]);
    strbuf_addc(out, ']');
}

/* A line that says where an error was raised, not why: OpenVINO writes one per layer that passed it
 * on. */
static bool is_place(struct str line)
{
    return str_starts(line, STR("Exception from ")) && str_ends(line, STR(":"));
}

struct str claim__refusal(struct judging *j, struct str message)
{
    enum { LENGTH_MAX = 300 };
    struct str rest = str_trim(message), after = rest, line;
    while (str_split(&after, '\n', &line) && is_place(str_trim(line)))
        rest = after;
    if (!rest.n) /* there are no other lines */
        rest = str_trim(message);
    struct str wrapped = normalise_wrapped(rest);
    rest = wrapped.n ? wrapped : rest;
    return str_of(arena_printf(j->a, "a valid %s is refused: " STR_FMT,
                               judge__model(j) ? "model" : "program",
                               STR_ARG(str_sub(rest, 0, LENGTH_MAX))));
}

struct str claim__bits(struct judging *j, double first, double second, const double *expected)
{
    const char *runs = "two runs of one session differ";
    return str_of(expected ? arena_printf(j->a, "%s: %.9g and %.9g; expected %.9g", runs, first,
                                          second, *expected)
                           : arena_printf(j->a, "%s: %.9g and %.9g", runs, first, second));
}

struct str claim__form(struct judging *j, struct str output, const struct tensor *seen,
                       const struct form *expected, const char *who)
{
    struct strbuf b = {0};
    strbuf_printf(&b, "output " STR_FMT " has ", STR_ARG(output));
    if (seen->dtype != expected->dtype) {
        strbuf_printf(&b, "the dtype %s, %s gives %s", dtype_name(seen->dtype), who,
                      dtype_name(expected->dtype));
    } else {
        strbuf_adds(&b, "the shape ");
        add_dims(seen->dims, seen->rank, &b);
        strbuf_printf(&b, ", %s gives ", who);
        add_dims(expected->dims, expected->rank, &b);
    }
    struct str text = strbuf_dup(&b, j->a);
    strbuf_done(&b);
    return text;
}

struct str claim__value(struct judging *j, const struct finding *f)
{
    if (f->wrong != WRONG_VALUE)
        return str_of(arena_printf(j->a, "expected %.9g, got %.9g at %zu element%s", f->expected,
                                   f->observed, f->n_unlike, f->n_unlike == 1 ? "" : "s"));
    if (f->threshold == 0)
        return str_of(arena_printf(j->a, "expected %.9g, got %.9g; nothing is rounded here",
                                   f->expected, f->observed));
    return str_of(arena_printf(
        j->a, "expected %.9g, got %.9g; relative error %.2e, rounding explains at most %.2e",
        f->expected, f->observed, f->measure, f->threshold));
}
