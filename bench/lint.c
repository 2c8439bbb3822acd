/* lint FOLDER: the CPU time of all rules at low confidence, without prefilter, and of a bare parse
 * of the same files. The two alternate in one process, half a megabyte of files at a time, in five
 * rounds. Prints one JSON line: the medians of both and of their ratio. A bare parse is tree-sitter
 * with the system's malloc (bare_parse.h); the linter gives the parser memory of its own, but only
 * while it reads a file.
 *
 * lint FOLDER --print: prints the findings, one per line, to compare two builds.
 */
#include <stdio.h>

#include "bare_parse.h"
#include "base/clock.h"
#include "base/file.h"
#include "lint/discover.h"
#include "lint/lint.h"

enum { ROUNDS = 5, FILE_BYTES_MAX = 1 << 20, SLICE_BYTES = 512 << 10 };

struct corpus {
    struct str *texts;
    const char **paths;
    size_t n;
    uint64_t n_bytes;
};

static void read_corpus(const char *folder, struct arena *a, struct corpus *out)
{
    struct discover_options o = {.no_gitignore = true};
    struct discovered found;
    struct err e = {0};
    if (!discover_files(&folder, 1, &o, a, &found, &e)) {
        fprintf(stderr, "%s\n", e.text);
        exit(1);
    }
    out->texts = arena_new_array(a, struct str, found.files.n);
    out->paths = arena_new_array(a, const char *, found.files.n);
    for (size_t i = 0; i < found.files.n; i++) {
        struct str text;
        if (!str_ends(str_of(found.files.at[i].path), STR(".py")) ||
            !file_read(found.files.at[i].path, FILE_BYTES_MAX, a, &text, &e))
            continue;
        out->paths[out->n] = found.files.at[i].path;
        out->texts[out->n++] = text;
        out->n_bytes += text.n;
    }
}

/* Files that are parsed, then linted, in so short a time that other load on the machine affects
 * both alike. */
struct slice {
    size_t from, to;
};

static struct slice slice_from(const struct corpus *c, size_t from)
{
    struct slice s = {from, from};
    for (size_t n_bytes = 0; s.to < c->n && n_bytes < SLICE_BYTES; s.to++)
        n_bytes += c->texts[s.to].n;
    return s;
}

static double seconds_since(int64_t start)
{
    return (double)(clock_cpu_ns() - start) / 1e9;
}

static double parse_slice(TSParser *parser, const struct corpus *c, struct slice slice)
{
    int64_t start = clock_cpu_ns();
    for (size_t i = slice.from; i < slice.to; i++)
        bare_parse(parser, c->texts[i]);
    return seconds_since(start);
}

static void print_findings(const struct file_report *r)
{
    for (size_t i = 0; i < r->n; i++) {
        const struct finding *f = &r->findings[i];
        printf(STR_FMT ":%u:%u-%u:%u " STR_FMT " %d %u " STR_FMT "\n", STR_ARG(r->path),
               f->start.line, f->start.column, f->end.line, f->end.column, STR_ARG(f->code),
               (int)f->confidence, f->fix.n_edits, STR_ARG(f->message));
        for (uint32_t k = 0; k < f->n_related; k++)
            printf("    %u " STR_FMT "\n", f->related[k].start.line,
                   STR_ARG(f->related[k].message));
    }
}

static double lint_slice(struct linter *l, const struct corpus *c, struct slice slice, bool prints)
{
    int64_t start = clock_cpu_ns();
    for (size_t i = slice.from; i < slice.to; i++) {
        struct arena a;
        struct file_report r;
        struct lint_input in = {.path = str_of(c->paths[i]), .bytes = c->texts[i]};
        arena_init(&a);
        linter_run(l, &in, &a, &r);
        if (prints)
            print_findings(&r);
        arena_done(&a);
    }
    return seconds_since(start);
}

/* Parses and lints all files, slice by slice. */
static void run_round(struct linter *l, const struct corpus *c, double *parse_s, double *lint_s)
{
    TSParser *parser = bare_parser_new();
    *parse_s = *lint_s = 0;
    for (struct slice s = slice_from(c, 0); s.from < c->n; s = slice_from(c, s.to)) {
        *parse_s += parse_slice(parser, c, s);
        *lint_s += lint_slice(l, c, s, false);
    }
    ts_parser_delete(parser);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    struct arena a;
    struct corpus c = {0};
    struct rule_set *rules;
    struct selection *s;
    struct err e = {0};
    struct rule_set_options ro = {0};
    const char *all = "ALL";
    struct choice choice = {.select = {&all, 1}};
    double parse[ROUNDS], lint[ROUNDS], ratio[ROUNDS];
    arena_init(&a);
    read_corpus(argc > 1 ? argv[1] : ".", &a, &c);
    if (!rule_set_new(&ro, &rules, &e) || !selection_new(rules, &choice, &a, &s, &e)) {
        fprintf(stderr, "%s\n", e.text);
        return 1;
    }
    struct lint_options o = {
        .selection = s, .min_confidence = CONFIDENCE_LOW, .no_prefilter = true};
    struct linter *l = linter_new(rules, &o);
    if (argc > 2 && str_is(str_of(argv[2]), "--print")) {
        lint_slice(l, &c, (struct slice){0, c.n}, true);
        return 0;
    }
    for (int i = 0; i < ROUNDS; i++) {
        run_round(l, &c, &parse[i], &lint[i]);
        ratio[i] = lint[i] / parse[i];
    }
    qsort(parse, ROUNDS, sizeof *parse, by_value);
    qsort(lint, ROUNDS, sizeof *lint, by_value);
    qsort(ratio, ROUNDS, sizeof *ratio, by_value);
    printf("{\"bench\": \"lint\", \"files\": %zu, \"bytes\": %llu, \"parse_s\": %.3f, \"lint_s\": "
           "%.3f, "
           "\"ratio\": %.2f, \"ratio_min\": %.2f, \"ratio_max\": %.2f, \"lint_s_min\": %.3f, "
           "\"lint_s_max\": %.3f}\n",
           c.n, (unsigned long long)c.n_bytes, parse[ROUNDS / 2], lint[ROUNDS / 2],
           ratio[ROUNDS / 2], ratio[0], ratio[ROUNDS - 1], lint[0], lint[ROUNDS - 1]);
    linter_free(l);
    rule_set_free(rules);
    arena_done(&a);
    return 0;
}
