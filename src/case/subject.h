/*
 * All that depends on the kind of a case, with a row and a file per kind (subject_graph.c,
 * subject_program.c): its name and file on disk, its hash, how it is written and read, what it is
 * made of. Code for cases of any kind goes through these rows; only files named for a subject use
 * tcase.graph or tcase.program (tools/check-subjects).
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

/* A file beside each kept program, from the target's description: Python code that runs a program
 * in one mode of the engine. It imports sys and defines run(source, entry, mode), which returns
 * {capture: number, list or text}. */
#define PROGRAM_RUNNER "run_program.py"

struct subject {
    enum case_kind kind;
    const char *name; /* in case.json: "graph", "program" */
    const char *file; /* in the case's folder, and for workers: "model.onnx" */

    /* Hashes what is tested, without inputs. */
    void (*hash)(const struct tcase *c, struct hasher *h);
    /* Writes its files below dir, and its keys into the open object of case.json. */
    bool (*write)(const char *dir, const struct tcase *c, struct json_out *w, struct arena *a,
                  struct err *e);
    bool (*read)(const char *dir, const struct json *j, struct arena *a, struct tcase *c,
                 struct err *e);

    /* Its operators in order, or the APIs that a program has reached by its observations. *n: its
     * size as the reducer counts it: nodes without Constant, or lines that are no comment. */
    struct str (*parts)(const struct tcase *c, const struct observation *seen, size_t n_seen,
                        struct arena *a, int64_t *n);
    /* Counts each operator, to compare with what optimisers make of them; none for a program. */
    void (*count)(const struct tcase *c, struct arena *a, struct map *operators);
    /* The parts as a set with dtypes, sorted: "Add/float Relu/double". */
    struct str (*words)(const struct tcase *c, const struct observation *seen, size_t n_seen,
                        struct arena *a);
};

const struct subject *case_subject(const struct tcase *c);
const struct subject *subject_find(struct str name); /* NULL: there is none */

/* The graph of a case; NULL: it is a program. */
const struct model *case_model(const struct tcase *c);
/* The program of a case; NULL: it is a graph. */
const struct program *case_program(const struct tcase *c);

/* Joins a list of words, each once and sorted, with the separator after each. */
struct str subject_join_sorted(struct str *words, size_t n, char separator, struct arena *a);

extern const struct subject subject_graph, subject_program;

#endif
