/*
 * Rates over a list of files, in MB/s of CPU time: of the bare tree-sitter parse (bare_parse.h) and
 * of our analysis of the same bytes. Rounds alternate; medians with spread are printed as one JSON
 * line: "tree" is parse and flat tree, "names" adds names and scopes, "flow" adds the control flow
 * and def-use of all scopes.
 *
 *     bench_parse [--rounds N] [@LIST | FILE]...        @LIST: a file with one path per line
 */
#include <stdio.h>
#include <stdlib.h>

#include "bare_parse.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/vec.h"
#include "python/flow.h"

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

/* How far to analyse. */
enum stage { STAGE_PARSE, STAGE_TREE, STAGE_NAMES, STAGE_FLOW, N_STAGES };

static const char *const stage_names[N_STAGES] = {"parse", "tree", "names", "flow"};

struct session {
    TSParser *bare;
    struct py_parser *parser;
    struct paths *paths;
    size_t n_words, n_paths;
};

static void solve_all(const struct names *n)
{
    struct arena work; /* struct names has an arena of its own */
    arena_init(&work);
    for (uint32_t i = 0; i < n->n_scopes; i++) {
        struct cfg c;
        struct flow f;
        if (n->scopes[i].kind != SCOPE_COMPREHENSION &&
            cfg_build(n, i, &cfg_default_limits, &work, &c))
            flow_build(&c, &work, &f);
        arena_reset(&work);
    }
    arena_done(&work);
}

static void analyse(struct session *s, struct str text, enum stage stage, struct arena *a)
{
    struct source_limits limits = {.max_bytes = MAX_FILE};
    struct source src;
    struct tree t;
    struct names n;
    struct err e;
    if (!source_open(&(struct source_input){STR("bench"), text, SOURCE_FILE}, &limits, a, &src,
                     &e) ||
        !tree_read(s->parser, &src, a, &t, &e))
        return;
    if (stage >= STAGE_NAMES)
        names_build(&t, s->paths, NULL, a, &n);
    if (stage >= STAGE_FLOW)
        solve_all(&n);
    py_parser_trim(s->parser, s->n_words, 100000);
    paths_trim(s->paths, s->n_paths);
}

static double run_stage(struct session *s, const struct texts *texts, enum stage stage)
{
    struct arena a;
    arena_init(&a);
    int64_t start = clock_cpu_ns();
    for (size_t i = 0; i < texts->at.n; i++) {
        if (stage == STAGE_PARSE)
            bare_parse(s->bare, texts->at.at[i]);
        else
            analyse(s, texts->at.at[i], stage, &a);
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

static void measure(struct session *s, const struct texts *texts, size_t n_rounds)
{
    double ns[N_STAGES][MAX_ROUNDS];
    for (size_t i = 0; i < n_rounds; i++)
        for (unsigned stage = 0; stage < N_STAGES; stage++)
            ns[stage][i] = run_stage(s, texts, (enum stage)stage);
    struct strbuf out = {0};
    struct json_out w = json_open(&out, JSON_COMPACT);
    json_begin_object(&w);
    json_pair_cstr(&w, "bench", "parse");
    json_pair_u64(&w, "files", texts->at.n);
    json_pair_u64(&w, "bytes", texts->n_bytes);
    json_pair_u64(&w, "rounds", n_rounds);
    for (unsigned stage = 0; stage < N_STAGES; stage++)
        put_rate(&w, stage_names[stage], ns[stage], n_rounds, texts->n_bytes);
    for (unsigned stage = 1; stage < N_STAGES; stage++) {
        char name[32];
        snprintf(name, sizeof name, "%s_to_parse", stage_names[stage]);
        json_pair_double(&w, name, ns[stage][n_rounds / 2] / ns[STAGE_PARSE][n_rounds / 2]);
    }
    json_end_object(&w);
    puts(out.at);
    strbuf_done(&out);
}

int main(int argc, char **argv)
{
    struct arena a;
    struct err e;
    struct texts texts = {0};
    struct session s;
    int64_t n_rounds = DEFAULT_ROUNDS;
    arena_init(&a);
    for (int i = 1; i < argc; i++) {
        if (str_is(str_of(argv[i]), "--rounds") && i + 1 < argc &&
            str_to_i64(str_of(argv[i + 1]), &n_rounds)) {
            i++;
            continue;
        }
        if (!add_argument(&texts, argv[i], &a, &e)) {
            fprintf(stderr, "bench_parse: %s\n", e.text);
            return 1;
        }
    }
    if (!texts.at.n || n_rounds < 1 || n_rounds > MAX_ROUNDS || !py_parser_open(&s.parser, &e)) {
        fprintf(stderr, "use: bench_parse [--rounds 1..%d] [@LIST | FILE]...\n", MAX_ROUNDS);
        return 1;
    }
    s.bare = bare_parser_new();
    s.paths = paths_new(s.parser);
    s.n_words = py_parser_word_count(s.parser);
    s.n_paths = paths_count(s.paths);
    measure(&s, &texts, (size_t)n_rounds);
    ts_parser_delete(s.bare);
    paths_free(s.paths);
    py_parser_close(s.parser);
    arena_done(&a);
    return 0;
}
