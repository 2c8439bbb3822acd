/* The sandbox: every escape attempt is held where its layer is on; plans that lack a required layer
 * are refused. */
#include "os/sandbox.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"
#include "os/probe.h"
#include "os/process.h"
#include "os/scratch.h"
#include "unit/test.h"

/* Makes each attempt under a plan without these layers, in a scratch folder like a worker's. */
static void try_all(unsigned left_out, size_t counts[PROBE_NOT_COVERED + 1])
{
    static const char *const words[] = {"test", "worker", "attempt", NULL};
    struct arena a;
    arena_init(&a);
    for (size_t i = 0; i < probe_n_escapes(); i++) {
        struct sandbox_policy policy = sandbox_policy_default();
        struct sandbox_plan *plan;
        struct probe_outcome got;
        struct scratch *scratch;
        const char *self;
        struct err e;
        assert_true(probe_self(&a, &self, &e) && scratch_open(&scratch, &e) &&
                    scratch_make_dir(scratch, "worker", &e) && scratch_let_pass(scratch, &e));
        const char *dir = path_join(&a, scratch_path(scratch), "worker");
        policy.wanted &= ~left_out;
        policy.readable = &self;
        policy.n_readable = 1;
        policy.private_folder = dir;
        policy.limits = (struct sandbox_limits){.memory_bytes = 64 << 20,
                                                .tree_memory_bytes = 192 << 20,
                                                .scratch_bytes = 64 << 20,
                                                .file_bytes = 16 << 20,
                                                .n_files = 64,
                                                .n_processes = 128};
        if (!sandbox_plan_open(&policy, &plan, &e))
            fail_msg("%s", e.text);
        struct sandbox_facts facts = sandbox_plan_facts(plan);
        if (facts.changes_id && !facts.has_namespaces)
            assert_true(scratch_give_dir(scratch, "worker", facts.uid, facts.gid, &e));
        const struct probe_worker worker = {
            .program = self, .words = words, .folder = dir, .plan = plan};
        if (!probe_escape_run(i, &worker, &got, &e))
            fail_msg("%s: %s", probe_escape_name(i), e.text);
        bool wrong = got.verdict == PROBE_ESCAPED || got.verdict == PROBE_WRONG_ERROR;
        if (wrong || got.verdict == PROBE_BOUNDED || got.verdict == PROBE_NOT_COVERED)
            print_message("%s: %s %s\n", probe_escape_name(i), probe_verdict_name(got.verdict),
                          got.detail);
        counts[got.verdict]++;
        sandbox_plan_close(plan);
        scratch_close(scratch);
    }
    arena_done(&a);
}

static void escape_attempts_are_held(void **state)
{
    static const struct {
        const char *machine;
        unsigned left_out;
    } rows[] = {
        {"with everything", 0},
        {"without namespaces", SANDBOX_BIT(SANDBOX_NAMESPACES)},
        {"without groups", SANDBOX_BIT(SANDBOX_CGROUP)},
        {"without both", SANDBOX_BIT(SANDBOX_NAMESPACES) | SANDBOX_BIT(SANDBOX_CGROUP)},
        {"without Landlock and namespaces",
         SANDBOX_BIT(SANDBOX_NAMESPACES) | SANDBOX_BIT(SANDBOX_LANDLOCK)},
    };
    (void)state;
    if (sandbox_is_sanitized()) { /* the attempts run this program in 64 MiB */
        print_message("needs a program without sanitizers\n");
        return;
    }
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        size_t counts[PROBE_NOT_COVERED + 1] = {0};
        try_all(rows[i].left_out, counts);
        print_message("%s: of %zu attempts %zu held, %zu bounded, %zu not held (target: stated)\n",
                      rows[i].machine, probe_n_escapes(), counts[PROBE_HELD], counts[PROBE_BOUNDED],
                      counts[PROBE_NOT_COVERED]);
        ASSERT_ROW(counts[PROBE_ESCAPED] == 0, rows[i].machine);
        ASSERT_ROW(counts[PROBE_WRONG_ERROR] == 0, rows[i].machine);
        ASSERT_ROW(counts[PROBE_HELD] >= 10, rows[i].machine); /* every machine has limits */
    }
}

static void a_missing_layer_is_refused_when_required_and_reported_when_wanted(void **state)
{
    struct sandbox_policy policy = sandbox_policy_default();
    struct sandbox_plan *plan;
    struct sandbox_state offered;
    struct err e;
    (void)state;
    sandbox_probe(&offered);
    for (unsigned layer = 0; layer < SANDBOX_N_LAYERS; layer++) {
        policy.required = SANDBOX_BIT(layer);
        bool is_there = offered.layer[layer].mode != SANDBOX_OFF;
        assert_int_equal(sandbox_plan_open(&policy, &plan, &e), is_there);
        if (is_there)
            sandbox_plan_close(plan);
        else
            assert_non_null(strstr(e.text, " is off: "));
    }
    policy = sandbox_policy_default();
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

/* A worker that root starts is another user: without namespaces it cannot run a program in a folder
 * that only root may enter. */
static void a_folder_that_lets_nobody_in_is_named(void **state)
{
    static const char *const argv[] = {"true", NULL};
    struct sandbox_policy policy = sandbox_policy_default();
    struct sandbox_plan *plan;
    struct arena a;
    struct process_end end;
    struct str bytes;
    struct err e;
    const char *dir;
    (void)state;
    arena_init(&a);
    assert_true(file_make_temp_dir(&a, "assay-closed", &dir, &e));
    const char *program = path_join(&a, dir, "true");
    assert_true(file_read("/bin/true", 16 << 20, &a, &bytes, &e) &&
                file_write(program, bytes.at, bytes.n, &e));
    assert_int_equal(chmod(program, 0755) | chmod(dir, 0700), 0);
    policy.wanted &= ~SANDBOX_BIT(SANDBOX_NAMESPACES);
    policy.readable = &dir; /* else LANDLOCK would refuse it too */
    policy.n_readable = 1;
    assert_true(sandbox_plan_open(&policy, &plan, &e));
    bool is_other = sandbox_plan_facts(plan).changes_id;
    struct process_spec spec = {.program = program, .argv = argv, .sandbox = plan};
    bool ran = process_run(&spec, &a, &end, &e);
    if (is_other && !ran) {
        assert_non_null(strstr(e.text, arena_printf(&a, "%s lets only its owner in", dir)));
        assert_non_null(strstr(e.text, arena_printf(&a, "chmod o+x %s", dir)));
    }
    assert_int_equal(ran, !is_other);
    sandbox_plan_close(plan);
    assert_true(file_remove_tree(dir, &e));
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

/* Each is one of the extensions that kernels are chosen by, and they are sorted. */
static void check_vector_flags(const char *flags)
{
    static const char *const starts[] = {"sse",   "ssse", "avx",  "amx",  "fma", "f16c",
                                         "asimd", "sve",  "bf16", "i8mm", "fphp"};
    struct str rest = str_of(flags), flag, last = STR("");
    while (rest.n && str_split(&rest, ' ', &flag)) {
        bool is_known = false;
        for (size_t i = 0; i < COUNT_OF(starts); i++)
            is_known |= str_starts(flag, str_of(starts[i]));
        if (!is_known || str_cmp(last, flag) >= 0)
            fail_msg(STR_FMT " in: %s", STR_ARG(flag), flags);
        last = flag;
    }
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
    bool has_avx = strstr(m.cpu_flags, "avx"), has_vnni = strstr(m.cpu_flags, "vnni");
    assert_int_equal(probe_lacks_vnni(), has_avx && !has_vnni);
    check_vector_flags(m.cpu_flags);
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
           TEST(a_folder_that_lets_nobody_in_is_named), TEST(states_are_told_in_a_phrase),
           TEST(the_machine_is_known))
