/* `assay docs check FRAMEWORK`: runs every documented example of an installed framework and
 * compares what it prints. */
#ifndef CLI_DOCS_CHECK_H
#define CLI_DOCS_CHECK_H

#include "cli/settings.h"
#include "documents/record.h"
#include "target/target.h"

/* An installed framework and the records of its API, which are dumped once per version. */
struct docs {
    struct targets targets;
    const struct target_installation *installation;
    const char *home, *out; /* out: folder of this framework and version */
    struct api_records records;
};

bool docs_open(const struct settings *s, const char *framework, struct docs *out, struct err *e);

/* The record of a call's symbol; TensorFlow's calls are written with "tf", its records with
 * "tensorflow". NULL: there is none. */
const struct api_record *docs_record(const struct docs *d, struct str symbol, struct arena *a);

enum { DOCS_WORDS_MAX = 2 };

/* A script of py/assay_worker/ with an order, whose answer is kept in a folder of docs->out. */
struct docs_job {
    const char *folder, *script;
    const char *words[DOCS_WORDS_MAX];
    size_t n_words;
    int64_t deadline_ms;
    size_t answer_max; /* bytes of a kept answer that are read */
};

/* The answer to an order: from an earlier run, or from the worker. */
bool docs_answer(const struct docs *d, const struct docs_job *job, struct str order,
                 struct arena *a, struct str *answer, struct err *e);

bool docs_check(const struct settings *s, const char *framework, int *exit_code, struct err *e);

#endif
