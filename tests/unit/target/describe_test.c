/* The compiled-in descriptions are valid; broken ones are refused with the place; names of targets
 * resolve to the right targets. */
#include <string.h>

#include "base/file.h"
#include "base/path.h"
#include "target/target.h"
#include "unit/test.h"

static void every_description_is_valid(void **state)
{
    struct arena a;
    struct targets all;
    struct err e;
    (void)state;
    arena_init(&a);
    if (!targets_load("/proc/nonexistent", &a, &all, &e))
        fail_msg("%s", e.text);
    assert_true(all.n_descriptions >= 6);
    assert_int_equal(all.n_installations, 0);
    for (size_t i = 0; i < all.n_descriptions; i++) {
        const struct target_description *d = &all.descriptions[i];
        assert_true(d->traits.largest_opset >= 20 && (d->accepts_graphs || d->accepts_programs));
        assert_ptr_equal(targets_find(&all, d->engine), d);
        for (int t = 1; t < DTYPE_COUNT; t++)
            assert_true(d->traits.computes[t] != DTYPE_UNDEFINED);
    }
    const struct target_description *ov = targets_find(&all, STR("openvino"));
    assert_int_equal(ov->traits.computes[DTYPE_DOUBLE], DTYPE_FLOAT);
    assert_int_equal(ov->traits.int_overflow, INT_OVERFLOW_SATURATES);
    assert_true(ov->n_generators == 1 && str_is(ov->generators[0], "mutate"));
    const struct target_description *torch = targets_find(&all, STR("torch"));
    assert_true(torch->n_generators == 2 && str_is(torch->generators[1], "diffuse"));
    arena_done(&a);
}

/* The text of a valid description with one piece replaced. */
static struct str spoiled(struct arena *a, const char *from, const char *to)
{
    static const char valid[] =
        "{\"engine\": \"e\", \"family\": \"f\", \"help\": \"h\", \"package\": \"p\",\n"
        "\"module\": \"m\", \"requirements\": [\"p\"], \"worker\": \"w\", \"work\": \"runs\",\n"
        "\"accepts\": [\"graph\"], \"fork\": \"batch\", \"largest_opset\": {\"1\": 20, \"2\": "
        "21},\n"
        "\"missing\": {\"dtypes\": [], \"operators\": []}, \"computes\": {},\n"
        "\"int_overflow\": \"wraps\", \"flushes_denormals\": false, \"least_version\": \"1\",\n"
        "\"messages\": {\"unsupported\": [\"u\"]},\n"
        "\"modes\": [{\"name\": \"a\", \"help\": \"h\", \"default\": true, \"threads\": 1,\n"
        "\"options\": {}}]}";
    struct str text = str_of(valid);
    size_t at = str_find(text, str_of(from));
    if (at == text.n)
        fail_msg("the description lacks %s", from);
    return str_of(arena_printf(a, STR_FMT "%s%s", STR_ARG(str_sub(text, 0, at)), to,
                               valid + at + strlen(from)));
}

static void broken_descriptions_are_refused_with_the_place(void **state)
{
    static const struct {
        const char *from, *to, *message;
    } rows[] = {
        {"\"help\": \"h\", \"pa", "\"help\": 7, \"pa",
         "d.json: line 1: key \"help\": a string is expected, got an integer"},
        {"\"work\": \"runs\"", "\"work\": \"walks\"",
         "d.json: line 2: key \"work\": \"walks\" is none of \"runs\", \"converts\""},
        {"\"work\": \"runs\"", "\"work\": \"converts\"",
         "d.json: line 1: key \"runs_in\" goes with work \"converts\", and with no other"},
        {"\"worker\": \"w\"", "\"worker\": \"native\"",
         "d.json: line 1: key \"library\" goes with worker \"native\", and with no other"},
        {"\"2\": 21", "\"1\": 21", "d.json:3:75: duplicate object key near '\"1\"'"},
        {"\"1\": 20, \"2\": 21", "\"2\": 20, \"1\": 21",
         "d.json: line 3: key \"largest_opset\": versions are not ascending"},
        {"\"2\": 21", "\"2\": 99", "d.json: line 3: key \"largest_opset\": 7 to 28 are expected"},
        {"\"computes\": {}", "\"computes\": {\"double\": \"flaot\"}",
         "d.json: line 4: \"flaot\" is no dtype"},
        {"\"computes\": {}", "\"computes\": {}, \"form\": []",
         "d.json: line 4: key \"form\": an object is expected"},
        {"[\"graph\"]", "[\"grpah\"]",
         "d.json: line 3: key \"accepts\": \"graph\" and \"program\" are expected"},
        {"\"default\": true", "\"default\": false",
         "d.json: line 7: key \"modes\": no mode is a default"},
        {"\"threads\": 1", "\"threads\": 0",
         "d.json: line 7: key \"threads\": 1 to 256 are expected"},
        {"\"threads\": 1", "\"threads\": 1, \"cpu\": 1",
         "d.json: line 7: key \"cpu\": QEMU's name of a CPU is expected"},
        {"\"threads\": 1", "\"threads\": 1, \"cpu\": \"Nehalem\"",
         "d.json: line 7: key \"cpu\": an emulated CPU is slow, so its mode is no default"},
        {"\"threads\": 1", "\"threads\": 1, \"least_emulator\": \"10.0\"",
         "d.json: line 7: key \"least_emulator\" goes with \"cpu\""},
        {"\"unsupported\"", "\"unsuported\"",
         "d.json: line 6: key \"messages\": \"unsuported\" is none of \"unsupported\", "
         "\"internal-error\", \"out-of-memory\""},
        {"\"name\": \"a\"", "\"name\": \"a/b\"",
         "d.json: line 7: key \"name\": a name without '/' is expected"},
    };
    struct arena a;
    struct target_description d;
    struct err e;
    (void)state;
    arena_init(&a);
    assert_true(target_description_parse(spoiled(&a, "\"e\"", "\"e\""), "d.json", &a, &d, &e));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        ASSERT_ROW(
            !target_description_parse(spoiled(&a, rows[i].from, rows[i].to), "d.json", &a, &d, &e),
            rows[i].message);
        if (strcmp(e.text, rows[i].message) != 0 && !strstr(rows[i].message, "duplicate"))
            fail_msg("%s\n  instead of %s", e.text, rows[i].message);
        assert_int_equal(e.code, ERR_DATA);
    }
    assert_false(
        target_description_parse(spoiled(&a, "\"fork\"", "\"forks\""), "d.json", &a, &d, &e));
    assert_non_null(strstr(e.text, "\"fork\"?"));
    arena_done(&a);
}

/* Each optional key of a mode, and what a mode without it is. */
static void optional_keys_of_a_mode_are_read(void **state)
{
    static const struct {
        const char *key;
        bool no_graphs, no_programs, is_base;
        int64_t deadline_ms;
        const char *least_version;
    } rows[] = {
        {"", false, false, false, 0, ""},
        {"\"accepts\": [\"graph\"],", false, true, false, 0, ""},
        {"\"accepts\": [\"program\"],", true, false, false, 0, ""},
        {"\"accepts\": [\"program\", \"graph\"],", false, false, false, 0, ""},
        {"\"accepts\": [],", true, true, false, 0, ""},
        {"\"base\": true,", false, false, true, 0, ""},
        {"\"deadline_ms\": 7000,", false, false, false, 7000, ""},
        {"\"least_version\": \"2.5\",", false, false, false, 0, "2.5"},
    };
    struct arena a;
    (void)state;
    arena_init(&a);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct target_description d;
        struct err e;
        struct str text =
            spoiled(&a, "\"threads\": 1,", arena_printf(&a, "%s \"threads\": 3,", rows[i].key));
        if (!target_description_parse(text, "d.json", &a, &d, &e))
            fail_msg("%s: %s", rows[i].key, e.text);
        const struct target_mode *m = &d.modes[0];
        ASSERT_ROW(m->no_graphs == rows[i].no_graphs && m->no_programs == rows[i].no_programs,
                   rows[i].key);
        ASSERT_ROW(m->is_base == rows[i].is_base, rows[i].key);
        ASSERT_ROW(m->deadline_ms == rows[i].deadline_ms, rows[i].key);
        ASSERT_ROW(str_is(m->least_version, rows[i].least_version), rows[i].key);
        ASSERT_ROW(m->n_threads == 3 && m->is_default && !m->cpu.n, rows[i].key);
    }
    arena_done(&a);
}

static void versions_are_ordered_by_their_numbers(void **state)
{
    static const struct {
        const char *a, *b;
        int order;
    } rows[] = {
        {"1.9.0", "1.10.0", -1}, {"1.31.1", "1.31.1", 0}, {"1.31.1", "1.31.01", 0},
        {"1.20", "1.20.1", -1},  {"2", "1.99", 1},        {"1.0.dev2", "1.0.dev10", -1},
        {"", "1", -1},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct str a = str_of(rows[i].a), b = str_of(rows[i].b);
        ASSERT_ROW(target_version_compare(a, b) == rows[i].order, rows[i].a);
        ASSERT_ROW(target_version_compare(b, a) == -rows[i].order, rows[i].a);
    }
}

static void write_registration(const char *home, const char *engine, const char *version,
                               struct arena *a)
{
    struct err e;
    char *text = arena_printf(a,
                              "{\"engine\":\"%s\",\"version\":\"%s\",\"python\":\"/p\","
                              "\"library\":\"/l\",\"roots\":[\"/r\"]}",
                              engine, version);
    const char *dir = path_join(a, home, "targets");
    const char *path = arena_printf(a, "%s/%s@%s.json", dir, engine, version);
    assert_true(file_make_dirs(dir, &e) && file_write(path, text, strlen(text), &e));
}

/* Engines registered in a home folder of their own. */
static const char *load_home(const char *const (*engines)[2], size_t n, struct arena *a,
                             struct targets *all)
{
    struct err e;
    const char *home;
    assert_true(file_make_temp_dir(a, "assay-home", &home, &e));
    for (size_t i = 0; i < n; i++)
        write_registration(home, engines[i][0], engines[i][1], a);
    assert_true(targets_load(home, a, all, &e));
    return home;
}

static void names_stand_for_targets(void **state)
{
    static const struct {
        const char *name, *targets, *message;
    } rows[] = {
        {"ort", "ort@1.31.1/off ort@1.31.1/all ", NULL},
        {"ort@1.20.1/off", "ort@1.20.1/off ", NULL},
        {"ort/layout", "ort@1.31.1/layout ", NULL},
        {"ort@1.20.1/layout", NULL, "ort@1.20.1 lacks the mode layout, which came with 1.31.0"},
        {"ort/of", NULL, "ort: no mode is called \"of\"; it has off, basic"},
        {"ortt", NULL, "no engine is called \"ortt\"; did you mean \"ort\"?"},
        {"openvino", NULL, "openvino is not installed: `assay targets add openvino` installs it"},
        {"ort@9", NULL, "ort@9 is not installed: `assay targets add ort@9` installs it"},
        {"onnxsim", "onnxsim@0.8.1/default ", NULL},
        {"ort/all:7", "ort@1.31.1/all ", NULL},
        {"ort/all:0", NULL, "ort/all:0: after \":\" a number from 1 to 100000 is expected"},
        {"ort/all:x", NULL, "ort/all:x: after \":\" a number"},
        {"ort/al:7", NULL, "ort: no mode is called \"al\""},
    };
    static const char *const engines[][2] = {{"ort", "1.31.1"},
                                             {"ort", "1.20.1"},
                                             {"onnxsim", "0.8.1"},
                                             {"engine-of-a-later-assay", "1"}};
    struct arena a;
    struct targets all;
    struct err e;
    (void)state;
    arena_init(&a);
    const char *home = load_home(engines, COUNT_OF(engines), &a, &all);
    assert_int_equal(all.n_installations, 3);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct target_list list = {0};
        struct strbuf text = {0};
        bool ok = targets_resolve(&all, rows[i].name, &a, &list, &e);
        ASSERT_ROW(ok == (rows[i].targets != NULL), rows[i].name);
        for (size_t k = 0; k < list.n; k++) {
            target_id_print(&list.at[k]->id, &text);
            strbuf_addc(&text, ' ');
        }
        if (ok)
            assert_string_equal(text.at, rows[i].targets);
        else if (strncmp(e.text, rows[i].message, strlen(rows[i].message)) != 0)
            fail_msg("%s", e.text);
        strbuf_done(&text);
    }
    struct target_list list = {0};
    assert_true(targets_resolve(&all, "ort", &a, &list, &e) &&
                targets_resolve(&all, "ort/all", &a, &list, &e));
    assert_int_equal(list.n, 2); /* a target that is there already is not added again */
    assert_int_equal(list.at[0]->id.traits->largest_opset, 26);
    struct target_list old = {0};
    assert_true(targets_resolve(&all, "ort@1.20.1", &a, &old, &e));
    assert_int_equal(old.at[0]->id.traits->largest_opset, 21);
    if (target_emulator(&a)) { /* a mode on an emulated CPU has workers of its own */
        struct target_list emulated = {0};
        assert_true(targets_resolve(&all, "ort/all", &a, &emulated, &e) &&
                    targets_resolve(&all, "ort/all-sse4", &a, &emulated, &e));
        assert_true(emulated.at[0]->installation != emulated.at[1]->installation);
        assert_true(!emulated.at[0]->installation->cpu.n && emulated.at[1]->id.traits->no_vnni);
        assert_true(str_is(emulated.at[1]->installation->cpu, "Nehalem"));
        assert_int_equal(target_n_tasks(emulated.at[0]->installation) + 1,
                         target_n_tasks(emulated.at[1]->installation));
        assert_true(targets_resolve(&all, "ort/*", &a, &emulated, &e));
        for (size_t i = 2; i < emulated.n; i++) /* only where it is named */
            assert_true(emulated.at[i]->installation->cpu.n == 0);
    }
    list.n = 0;
    assert_true(targets_resolve(&all, "onnxsim", &a, &list, &e));
    assert_true(str_is(list.at[0]->runs_in->id.mode, "off"));
    assert_true(file_remove_tree(home, &e));
    arena_done(&a);
}

static void check_full_names(const struct target_list *list, const char *wanted, struct arena *a)
{
    struct strbuf text = {0};
    for (size_t i = 0; i < list->n; i++)
        strbuf_printf(&text, "%s ", target_full_name(list->at[i], a));
    assert_string_equal(text.at, wanted);
    strbuf_done(&text);
}

/* A mode with one_in runs in some cases of a hunt, unless it is named; a full name names it with
 * its share. */
static void a_hunt_runs_slow_modes_in_some_cases(void **state)
{
    static const struct {
        const char *name, *of_hunt, *else_;
    } rows[] = {
        {"jax",
         "jax@0.10.2/eager jax@0.10.2/jit jax@0.10.2/jit-o0:16 "
         "jax@0.10.2/repeated:256 jax@0.10.2/repeated-jit:256 jax@0.10.2/exported:32 "
         "jax@0.10.2/written jax@0.10.2/double ",
         "jax@0.10.2/eager jax@0.10.2/jit jax@0.10.2/written jax@0.10.2/double "},
        {"jax/jit-o0", "jax@0.10.2/jit-o0 ", "jax@0.10.2/jit-o0 "},
        {"jax/jit:3", "jax@0.10.2/jit:3 ", "jax@0.10.2/jit:3 "},
        {"jax@0.10.2/exported:32", "jax@0.10.2/exported:32 ", "jax@0.10.2/exported:32 "},
    };
    static const char *const engines[][2] = {{"jax", "0.10.2"}};
    struct arena a;
    struct targets all;
    struct err e;
    (void)state;
    arena_init(&a);
    const char *home = load_home(engines, COUNT_OF(engines), &a, &all);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct target_list hunt = {0}, other = {0};
        assert_true(targets_resolve_hunt(&all, rows[i].name, &a, &hunt, &e));
        assert_true(targets_resolve(&all, rows[i].name, &a, &other, &e));
        check_full_names(&hunt, rows[i].of_hunt, &a);
        check_full_names(&other, rows[i].else_, &a);
        ASSERT_ROW(targets_check_shares(&other, &e) == (i < 2), rows[i].name);
    }
    assert_true(file_remove_tree(home, &e));
    arena_done(&a);
}

TEST_SUITE(target_describe, TEST(every_description_is_valid),
           TEST(broken_descriptions_are_refused_with_the_place),
           TEST(optional_keys_of_a_mode_are_read), TEST(versions_are_ordered_by_their_numbers),
           TEST(names_stand_for_targets), TEST(a_hunt_runs_slow_modes_in_some_cases))
