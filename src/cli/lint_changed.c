/*
 * Asks git in the repository of each file, at its top: `git diff -U0` (line ranges of the new side)
 * and the list of untracked files. Real paths, as git knows files by them.
 */
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

/* git writes "b/tab\\there" for a name with unusual bytes, and a tab after a name with blanks. */
static struct str read_name(struct str text, struct arena *a)
{
    static const char letters[] = "abtnvfr\\\"", bytes[] = "\a\b\t\n\v\f\r\\\"";
    struct strbuf out = {0};
    if (!str_starts(text, STR("\"")))
        return str_sub(text, 0, str_find_byte(text, '\t'));
    for (size_t i = 1; i < text.n && text.at[i] != '"'; i++) {
        if (text.at[i] != '\\' || i + 1 >= text.n) {
            strbuf_addc(&out, text.at[i]);
            continue;
        }
        const char *letter = memchr(letters, text.at[++i], sizeof letters - 1);
        if (letter) {
            strbuf_addc(&out, bytes[letter - letters]);
        } else if (i + 2 < text.n) { /* three octal digits */
            strbuf_addc(&out, (char)((text.at[i] - '0') * 64 + (text.at[i + 1] - '0') * 8 +
                                     (text.at[i + 2] - '0')));
            i += 2;
        }
    }
    struct str name = strbuf_dup(&out, a);
    strbuf_done(&out);
    return name;
}

/* Lines of the diff's content never begin like these: with -U0 they begin with '+' or '-', and a
 * "+++ b/" among them is recognised by the hunk's count of lines. */
static void read_diff(struct str text, struct arena *a, struct map *out)
{
    struct str line;
    struct changed *now = NULL;
    uint32_t n_inside = 0; /* lines of the hunk's new side that are still to come */
    while (str_split(&text, '\n', &line)) {
        struct range r;
        if (n_inside && str_starts(line, STR("+"))) {
            n_inside--;
        } else if (str_starts(line, STR("+++ "))) {
            struct str name = read_name(str_sub(line, 4, line.n), a);
            now = str_starts(name, STR("b/")) ? changed_at(out, a, str_sub(name, 2, name.n)) : NULL;
        } else if (str_starts(line, STR("@@ ")) && read_hunk(line, &r)) {
            n_inside = r.end - r.first;
            if (now)
                vec_push(&now->ranges, a, r);
        }
    }
}

/* has_no_lines: a notebook. Its findings count lines of cells, not of the file, so all of them
 * count as changed.
 */
static bool is_changed(const struct changed *c, const struct finding *f, bool has_no_lines)
{
    for (size_t i = 0; i < c->ranges.n; i++)
        if (has_no_lines ||
            (f->first_line < c->ranges.at[i].end && f->last_line >= c->ranges.at[i].first))
            return true;
    return c->whole;
}

/* What changed in one repository. */
struct repository {
    const char *top;
    struct map changed;
};

static bool ask(const char *revision, struct repository *r, struct arena *a, struct err *e)
{
    const char *const diff[] = {"git",
                                "-C",
                                r->top,
                                "diff",
                                "-U0",
                                "--no-color",
                                "--no-ext-diff",
                                "--no-textconv",
                                "--no-prefix",
                                "--dst-prefix=b/",
                                revision,
                                "--",
                                NULL};
    const char *const others[] = {"git", "-C", r->top, "ls-files", "-o", "-z", "--exclude-standard",
                                  NULL};
    struct str text, name;
    if (!git(diff, a, &text, e))
        return false;
    read_diff(text, a, &r->changed);
    if (!git(others, a, &text, e))
        return false;
    while (str_split(&text, '\0', &name))
        if (name.n)
            changed_at(&r->changed, a, name)->whole = true;
    return true;
}

struct repositories {
    VEC(struct repository *) list;
};

/* The repository that holds a real path: the nearest folder above it with a ".git". */
static bool repository_of(const char *revision, struct str path, struct repositories *known,
                          struct arena *a, struct repository **out, struct err *e)
{
    struct str at = path_dir(path);
    while (at.n > 1 && file_stat(path_join(a, str_dup(a, at), ".git")).kind == FILE_MISSING)
        at = path_dir(at);
    for (size_t i = 0; i < known->list.n; i++)
        if (str_is(at, known->list.at[i]->top)) {
            *out = known->list.at[i];
            return true;
        }
    *out = arena_new(a, struct repository);
    (*out)->top = str_dup(a, at);
    vec_push(&known->list, a, *out);
    return ask(revision, *out, a, e);
}

static bool keep_changed_of(const char *revision, struct file_report *r, struct repositories *known,
                            struct arena *a, struct err *e)
{
    const char *path;
    struct repository *home;
    size_t kept = 0;
    if (r->has_failed && file_stat(str_dup(a, r->path)).kind == FILE_MISSING)
        return true; /* the user named it, and there is no such file */
    if (!file_real_path(str_dup(a, r->path), a, &path, e))
        return false;
    if (!repository_of(revision, str_of(path), known, a, &home, e))
        return err_wrap(e, STR_FMT, STR_ARG(r->path));
    size_t top = strlen(home->top);
    const uint64_t *at = map_get(&home->changed, str_of(path + top + (top > 1)));
    const struct changed *c = at ? (const struct changed *)(uintptr_t)*at : NULL;
    for (size_t k = 0; c && k < r->n; k++)
        if (is_changed(c, &r->findings[k], r->is_notebook || r->has_failed))
            r->findings[kept++] = r->findings[k];
    r->n = kept;
    return true;
}

bool lint_keep_changed(const char *revision, struct file_report *files, size_t n, struct arena *a,
                       struct err *e)
{
    struct repositories known = {0};
    if (revision[0] == '-')
        return err_set(e, ERR_USAGE, "--changed-since: a revision is expected, got \"%s\"",
                       revision);
    for (size_t i = 0; i < n; i++)
        if (files[i].n && !keep_changed_of(revision, &files[i], &known, a, e))
            return false;
    return true;
}
