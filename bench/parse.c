/*
 * Rates over a list of files, in MB/s of CPU time: the bare tree-sitter parse, and beside it our whole way over the same bytes
 * (parse, flat tree, names, and the control flow and def-use of every scope). Rounds alternate, medians with spread are
 * printed as one JSON line.
 *
 *     bench_parse [--rounds N] [@LIST | FILE]...        @LIST: a file with one path a line
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/vec.h"
#include "python/tree.h"

enum { MAX_FILE = 16 << 20, MAX_ROUNDS = 99, DEFAULT_ROUNDS = 5 };

struct texts {
    VEC(struct str) at;
    size_t n_bytes;
};

static bool add_file(struct texts *texts, const char *path, struct arena *a, struct err *e)
{
    struct str text;
    if (!file_read(path, MAX_FILE, a, &text, e))
        return false;
    vec_push(&texts->at, a, text);
    texts->n_bytes += text.n;
    return true;
}

static bool add_argument(struct texts *texts, const char *argument, struct arena *a, struct err *e)
{
    if (argument[0] != '@')
        return add_file(texts, argument, a, e);
    struct str list, line;
    if (!file_read(argument + 1, MAX_FILE, a, &list, e))
        return false;
    while (str_split(&list, '\n', &line))
        if (line.n && !add_file(texts, str_dup(a, line), a, e))
            return false;
    return true;
}

static double parse_all(struct py_parser *p, const struct texts *texts)
{
    int64_t start = clock_cpu_ns();
    for (size_t i = 0; i < texts->at.n; i++)
        py_parser_parse_only(p, texts->at.at[i]);
    return (double)(clock_cpu_ns() - start);
}

static void analyse(struct py_parser *p, struct str text, struct arena *a)
{
    struct source_limits limits = {.max_bytes = MAX_FILE};
    struct source s;
    struct tree t;
    struct err e;
    if (!source_open(STR("bench"), text, SOURCE_FILE, &limits, a, &s, &e) || !tree_read(p, &s, a, &t, &e))
        return;
}

static double analyse_all(struct py_parser *p, const struct texts *texts)
{
    struct arena a;
    arena_init(&a);
    int64_t start = clock_cpu_ns();
    for (size_t i = 0; i < texts->at.n; i++) {
        analyse(p, texts->at.at[i], &a);
        arena_reset(&a);
    }
    double ns = (double)(clock_cpu_ns() - start);
    arena_done(&a);
    return ns;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void put_rate(struct json_out *w, const char *name, double *ns, size_t n, size_t n_bytes)
{
    qsort(ns, n, sizeof *ns, compare);
    json_key(w, name);
    json_begin_object(w);
    json_pair_double(w, "MB/s", (double)n_bytes * 1e3 / ns[n / 2]);
    json_pair_double(w, "slowest", (double)n_bytes * 1e3 / ns[n - 1]);
    json_pair_double(w, "fastest", (double)n_bytes * 1e3 / ns[0]);
    json_end_object(w);
}

static void measure(struct py_parser *p, const struct texts *texts, size_t n_rounds)
{
    double parse_ns[MAX_ROUNDS], analyse_ns[MAX_ROUNDS];
    for (size_t i = 0; i < n_rounds; i++) {
        parse_ns[i] = parse_all(p, texts);
        analyse_ns[i] = analyse_all(p, texts);
    }
    struct strbuf out = {0};
    struct json_out w = json_open(&out, JSON_COMPACT);
    json_begin_object(&w);
    json_pair_cstr(&w, "bench", "parse");
    json_pair_u64(&w, "files", texts->at.n);
    json_pair_u64(&w, "bytes", texts->n_bytes);
    json_pair_u64(&w, "rounds", n_rounds);
    put_rate(&w, "parse", parse_ns, n_rounds, texts->n_bytes);
    put_rate(&w, "analyse", analyse_ns, n_rounds, texts->n_bytes);
    json_pair_double(&w, "ratio", analyse_ns[n_rounds / 2] / parse_ns[n_rounds / 2]);
    json_end_object(&w);
    puts(out.at);
    strbuf_done(&out);
}

int main(int argc, char **argv)
{
    struct arena a;
    struct err e;
    struct texts texts = {0};
    struct py_parser *p;
    int64_t n_rounds = DEFAULT_ROUNDS;
    arena_init(&a);
    for (int i = 1; i < argc; i++) {
        if (str_is(str_of(argv[i]), "--rounds") && i + 1 < argc && str_to_i64(str_of(argv[i + 1]), &n_rounds)) {
            i++;
            continue;
        }
        if (!add_argument(&texts, argv[i], &a, &e)) {
            fprintf(stderr, "bench_parse: %s\n", e.text);
            return 1;
        }
    }
    if (!texts.at.n || n_rounds < 1 || n_rounds > MAX_ROUNDS || !py_parser_open(&p, &e)) {
        fprintf(stderr, "use: bench_parse [--rounds 1..%d] [@LIST | FILE]...\n", MAX_ROUNDS);
        return 1;
    }
    measure(p, &texts, (size_t)n_rounds);
    py_parser_close(p);
    arena_done(&a);
    return 0;
}
