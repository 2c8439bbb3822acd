/*
 * Names of outcomes and targets. The table outcome.def only says whether the engine did its work;
 * judge/ decides whether an outcome is a defect.
 */
#include "case/observation.h"

static const struct {
    const char *name;
    bool failure;
} outcomes[OUTCOME_COUNT] = {
#define OUTCOME(id, name, failure, meaning) [OUTCOME_##id] = {name, failure},
#include "case/outcome.def"
#undef OUTCOME
};

const char *outcome_name(enum outcome o)
{
    return o < OUTCOME_COUNT ? outcomes[o].name : "unknown";
}

bool outcome_is_failure(enum outcome o)
{
    return o < OUTCOME_COUNT && outcomes[o].failure;
}

bool outcome_find(struct str name, enum outcome *out)
{
    for (unsigned i = 0; i < OUTCOME_COUNT; i++) {
        if (str_is(name, outcomes[i].name)) {
            *out = (enum outcome)i;
            return true;
        }
    }
    return false;
}

static const char *const raising_module_names[] = {
    [RAISED_BY_TEST] = "test",
    [RAISED_BY_FRAMEWORK] = "framework",
    [RAISED_BY_NATIVE] = "native",
    [RAISED_UNKNOWN] = "unknown",
};

const char *raising_module_name(enum raising_module m)
{
    return m < COUNT_OF(raising_module_names) ? raising_module_names[m] : "unknown";
}

bool raising_module_find(struct str name, enum raising_module *out)
{
    for (unsigned i = 0; i < COUNT_OF(raising_module_names); i++) {
        if (str_is(name, raising_module_names[i])) {
            *out = (enum raising_module)i;
            return true;
        }
    }
    return false;
}

static const char *const differs_names[DIFFERS_COUNT] = {
    [DIFFERS_NOT] = "",        [DIFFERS_VALUE] = "value", [DIFFERS_EXACT] = "exact",
    [DIFFERS_DTYPE] = "dtype", [DIFFERS_SHAPE] = "shape", [DIFFERS_STRUCTURE] = "structure",
};

const char *differs_name(enum differs d)
{
    return d < DIFFERS_COUNT ? differs_names[d] : "";
}

bool differs_find(struct str name, enum differs *out)
{
    for (unsigned i = 0; i < DIFFERS_COUNT; i++) {
        if (str_is(name, differs_names[i])) {
            *out = (enum differs)i;
            return true;
        }
    }
    return false;
}

bool target_id_eq(const struct target_id *a, const struct target_id *b)
{
    return str_eq(a->engine, b->engine) && str_eq(a->version, b->version) &&
           str_eq(a->mode, b->mode);
}

void target_id_print(const struct target_id *t, struct strbuf *out)
{
    strbuf_addstr(out, t->engine);
    if (t->version.n > 0) {
        strbuf_addc(out, '@');
        strbuf_addstr(out, t->version);
    }
    if (t->mode.n > 0) {
        strbuf_addc(out, '/');
        strbuf_addstr(out, t->mode);
    }
    if (t->n_threads > 1)
        strbuf_printf(out, " threads=%u", t->n_threads);
}
