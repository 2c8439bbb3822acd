/* The oracles by name, and the reasons why a difference may be no bug. Must not know how an oracle
 * decides: judge.c holds their functions. */
#include "judge/judge.h"

static const struct {
    const char *name, *help;
    bool is_default;
    enum against against;
} oracles[ORACLE_COUNT] = {
#define ORACLE(id, name, is_default, against, run, help)                                           \
    {name, help, is_default, AGAINST_##against},
#include "judge/oracles.def"
#undef ORACLE
};

static const struct against_row against[AGAINST_COUNT] = {
#define AGAINST(id, is_proof, expected, observed, source) {is_proof, expected, observed, source},
#include "judge/against.def"
#undef AGAINST
};

static const struct {
    const char *name, *meaning;
} not_bugs[NOT_BUG_COUNT] = {
#define NOT_BUG(id, name, meaning) {name, meaning},
#include "judge/not_bug.def"
#undef NOT_BUG
};

const char *oracle_name(enum oracle o)
{
    return o < ORACLE_COUNT ? oracles[o].name : "unknown";
}

const char *oracle_help(enum oracle o)
{
    return o < ORACLE_COUNT ? oracles[o].help : "";
}

bool oracle_find(struct str name, enum oracle *out)
{
    for (unsigned i = 0; i < ORACLE_COUNT; i++) {
        if (str_is(name, oracles[i].name)) {
            *out = (enum oracle)i;
            return true;
        }
    }
    return false;
}

uint32_t oracle_defaults(void)
{
    uint32_t set = 0;
    for (unsigned i = 0; i < ORACLE_COUNT; i++)
        if (oracles[i].is_default)
            set |= oracle_bit((enum oracle)i);
    return set;
}

enum against oracle_against(struct str name)
{
    enum oracle o;
    return oracle_find(name, &o) ? oracles[o].against : AGAINST_TARGETS;
}

const struct against_row *against_row(enum against kind)
{
    return &against[kind];
}

bool oracles_against(uint32_t set, enum against kind)
{
    for (unsigned i = 0; i < ORACLE_COUNT; i++)
        if ((set & oracle_bit((enum oracle)i)) && oracles[i].against == kind)
            return true;
    return false;
}

static bool refuse_oracle(const char *name, struct err *e)
{
    struct arena a;
    const char *known[ORACLE_COUNT];
    arena_init(&a);
    for (unsigned i = 0; i < ORACLE_COUNT; i++)
        known[i] = oracles[i].name;
    err_set(e, ERR_USAGE, "no oracle \"%s\"%s", name,
            str_known(str_of(name), known, ORACLE_COUNT, &a));
    arena_done(&a);
    return false;
}

bool oracle_choose(const char *const *names, size_t n, uint32_t *out, struct err *e)
{
    *out = 0;
    for (size_t i = 0; i < n; i++) {
        enum oracle oracle;
        if (!oracle_find(str_of(names[i]), &oracle))
            return refuse_oracle(names[i], e);
        *out |= oracle_bit(oracle);
    }
    return true;
}

const char *not_bug_name(enum not_bug n)
{
    return n < NOT_BUG_COUNT ? not_bugs[n].name : "unknown";
}

const char *not_bug_meaning(enum not_bug n)
{
    return n < NOT_BUG_COUNT ? not_bugs[n].meaning : "";
}
