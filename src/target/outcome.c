/*
 * Decides the outcome class of a lost process and of an error's message. Must not know workers or
 * pools: facts in, class out. Whatever a successful run writes, it stays a success.
 */
#include "target/outcome_p.h"

#include <signal.h>

#include "os/fork.h"
#include "os/process.h"
#include "target/pool.h"

enum { OOM_NEAR_LIMIT_PERCENT = 50 };

static const char *const sanitizer_words[] = {
    "ERROR: AddressSanitizer",  "WARNING: ThreadSanitizer", "ERROR: LeakSanitizer",
    "WARNING: MemorySanitizer", ": runtime error: ",
};
static const char *const memory_words[] = {"std::bad_alloc", "MemoryError", "bad allocation",
                                           "Cannot allocate memory"};
static const char *const assertion_words[] = {"AssertionError", "Assertion `", "Assertion failed"};

static bool has_any(struct str text, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (str_find(text, str_of(words[i])) < text.n)
            return true;
    return false;
}

/* A process that used memory near its limit hit the limit; one far below it asked for an impossible
 * amount. */
static enum outcome memory_outcome(const struct death *d)
{
    return d->memory_limit && d->peak_bytes >= d->memory_limit / 100 * OOM_NEAR_LIMIT_PERCENT
               ? OUTCOME_OOM_LIMIT
               : OUTCOME_OOM_ALLOCATOR;
}

static enum outcome classify(const struct death *d)
{
    if (d->flooded)
        return OUTCOME_OUTPUT_FLOOD;
    if (d->timed_out)
        return d->cpu_bound ? OUTCOME_TIMEOUT_CPU : OUTCOME_TIMEOUT_BLOCKED;
    if (has_any(d->text, sanitizer_words, COUNT_OF(sanitizer_words)))
        return OUTCOME_SANITIZER;
    if (d->by_protocol)
        return OUTCOME_EARLY_EXIT;
    bool memory = has_any(d->text, memory_words, COUNT_OF(memory_words));
    if (d->signo == SIGABRT || d->signo == 0)
        return memory                ? memory_outcome(d)
               : d->signo == SIGABRT ? OUTCOME_ABORT
                                     : OUTCOME_EARLY_EXIT;
    if (d->signo == SIGXCPU)
        return OUTCOME_TIMEOUT_CPU;
    if (d->signo == SIGXFSZ) /* it wrote more than the sandbox lets it */
        return OUTCOME_OUTPUT_FLOOD;
    if (d->signo == SIGKILL)
        return d->is_foreign ? OUTCOME_LOST_WORKER : OUTCOME_OOM_KERNEL;
    if (str_find(d->text, STR(FORK_CRASH_OVERFLOW "\n")) < d->text.n)
        return OUTCOME_STACK_OVERFLOW;
    return OUTCOME_SIGNAL;
}

/* Splits off the block that fork_report_crashes wrote; the text before it is the engine's. */
static void split_frames(struct str text, struct str *frames, struct str *before)
{
    size_t at = str_find(text, STR(FORK_CRASH_LINE));
    struct str rest = str_sub(text, at, text.n);
    size_t line = str_find_byte(rest, '\n');
    size_t end = str_find(rest, STR(FORK_CRASH_END));
    *before = str_trim(str_sub(text, 0, at));
    *frames = str_trim(str_sub(rest, line, end));
}

static struct str last_part(struct str text, size_t n)
{
    return text.n > n ? str_sub(text, text.n - n, text.n) : text;
}

void outcome__of_death(const struct death *d, struct arena *a, struct observation *out)
{
    struct str frames, before;
    split_frames(d->text, &frames, &before);
    out->outcome = classify(d);
    out->signal = d->timed_out || d->flooded || d->by_protocol ? 0 : d->signo;
    out->usage.peak_bytes = d->peak_bytes;
    const char *type = d->presumed   ? POOL_PRESUMED
                       : out->signal ? process_signal_name(d->signo)
                       : out->outcome == OUTCOME_EARLY_EXIT && !d->by_protocol
                           ? arena_printf(a, "exit %d", d->code)
                           : outcome_name(out->outcome);
    struct str text = last_part(before, POOL_MESSAGE_MAX);
    const char *note = d->note ? d->note : "";
    out->message = (struct message){
        .raw = str_of(
            arena_printf(a, "%s%s" STR_FMT, note, d->note && text.n ? "\n" : "", STR_ARG(text))),
        .type = str_of(arena_strdup(a, type)),
        .stack = {str_dup(a, frames), frames.n},
        .raised_by = RAISED_BY_NATIVE,
    };
}

enum outcome outcome__of_message(const struct target_description *d, enum outcome told,
                                 struct str type, struct str text)
{
    if (told != OUTCOME_EXCEPTION)
        return told;
    for (size_t i = 0; i < d->n_words; i++)
        if (str_find(text, d->words[i].text) < text.n || str_eq(type, d->words[i].text))
            return d->words[i].outcome;
    if (str_is(type, "AssertionError") || has_any(text, assertion_words, COUNT_OF(assertion_words)))
        return OUTCOME_ASSERTION;
    return OUTCOME_EXCEPTION;
}
