/* hunt.log: repeats are counted, control characters break no line, the file is rotated. */
#include "hunt/campaign/log_file_p.h"

#include <string.h>

#include "base/file.h"
#include "base/log.h"
#include "base/path.h"
#include "unit/test.h"

/* The file without its time stamps. */
static struct str said(const char *dir, const char *name, struct arena *a)
{
    struct str text, line;
    struct strbuf out = {0};
    struct err e;
    if (!file_read(path_join(a, dir, name), 1 << 20, a, &text, &e))
        return STR("");
    while (str_split(&text, '\n', &line)) {
        size_t blank = str_find_byte(line, ' ');
        if (line.n)
            strbuf_printf(&out, STR_FMT "\n", STR_ARG(str_sub(line, blank + 1, line.n)));
    }
    struct str all = strbuf_dup(&out, a);
    strbuf_done(&out);
    return all;
}

static void a_line_that_comes_again_is_counted(void **state)
{
    struct arena a;
    struct err e;
    struct log_file f;
    const char *dir;
    (void)state;
    arena_init(&a);
    if (!file_make_temp_dir(&a, "log", &dir, &e))
        fail_msg("%s", e.text);
    log_set_level(LOG_NOTHING);
    log_file__open(&f, dir, &a);
    log_debug("begins");
    for (int i = 0; i < 4; i++)
        log_warn("pilot 0 ended: \033[31mkilled");
    log_info("stops");
    log_file__close(&f);
    log_warn("after the end");
    log_set_level(LOG_WARN);
    struct str text = said(dir, "hunt.log", &a);
    if (!str_is(text, "begins\nwarning: pilot 0 ended: \\x1b[31mkilled\nthe line above came 3 more "
                      "times\nstops\n"))
        fail_msg(STR_FMT, STR_ARG(text));
    assert_true(file_remove_tree(dir, &e));
    arena_done(&a);
}

static void two_files_are_kept(void **state)
{
    struct arena a;
    struct err e;
    struct log_file f;
    const char *dir;
    (void)state;
    arena_init(&a);
    if (!file_make_temp_dir(&a, "log", &dir, &e))
        fail_msg("%s", e.text);
    log_set_level(LOG_NOTHING);
    log_file__open(&f, dir, &a);
    f.most = 100;
    for (int i = 0; i < 9; i++)
        log_info("%d: a line of forty bytes and no more", i);
    log_file__close(&f);
    log_set_level(LOG_WARN);
    assert_true(file_stat(path_join(&a, dir, "hunt.log")).size <= 100);
    assert_true(file_stat(path_join(&a, dir, "hunt.log.1")).size <= 100);
    assert_true(str_starts(said(dir, "hunt.log", &a), STR("8:")));
    assert_true(str_starts(said(dir, "hunt.log.1", &a), STR("7:")));
    assert_true(file_remove_tree(dir, &e));
    arena_done(&a);
}

TEST_SUITE(hunt_log_file, TEST(a_line_that_comes_again_is_counted), TEST(two_files_are_kept))
