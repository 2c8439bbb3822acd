/*
 * crash: the engine's process died by a signal, an abort or a sanitizer, ran past its deadline, or
 * out of memory. An engine must not die whatever the input. A deadline or the memory limit counts
 * only if the reference evaluates the case at small cost or, for a program, the engine's base mode
 * ends well. A program may also end its process itself.
 */
#include "judge/judge_p.h"

enum { CRASH_SMALL_MACS = 1 << 28 };

enum demise { DEMISE_NONE, DEMISE_DEATH, DEMISE_RESOURCE };

static enum demise demise_of(enum outcome o)
{
    switch (o) {
    case OUTCOME_SIGNAL:
    case OUTCOME_SANITIZER:
    case OUTCOME_ABORT:
    case OUTCOME_STACK_OVERFLOW:
    case OUTCOME_EARLY_EXIT:
        return DEMISE_DEATH;
    case OUTCOME_TIMEOUT_CPU:
    case OUTCOME_TIMEOUT_BLOCKED:
    case OUTCOME_OOM_LIMIT:
    case OUTCOME_OOM_ALLOCATOR:
    case OUTCOME_OOM_KERNEL:
    case OUTCOME_OUTPUT_FLOOD:
        return DEMISE_RESOURCE;
    default:
        return DEMISE_NONE;
    }
}

/* " (SIGSEGV)", if the worker gave the signal's name. */
static struct str named(const struct observation *x, struct arena *a)
{
    if (!str_starts(x->message.type, STR("SIG")))
        return (struct str){0};
    return str_of(arena_printf(a, " (" STR_FMT ")", STR_ARG(x->message.type)));
}

bool oracle__crash(struct judging *j, struct err *e)
{
    (void)e;
    for (size_t i = 0; i < j->ev->n_observations; i++) {
        const struct observation *x = &j->ev->observations[i];
        enum demise d = demise_of(x->outcome);
        struct verdict v = judge__verdict(ORACLE_CRASH, x);
        if (d == DEMISE_NONE && x->outcome != OUTCOME_OK)
            continue;
        if (d != DEMISE_NONE) {
            const struct reference *r = judge__reference(j, x);
            bool is_small = judge__model(j) ? r && r->values.n_macs < CRASH_SMALL_MACS
                                            : judge__base_passes(j, x);
            bool left = !judge__model(j) && x->outcome == OUTCOME_EARLY_EXIT;
            v.decision = (d == DEMISE_DEATH && !left) || is_small ? DECISION_FAIL : DECISION_UNSURE;
            v.wrong = WRONG_OUTCOME;
            v.measure = 1;
            v.claim =
                str_of(arena_printf(j->a, "the engine ended with %s", outcome_name(x->outcome)));
            if (x->outcome == OUTCOME_SIGNAL || x->outcome == OUTCOME_ABORT)
                v.claim = str_of(arena_printf(j->a, "the engine died by signal %d" STR_FMT,
                                              x->signal, STR_ARG(named(x, j->a))));
        }
        judge__add(j, v);
    }
    return true;
}
