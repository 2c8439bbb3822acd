/*
 * struct issue_record: one issue about a framework: its address, its text, and the program that
 * shows it. struct issue_corpus: the records compiled in, and those imported from a folder.
 *
 *     struct issue_corpus all = {0};
 *     if (!issue_corpus_load(home, arena, &all, e)) ...
 *     const struct issue_record *r = issue_corpus_find(&all, STR("pytorch/pytorch#31192"));
 *
 * Everything imported is untrusted: texts are data, programs run only in the sandbox. Issues that
 * cannot be read are counted and left out, never guessed.
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
    CATEGORY_OTHER, /* silent wrong results, crashes, and texts that no row of the table matches */
    CATEGORY_COUNT
};
const char *issue_category_name(enum issue_category c); /* "wrong-type", "shape", ... */

struct issue_record {
    struct str id; /* "pytorch/pytorch#31192", or the path of a file */
    struct str url, title, framework, state, error, text, code;
    struct str exception; /* class at the start of the error: "RuntimeError"; "": none */
    const struct str *labels, *apis;
    size_t n_labels, n_apis;
    enum issue_category category;
};

struct issue_corpus {
    VEC(struct issue_record) records; /* in order of the files, each id once */
    size_t n_without_code, n_unreadable, n_twice;
};

enum { ISSUE_BODY_MAX = 256 << 10, ISSUE_FILE_MAX = 256 << 20 };

/* Reads the default corpus, and home/corpus/ *.jsonl; home NULL: only the default. */
bool issue_corpus_load(const char *home, struct arena *a, struct issue_corpus *out, struct err *e);

/* Adds the records at a path: JSON lines, a GitHub reply (an array, or an object with items) or a
 * folder of .py files. ERR_DATA: none of these. */
bool issue_corpus_add(struct issue_corpus *c, const char *path, struct arena *a, struct err *e);

/* Finds a record by its id or the end of it ("#31192"). NULL: none. */
const struct issue_record *issue_corpus_find(const struct issue_corpus *c, struct str id);

/* Writes the record as a line of JSON, in the format that issue_corpus_add reads. */
void issue_record_write(const struct issue_record *r, struct strbuf *out);

/* The program in a GitHub comment: the first fence that looks like a program of a framework,
 * without prompts and shell lines; "": none. */
struct str issue_extract_code(struct str body, struct arena *a);
/* The last line of its traceback, "RuntimeError: ..."; "": none. */
struct str issue_extract_error(struct str body);

#endif
