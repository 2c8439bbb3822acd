/* lint FOLDER: all rules at low confidence, no prefilter, beside the bare parse of the same files,
 * both in one process, alternately, three rounds: one JSON line with the medians and their ratio.
 *
 * lint FOLDER --print: the findings, one a line, to compare two builds by.
 */
#include <stdio.h>

#include "base/clock.h"
#include "base/file.h"
#include "lint/discover.h"
#include "lint/lint.h"

enum { ROUNDS = 3, FILE_BYTES_MAX = 1 << 20 };

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

static double parse_all(const struct corpus *c)
{
    struct py_parser *p;
    struct err e = {0};
    if (!py_parser_open(&p, &e))
        exit(1);
    int64_t start = clock_cpu_ns();
    for (size_t i = 0; i < c->n; i++)
        py_parser_parse_only(p, c->texts[i]);
    double seconds = (double)(clock_cpu_ns() - start) / 1e9;
    py_parser_close(p);
    return seconds;
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

static double lint_all(const struct corpus *c, struct rule_set *rules, struct selection *s,
                       bool prints)
{
    struct lint_options o = {
        .selection = s, .min_confidence = CONFIDENCE_LOW, .no_prefilter = true};
    struct linter *l = linter_new(rules, &o);
    int64_t start = clock_cpu_ns();
    for (size_t i = 0; i < c->n; i++) {
        struct arena a;
        struct file_report r;
        struct lint_input in = {.path = str_of(c->paths[i]), .bytes = c->texts[i]};
        arena_init(&a);
        linter_run(l, &in, &a, &r);
        if (prints)
            print_findings(&r);
        arena_done(&a);
    }
    double seconds = (double)(clock_cpu_ns() - start) / 1e9;
    linter_free(l);
    return seconds;
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
    double parse[ROUNDS], lint[ROUNDS];
    arena_init(&a);
    read_corpus(argc > 1 ? argv[1] : ".", &a, &c);
    if (!rule_set_new(&ro, &rules, &e) || !selection_new(rules, &choice, &a, &s, &e)) {
        fprintf(stderr, "%s\n", e.text);
        return 1;
    }
    if (argc > 2 && str_is(str_of(argv[2]), "--print")) {
        lint_all(&c, rules, s, true);
        return 0;
    }
    for (int i = 0; i < ROUNDS; i++) {
        parse[i] = parse_all(&c);
        lint[i] = lint_all(&c, rules, s, false);
    }
    qsort(parse, ROUNDS, sizeof *parse, by_value);
    qsort(lint, ROUNDS, sizeof *lint, by_value);
    printf("{\"bench\": \"lint\", \"files\": %zu, \"bytes\": %llu, \"parse_s\": %.3f, \"lint_s\": "
           "%.3f, "
           "\"ratio\": %.2f, \"lint_s_min\": %.3f, \"lint_s_max\": %.3f}\n",
           c.n, (unsigned long long)c.n_bytes, parse[ROUNDS / 2], lint[ROUNDS / 2],
           lint[ROUNDS / 2] / parse[ROUNDS / 2], lint[0], lint[ROUNDS - 1]);
    rule_set_free(rules);
    arena_done(&a);
    return 0;
}
