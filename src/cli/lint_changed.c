/* Reads `git diff -U0` (line ranges of the new side) and the list of untracked files. */
#include "cli/lint_changed.h"

#include "base/file.h"
#include "base/map.h"
#include "base/path.h"
#include "os/process.h"

enum { GIT_OUTPUT_MAX = 256 << 20 };

struct range {
    uint32_t first, end; /* end exclusive */
};

struct changed {
    VEC(struct range) ranges;
    bool whole; /* a new file */
};

static bool git(const char *const *argv, struct arena *a, struct str *out, struct err *e)
{
    static const char *const env[] = {"LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", NULL};
    const char *program;
    struct process_end end;
    if (!process_find_program("git", a, &program, e))
        return false;
    struct process_spec spec = {.program = program,
                                .argv = argv,
                                .env = env,
                                .out = PROCESS_CAPTURE,
                                .err = PROCESS_CAPTURE,
                                .output_max = GIT_OUTPUT_MAX};
    if (!process_run(&spec, a, &end, e))
        return false;
    if (!end.exited || end.exit_code != 0)
        return err_set(e, ERR_USAGE, "--changed-since: git: " STR_FMT,
                       STR_ARG(str_trim(str_sub(end.err, 0, str_find_byte(end.err, '\n')))));
    *out = end.out;
    return true;
}

static struct changed *changed_at(struct map *m, struct arena *a, struct str path)
{
    bool added;
    uint64_t *at = map_at(m, a, path, &added);
    if (added)
        *at = (uint64_t)(uintptr_t)arena_new(a, struct changed);
    return (struct changed *)(uintptr_t)*at;
}

/* "@@ -a,b +c,d @@": the new side's lines. */
static bool read_hunk(struct str line, struct range *out)
{
    size_t plus = str_find_byte(line, '+');
    struct str rest = str_sub(line, plus + 1, line.n);
    rest = str_sub(rest, 0, str_find_byte(rest, ' '));
    size_t comma = str_find_byte(rest, ',');
    uint64_t first, n = 1;
    if (!str_to_u64(str_sub(rest, 0, comma), &first) ||
        (comma < rest.n && !str_to_u64(str_sub(rest, comma + 1, rest.n), &n)))
        return false;
    *out = (struct range){(uint32_t)first, (uint32_t)(first + n)};
    return true;
}

static void read_diff(struct str text, struct arena *a, struct map *out)
{
    struct str line;
    struct changed *now = NULL;
    while (str_split(&text, '\n', &line)) {
        struct range r;
        if (str_starts(line, STR("+++ ")))
            now = str_starts(line, STR("+++ b/")) ? changed_at(out, a, str_sub(line, 6, line.n))
                                                  : NULL;
        else if (now && str_starts(line, STR("@@ ")) && read_hunk(line, &r))
            vec_push(&now->ranges, a, r);
    }
}

static bool is_changed(const struct changed *c, const struct finding *f)
{
    for (size_t i = 0; i < c->ranges.n; i++)
        if (f->first_line < c->ranges.at[i].end && f->last_line >= c->ranges.at[i].first)
            return true;
    return c->whole;
}

bool lint_keep_changed(const char *revision, struct file_report *files, size_t n, struct arena *a,
                       struct err *e)
{
    const char *const diff[] = {"git",           "diff",       "-U0",         "--no-color",
                                "--no-ext-diff", "--relative", "--no-prefix", "--dst-prefix=b/",
                                revision,        "--",         NULL};
    static const char *const others[] = {"git", "ls-files", "-o", "--exclude-standard", NULL};
    struct str text, line;
    struct map changed = {0};
    const char *root;
    if (revision[0] == '-')
        return err_set(e, ERR_USAGE, "--changed-since: a revision is expected, got \"%s\"",
                       revision);
    if (!git(diff, a, &text, e))
        return false;
    read_diff(text, a, &changed);
    if (!git(others, a, &text, e) || !file_current_dir(a, &root, e))
        return false;
    while (str_split(&text, '\n', &line))
        if (line.n)
            changed_at(&changed, a, line)->whole = true;
    for (size_t i = 0; i < n; i++) {
        struct str path = str_of(path_normalise(a, files[i].path));
        size_t kept = 0;
        if (str_starts(path, str_of(root)) && path.n > strlen(root))
            path = str_sub(path, strlen(root) + 1, path.n);
        uint64_t *at = map_get(&changed, path);
        const struct changed *c = at ? (const struct changed *)(uintptr_t)*at : NULL;
        for (size_t k = 0; c && k < files[i].n; k++)
            if (is_changed(c, &files[i].findings[k]))
                files[i].findings[kept++] = files[i].findings[k];
        files[i].n = kept;
    }
    return true;
}
