/* Classes of lost processes and of messages. */
#include <signal.h>
#include <string.h>

#include "target/outcome_p.h"
#include "unit/test.h"

static void each_death_has_its_class(void **state)
{
    static const struct {
        const char *name;
        struct death death;
        const char *text;
        enum outcome outcome;
        int signal;
        const char *type;
    } rows[] = {
        {"signal", {.signo = SIGSEGV}, "", OUTCOME_SIGNAL, SIGSEGV, "SIGSEGV"},
        {"division", {.signo = SIGFPE}, "", OUTCOME_SIGNAL, SIGFPE, "SIGFPE"},
        {"abort", {.signo = SIGABRT}, "Check failed", OUTCOME_ABORT, SIGABRT, "SIGABRT"},
        {"heap", {.signo = SIGABRT}, "free(): invalid pointer", OUTCOME_ABORT, SIGABRT, "SIGABRT"},
        {"no memory far from the limit",
         {.signo = SIGABRT, .peak_bytes = 10, .memory_limit = 1000},
         "terminate called after throwing an instance of 'std::bad_alloc'",
         OUTCOME_OOM_ALLOCATOR,
         SIGABRT,
         "SIGABRT"},
        {"no memory at the limit",
         {.signo = SIGABRT, .peak_bytes = 900, .memory_limit = 1000},
         "std::bad_alloc",
         OUTCOME_OOM_LIMIT,
         SIGABRT,
         "SIGABRT"},
        {"kernel's killer", {.signo = SIGKILL}, "", OUTCOME_OOM_KERNEL, SIGKILL, "SIGKILL"},
        {"somebody's kill",
         {.signo = SIGKILL, .is_foreign = true},
         "",
         OUTCOME_LOST_WORKER,
         SIGKILL,
         "SIGKILL"},
        {"CPU limit", {.signo = SIGXCPU}, "", OUTCOME_TIMEOUT_CPU, SIGXCPU, "SIGXCPU"},
        {"busy deadline",
         {.timed_out = true, .cpu_bound = true, .signo = SIGKILL},
         "",
         OUTCOME_TIMEOUT_CPU,
         0,
         "timeout-cpu"},
        {"blocked deadline",
         {.timed_out = true, .signo = SIGKILL},
         "",
         OUTCOME_TIMEOUT_BLOCKED,
         0,
         "timeout-blocked"},
        {"flood",
         {.flooded = true, .signo = SIGKILL},
         "x",
         OUTCOME_OUTPUT_FLOOD,
         0,
         "output-flood"},
        {"stack",
         {.signo = SIGSEGV},
         "\nassay: signal 11 (SIGSEGV) stack overflow\nlib.so(+0x1)\nlib.so(+0x2)\nassay: end of "
         "frames\n",
         OUTCOME_STACK_OVERFLOW,
         SIGSEGV,
         "SIGSEGV"},
        {"sanitizer",
         {.code = 1},
         "==7==ERROR: AddressSanitizer: heap-buffer-overflow",
         OUTCOME_SANITIZER,
         0,
         "sanitizer"},
        {"early exit", {.code = 3}, "bye", OUTCOME_EARLY_EXIT, 0, "exit 3"},
        {"exit without result", {.code = 0}, "", OUTCOME_EARLY_EXIT, 0, "exit 0"},
        {"protocol",
         {.by_protocol = true, .signo = SIGKILL, .note = "broke"},
         "",
         OUTCOME_EARLY_EXIT,
         0,
         "early-exit"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct arena a;
        struct observation o = {0};
        struct death d = rows[i].death;
        arena_init(&a);
        d.text = str_of(rows[i].text);
        outcome__of_death(&d, &a, &o);
        ASSERT_ROW(o.outcome == rows[i].outcome, rows[i].name);
        ASSERT_ROW(o.signal == rows[i].signal, rows[i].name);
        ASSERT_ROW(str_is(o.message.type, rows[i].type), rows[i].name);
        if (o.outcome == OUTCOME_STACK_OVERFLOW) {
            assert_string_equal(o.message.stack.at, "lib.so(+0x1)\nlib.so(+0x2)");
            assert_string_equal(o.message.raw.at, "");
        }
        arena_done(&a);
    }
}

static void messages_are_read_by_the_descriptions_words(void **state)
{
    static const struct target_words words[] = {
        {TEXT("Could not find an implementation"), OUTCOME_UNSUPPORTED},
        {TEXT("Should not happen"), OUTCOME_INTERNAL_ERROR},
        {TEXT("bad allocation"), OUTCOME_OOM_ALLOCATOR},
    };
    static const struct target_description d = {.words = words, .n_words = COUNT_OF(words)};
    static const struct {
        enum outcome told;
        const char *type, *text;
        enum outcome outcome;
    } rows[] = {
        {OUTCOME_EXCEPTION, "FAIL", "x: Could not find an implementation for Y",
         OUTCOME_UNSUPPORTED},
        {OUTCOME_EXCEPTION, "FAIL", "Should not happen", OUTCOME_INTERNAL_ERROR},
        {OUTCOME_EXCEPTION, "FAIL", "bad allocation", OUTCOME_OOM_ALLOCATOR},
        {OUTCOME_EXCEPTION, "AssertionError", "", OUTCOME_ASSERTION},
        {OUTCOME_EXCEPTION, "FAIL", "Assertion failed: n > 0", OUTCOME_ASSERTION},
        {OUTCOME_EXCEPTION, "FAIL", "shape mismatch", OUTCOME_EXCEPTION},
        {OUTCOME_OK, "", "Should not happen", OUTCOME_OK},
        {OUTCOME_UNSUPPORTED, "", "Should not happen", OUTCOME_UNSUPPORTED},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        ASSERT_ROW(outcome__of_message(&d, rows[i].told, str_of(rows[i].type),
                                       str_of(rows[i].text)) == rows[i].outcome,
                   rows[i].text);
}

TEST_SUITE(target_outcome, TEST(each_death_has_its_class),
           TEST(messages_are_read_by_the_descriptions_words))
