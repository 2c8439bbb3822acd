/* The sandbox: every escape attempt is held where its layer is on; plans refuse what is missing. */
#include "os/sandbox.h"

#include <string.h>

#include "os/probe.h"
#include "os/process.h"
#include "unit/test.h"

static void escape_attempts_are_held(void **state)
{
    size_t n_held = 0;
    (void)state;
    for (size_t i = 0; i < probe_n_escapes(); i++) {
        struct probe_outcome got;
        struct err e;
        if (!probe_escape_run(i, &got, &e))
            fail_msg("%s: %s", probe_escape_name(i), e.text);
        if (got.verdict == PROBE_ESCAPED || got.verdict == PROBE_WRONG_ERROR)
            fail_msg("%s: %s (%d) %s", probe_escape_name(i), probe_verdict_name(got.verdict),
                     got.got, got.detail);
        n_held += got.verdict == PROBE_HELD;
    }
    print_message("%zu of %zu escape attempts held\n", n_held, probe_n_escapes());
    assert_true(n_held >= 10); /* limits and descriptors are there on every machine */
}

static void a_missing_layer_is_refused_when_required_and_reported_when_wanted(void **state)
{
    struct sandbox_policy policy = sandbox_policy_default();
    struct sandbox_plan *plan;
    struct err e;
    (void)state;
    policy.required |= SANDBOX_BIT(SANDBOX_NAMESPACES);
    assert_false(sandbox_plan_open(&policy, &plan, &e));
    assert_int_equal(e.code, ERR_ENVIRONMENT);
    assert_non_null(strstr(e.text, "sandbox: the required layer namespaces is off: needs "));
    policy = sandbox_policy_default();
    assert_true(sandbox_plan_open(&policy, &plan, &e));
    const struct sandbox_state *s = sandbox_plan_state(plan);
    assert_int_equal(s->layer[SANDBOX_NAMESPACES].mode, SANDBOX_OFF);
    assert_true(s->layer[SANDBOX_NAMESPACES].reason[0] != '\0');
    sandbox_plan_close(plan);
    policy.wanted = 0;
    assert_true(sandbox_plan_open(&policy, &plan, &e));
    assert_string_equal(sandbox_plan_state(plan)->layer[SANDBOX_SECCOMP].reason, "not asked for");
    sandbox_plan_close(plan);
}

static void a_readable_folder_that_is_missing_is_named(void **state)
{
    static const char *const missing[] = {"/proc/nonexistent/environment"};
    struct sandbox_policy policy = sandbox_policy_default();
    struct sandbox_state offered;
    struct sandbox_plan *plan;
    struct err e;
    (void)state;
    sandbox_probe(&offered);
    if (offered.layer[SANDBOX_LANDLOCK].mode == SANDBOX_OFF)
        return;
    policy.readable = missing;
    policy.n_readable = 1;
    assert_false(sandbox_plan_open(&policy, &plan, &e));
    assert_string_equal(e.text,
                        "sandbox: layer landlock: /proc/nonexistent/environment: cannot open: "
                        "No such file or directory");
}

static void a_program_runs_inside(void **state)
{
    static const char *const argv[] = {"sh", "-c", "echo in; cat /etc/shadow; echo > /usr/x", NULL};
    struct sandbox_policy policy = sandbox_policy_default();
    struct sandbox_plan *plan;
    struct arena a;
    struct process_end end;
    struct err e;
    (void)state;
    assert_true(sandbox_plan_open(&policy, &plan, &e));
    struct process_spec spec = {.program = "/bin/sh",
                                .argv = argv,
                                .out = PROCESS_CAPTURE,
                                .output_max = 4096,
                                .sandbox = plan};
    arena_init(&a);
    assert_true(process_run(&spec, &a, &end, &e));
    assert_string_equal(end.out.at, "in\n");
    assert_true(end.exited && end.exit_code != 0);
    sandbox_plan_close(plan);
    arena_done(&a);
}

static void states_are_told_in_a_phrase(void **state)
{
    struct sandbox_state s = {0};
    struct strbuf text = {0};
    (void)state;
    sandbox_state_print(&s, &text);
    for (int i = 0; i < SANDBOX_N_LAYERS; i++)
        s.layer[i].mode = SANDBOX_ON;
    strbuf_addc(&text, ' ');
    sandbox_state_print(&s, &text);
    s.layer[SANDBOX_LANDLOCK].mode = SANDBOX_DEGRADED;
    s.layer[SANDBOX_CGROUP].mode = SANDBOX_OFF;
    strbuf_addc(&text, ' ');
    sandbox_state_print(&s, &text);
    assert_string_equal(text.at, "off full best effort (landlock degraded, cgroup off)");
    strbuf_done(&text);
}

static void the_machine_is_known(void **state)
{
    struct arena a;
    struct probe_machine m;
    struct err e;
    const char *self;
    uint64_t n_free;
    (void)state;
    arena_init(&a);
    assert_true(probe_machine(&a, &m, &e) && probe_self(&a, &self, &e));
    assert_true(m.n_cpus > 0 && m.memory_bytes > 0 && m.kernel[0]);
    assert_non_null(strstr(self, "test_os"));
    assert_true(probe_free_bytes("/", &n_free) && n_free > 0);
    assert_false(probe_free_bytes("/proc/nonexistent", &n_free));
    assert_int_equal(probe_n_tasks(-1), 0);
    assert_true(probe_peak_bytes(1) > 0);
    assert_true(probe_resident_bytes(1) > 0 && probe_resident_bytes(1) <= probe_peak_bytes(1));
    assert_int_equal(probe_resident_bytes(-1), 0);
    arena_done(&a);
}

TEST_SUITE(os_sandbox, TEST(escape_attempts_are_held),
           TEST(a_missing_layer_is_refused_when_required_and_reported_when_wanted),
           TEST(a_readable_folder_that_is_missing_is_named), TEST(a_program_runs_inside),
           TEST(states_are_told_in_a_phrase), TEST(the_machine_is_known))
