/* Injected failures of files: the call at each point fails with a message and leaves nothing half
 * written; with a shared count one call of all processes fails. Each row runs in a child and before
 * the other suites, because a process reads FAULT once. */
#include "base/fault.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"
#include "unit/test.h"

struct place {
    struct arena *a;
    const char *dir;
};

static bool write_one(struct place *p, struct err *e)
{
    return file_write(path_join(p->a, p->dir, "x"), "abc", 3, e);
}

static bool read_one(struct place *p, struct err *e)
{
    struct str got;
    return file_read(path_join(p->a, p->dir, "old"), 10, p->a, &got, e);
}

static bool map_one(struct place *p, struct err *e)
{
    struct str got;
    return file_map(path_join(p->a, p->dir, "old"), 10, p->a, &got, e);
}

static bool list_one(struct place *p, struct err *e)
{
    struct file_list list;
    return file_list_dir(p->dir, p->a, &list, e);
}

static bool make_folder(struct place *p, struct err *e)
{
    return file_make_dirs(path_join(p->a, p->dir, "new/newer"), e);
}

static bool remove_one(struct place *p, struct err *e)
{
    return file_remove_tree(path_join(p->a, p->dir, "old"), e);
}

static const struct {
    const char *fault;
    bool (*act)(struct place *p, struct err *e);
    bool fails;
} rows[] = {
    {"open:1", write_one, true},      {"write:1", write_one, true},
    {"fsync:1", write_one, true},     {"rename:1", write_one, true},
    {"rename:2", write_one, false},   {"open:1", read_one, true},
    {"read:1", read_one, true},       {"open:1", map_one, true},
    {"mmap:1", map_one, true},        {"open:1", list_one, true},
    {"readdir:1", list_one, true},    {"readdir:4", list_one, true},
    {"readdir:9", list_one, false},   {"mkdir:1", make_folder, true},
    {"mkdir:9+", make_folder, false}, {"unlink:1", remove_one, true},
    {"unlink:2", remove_one, false},
};

/* Listing a folder with one file takes four calls of readdir: "old", "." and "..", and the end. */
static bool row_holds(size_t i, struct place *p)
{
    struct err e;
    struct file_list list;
    size_t n_wanted =
        1 + (!rows[i].fails && (rows[i].act == write_one || rows[i].act == make_folder));
    if (rows[i].act == remove_one && !rows[i].fails)
        n_wanted = 0;
    bool ok = rows[i].act(p, &e);
    bool holds = ok != rows[i].fails && (ok || (e.code == ERR_IO || e.code == ERR_DATA)) &&
                 (ok || str_find(str_of(e.text), STR("Input/output error")) < strlen(e.text)) &&
                 file_list_dir(p->dir, p->a, &list, &e) && list.n == n_wanted;
    return (file_remove_tree(p->dir, &e) || file_remove_tree(p->dir, &e)) && holds;
}

static bool in_child(const char *fault, const char *dir, bool (*holds)(size_t, struct place *),
                     size_t i)
{
    int status = 1;
    pid_t pid = fork();
    if (pid == 0) {
        struct arena a;
        arena_init(&a);
        setenv("FAULT", fault, 1);
        _exit(holds(i, &(struct place){&a, dir}) ? 0 : 1);
    }
    waitpid(pid, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Makes the folder by libc, since this must not depend on FAULT. */
static const char *make_place(struct arena *a)
{
    char *dir = arena_strdup(a, "/tmp/assay-test-XXXXXX");
    assert_non_null(mkdtemp(dir));
    FILE *f = fopen(path_join(a, dir, "old"), "w");
    assert_true(f && fputs("old", f) >= 0 && fclose(f) == 0);
    return dir;
}

static void each_point_fails_its_call_and_leaves_nothing(void **state)
{
    struct arena a;
    (void)state;
    arena_init(&a);
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        ASSERT_ROW(in_child(rows[i].fault, make_place(&a), row_holds, i), rows[i].fault);
    arena_done(&a);
}

/* Each child reads once; the third of them fails. */
static bool reads_as_expected(size_t i, struct place *p)
{
    struct err e;
    return read_one(p, &e) == (i != 2) && (i != 2 || fault_is_set());
}

static void a_shared_count_fails_once_in_all_processes(void **state)
{
    struct arena a;
    uint64_t n = 0;
    (void)state;
    arena_init(&a);
    const char *dir = make_place(&a), *counts = path_join(&a, dir, "counts");
    for (size_t i = 0; i < 5; i++)
        ASSERT_ROW(in_child(arena_printf(&a, "read:3@%s", counts), dir, reads_as_expected, i),
                   "shared");
    FILE *f = fopen(counts, "r");
    assert_true(f && fread(&n, sizeof n, 1, f) == 1 && fclose(f) == 0);
    assert_int_equal(n, 5);
    assert_true(unlink(counts) == 0 && unlink(path_join(&a, dir, "old")) == 0 && rmdir(dir) == 0);
    arena_done(&a);
}

/* A read of a file opens it once; nothing fails. */
static bool reads_without_failure(size_t i, struct place *p)
{
    struct err e;
    (void)i;
    return read_one(p, &e);
}

static void all_points_are_counted_at_once(void **state)
{
    struct arena a;
    uint64_t n[24];
    (void)state;
    arena_init(&a);
    const char *dir = make_place(&a), *counts = path_join(&a, dir, "counts");
    for (size_t i = 0; i < 3; i++)
        ASSERT_ROW(in_child(arena_printf(&a, "*:0@%s", counts), dir, reads_without_failure, i),
                   "counted");
    FILE *f = fopen(counts, "r");
    assert_true(f && fread(n, sizeof n, 1, f) == 1 && fgetc(f) == EOF && fclose(f) == 0);
    assert_true(n[0] == 3 && n[1] == 3 && n[2] == 0); /* open, read, write */
    assert_true(unlink(counts) == 0 && unlink(path_join(&a, dir, "old")) == 0 && rmdir(dir) == 0);
    arena_done(&a);
}

TEST_SUITE(base_fault, TEST(each_point_fails_its_call_and_leaves_nothing),
           TEST(a_shared_count_fails_once_in_all_processes), TEST(all_points_are_counted_at_once))
