/* Scratch folders: what is written is read back, links and too much data are refused, nothing is
 * left behind. */
#include "os/scratch.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"
#include "os/process.h"
#include "unit/test.h"

static void what_is_put_is_got(void **state)
{
    struct scratch *s, *other;
    struct arena a;
    struct err e;
    struct str parts[130], bytes;
    char path[256];
    (void)state;
    arena_init(&a);
    for (size_t i = 0; i < COUNT_OF(parts); i++)
        parts[i] = i % 3 ? STR("ab") : STR("");
    assert_true(scratch_open(&s, &e));
    snprintf(path, sizeof path, "%s", scratch_path(s));
    assert_true(scratch_make_dir(s, "7", &e) && scratch_make_dir(s, "7", &e));
    assert_true(scratch_put(s, "7/x", parts, COUNT_OF(parts), &e));
    assert_true(scratch_attach(path, &other, &e));
    assert_true(scratch_get(other, "7/x", 1000, &a, &bytes, &e));
    assert_int_equal(bytes.n, 2 * 86);
    scratch_close(other);
    assert_true(scratch_put(s, "7/x", parts, 1, &e));
    assert_true(scratch_get(s, "7/x", 0, &a, &bytes, &e));
    assert_int_equal(bytes.n, 0);
    scratch_remove_dir(s, "7");
    assert_false(scratch_get(s, "7/x", 10, &a, &bytes, &e));
    scratch_close(s);
    assert_int_equal(file_stat(path).kind, FILE_MISSING);
    arena_done(&a);
}

static void hostile_results_are_refused(void **state)
{
    struct scratch *s;
    struct arena a;
    struct err e;
    struct str bytes, big = STR("0123456789");
    (void)state;
    arena_init(&a);
    assert_true(scratch_open(&s, &e));
    assert_int_equal(symlink("/etc/passwd", path_join(&a, scratch_path(s), "link")), 0);
    assert_int_equal(mkfifo(path_join(&a, scratch_path(s), "fifo"), 0600), 0);
    assert_true(scratch_make_dir(s, "dir", &e) && scratch_put(s, "big", &big, 1, &e));
    static const char *const names[] = {"link", "fifo", "dir", "big", "missing"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        ASSERT_ROW(!scratch_get(s, names[i], 9, &a, &bytes, &e) && e.code == ERR_DATA, names[i]);
    struct str one = STR("x");
    assert_false(scratch_put(s, "link", &one, 1, &e));
    scratch_close(s);
    arena_done(&a);
}

static void abandoned_folders_are_removed_and_living_ones_stay(void **state)
{
    struct scratch *living, *later;
    struct arena a;
    struct err e;
    (void)state;
    arena_init(&a);
    assert_true(scratch_open(&living, &e));
    struct str base = path_dir(str_of(scratch_path(living)));
    char *abandoned = arena_printf(&a, STR_FMT "/assay-scratch-abandoned", STR_ARG(base));
    assert_true(file_make_dirs(path_join(&a, abandoned, "7"), &e));
    assert_true(scratch_open(&later, &e));
    assert_int_equal(file_stat(abandoned).kind, FILE_MISSING);
    assert_int_equal(file_stat(scratch_path(living)).kind, FILE_DIRECTORY);
    scratch_close(later);
    scratch_close(living);
    arena_done(&a);
}

/* A read error of the machine differs from a file that its writer has spoilt. */
static void trouble_of_the_machine_is_no_bad_data(void **state)
{
    static const char *const argv[] = {"assay-test", "--scratch-fault", NULL};
    static const char *const env[] = {"FAULT=read:1", "ASAN_OPTIONS=detect_leaks=0", NULL};
    const struct process_spec spec = {.argv = argv, .env = env};
    struct arena a;
    struct process_end end;
    struct err e;
    (void)state;
    arena_init(&a);
    assert_true(process_run(&spec, &a, &end, &e));
    assert_true(end.exited && end.exit_code == 0);
    arena_done(&a);
}

static size_t count_descriptors(void)
{
    size_t n = 0;
    DIR *dir = opendir("/proc/self/fd");
    while (dir && readdir(dir))
        n++;
    closedir(dir);
    return n;
}

static void files_written_and_read_leave_no_descriptor(void **state)
{
    struct scratch *s;
    struct arena a;
    struct err e;
    (void)state;
    arena_init(&a);
    assert_true(scratch_open(&s, &e));
    size_t before = count_descriptors();
    for (int i = 0; i < 20; i++) {
        struct str part = STR("text"), back;
        assert_true(scratch_put(s, "file", &part, 1, &e));
        assert_true(scratch_get(s, "file", 100, &a, &back, &e) && str_eq(back, part));
        assert_false(scratch_get(s, "file", 2, &a, &back, &e)); /* above its limit */
    }
    assert_int_equal(count_descriptors(), before);
    scratch_close(s);
    arena_done(&a);
}

TEST_SUITE(os_scratch, TEST(files_written_and_read_leave_no_descriptor),
           TEST(trouble_of_the_machine_is_no_bad_data), TEST(what_is_put_is_got),
           TEST(hostile_results_are_refused),
           TEST(abandoned_folders_are_removed_and_living_ones_stay))
