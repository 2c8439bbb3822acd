/*
 * What depends on the kind of a case, one row a kind, one file a kind (subject_graph.c,
 * subject_program.c): its name and file on disk, what its identity hashes, how it is written and
 * read, what it is made of. Whoever works on cases of any kind asks here; only files named for a
 * subject look into tcase.graph or tcase.program (tools/check-subjects).
 *
 *     const struct subject *s = case_subject(c);
 *     if (!s->write(dir, c, &json, arena, e)) ...
 */
#ifndef CASE_SUBJECT_H
#define CASE_SUBJECT_H

#include "base/json.h"
#include "base/map.h"
#include "case/case.h"
#include "case/observation.h"

/* A file beside each kept program, out of the target's description. It is Python that runs a
 * program in one mode of the engine: it imports sys and defines run(source, entry, mode), which
 * returns {capture: number, list or text}. */
#define PROGRAM_RUNNER "run_program.py"

struct subject {
    enum case_kind kind;
    const char *name; /* in case.json: "graph", "program" */
    const char *file; /* in the case's folder, and what a worker is given: "model.onnx" */

    /* What is tested, without inputs: two cases with one hash are one subject. */
    void (*hash)(const struct tcase *c, struct hasher *h);
    /* Its files below dir, and its keys in case.json, whose object is open. */
    bool (*write)(const char *dir, const struct tcase *c, struct json_out *w, struct arena *a,
                  struct err *e);
    bool (*read)(const char *dir, const struct json *j, struct arena *a, struct tcase *c,
                 struct err *e);

    /* Operators in order, or the APIs that observations say were reached; *n: its size as the
     * reducer counts it: nodes without Constant, lines of a program that are no comment. */
    struct str (*parts)(const struct tcase *c, const struct observation *seen, size_t n_seen,
                        struct arena *a, int64_t *n);
    /* How often each operator stands in it, for what optimisers make of them; of a program none. */
    void (*count)(const struct tcase *c, struct arena *a, struct map *operators);
    /* The parts as a set with dtypes, sorted: "Add/float Relu/double". */
    struct str (*words)(const struct tcase *c, const struct observation *seen, size_t n_seen,
                        struct arena *a);
};

const struct subject *case_subject(const struct tcase *c);
const struct subject *subject_find(struct str name); /* NULL */

/* The graph of a case; NULL: it is a program. */
const struct model *case_model(const struct tcase *c);
/* The program of a case; NULL: it is a graph. */
const struct program *case_program(const struct tcase *c);

/* Of a list of words: each once, in order, with the separator behind each. */
struct str subject_join_sorted(struct str *words, size_t n, char separator, struct arena *a);

extern const struct subject subject_graph, subject_program;

#endif
