/*
 * struct issue_record: one issue about a framework: where it is, what it says, and the program that
 * shows it. struct issue_corpus: those compiled in, and those imported below a folder.
 *
 *     struct issue_corpus all = {0};
 *     if (!issue_corpus_load(home, arena, &all, e)) ...
 *     const struct issue_record *r = issue_corpus_find(&all, STR("pytorch/pytorch#31192"));
 *
 * Everything imported is untrusted: texts are data, programs run only in the sandbox. What cannot
 * be read is counted and left out, never guessed.
 */
#ifndef GENERATE_CORPUS_RECORD_H
#define GENERATE_CORPUS_RECORD_H

#include "base/arena.h"
#include "base/err.h"
#include "base/json.h"
#include "base/vec.h"

/* The paper's categories of errors of an optimiser (YANHUI, section 3). */
enum issue_category {
    CATEGORY_WRONG_TYPE,
    CATEGORY_SHAPE,
    CATEGORY_DTYPE,
    CATEGORY_OPERATION,
    CATEGORY_METADATA,
    CATEGORY_OTHER, /* silent wrong results, crashes, and what no row of the table names */
    CATEGORY_COUNT
};
const char *issue_category_name(enum issue_category c); /* "wrong-type", "shape", ... */

struct issue_record {
    struct str id; /* "pytorch/pytorch#31192"; of a file its path */
    struct str url, title, framework, state, error, text, code;
    struct str exception; /* class that the error begins with: "RuntimeError"; "": none */
    const struct str *labels, *apis;
    size_t n_labels, n_apis;
    enum issue_category category;
};

struct issue_corpus {
    VEC(struct issue_record) records; /* in order of the files, each id once */
    size_t n_without_code, n_unreadable, n_twice;
};

enum { ISSUE_BODY_MAX = 256 << 10, ISSUE_FILE_MAX = 256 << 20 };

/* The default corpus, and home/corpus/ *.jsonl; home NULL: the default alone. */
bool issue_corpus_load(const char *home, struct arena *a, struct issue_corpus *out, struct err *e);

/* Adds what a path holds: JSON lines, a GitHub answer (an array, or an object with items) or a
 * folder of .py files. ERR_DATA: none of these. */
bool issue_corpus_add(struct issue_corpus *c, const char *path, struct arena *a, struct err *e);

/* By id, or by the end of one ("#31192"). NULL: none. */
const struct issue_record *issue_corpus_find(const struct issue_corpus *c, struct str id);

/* As a line of JSON, in the form that is read. */
void issue_record_write(const struct issue_record *r, struct strbuf *out);

/* The code of a GitHub comment: its first fence that reads like a program of a framework, without
 * prompts and shell lines; "": none. */
struct str issue_extract_code(struct str body, struct arena *a);
/* The last line of its traceback, "RuntimeError: ..."; "": none. */
struct str issue_extract_error(struct str body);

#endif
