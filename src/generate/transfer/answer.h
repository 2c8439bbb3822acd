/*
 * What a language model's reply is worth: repairs what is surely meant, and names the first thing
 * that is wrong. An accepted program is still only data, to be run in the sandbox.
 *
 *     struct answer_library library = {0};
 *     answer_library_add(&library, &records, arena);        // of each package of the target
 *     struct answer_check check = {.words = words, .translator = &t, .library = &library,
 *                                  .api = core_api};
 *     answer_read(&check, &reader, &reply, arena, &answer);
 *     if (answer.failure == ANSWER_ACCEPTED) ... answer.program
 *     else ... answer_failure_name(answer.failure), answer.detail
 *
 * Names are looked up in the library only: without records of a package nothing is said of its
 * names. Invariant: a program is refused for what is surely wrong, so what is not known is no
 * failure: attributes that are no calls, modules that records leave out, signatures with **.
 */
#ifndef GENERATE_TRANSFER_ANSWER_H
#define GENERATE_TRANSFER_ANSWER_H

#include "documents/record.h"
#include "generate/transfer/translate.h"
#include "llm/llm.h"

enum answer_failure {
#define ANSWER_FAILURE(id, name) ANSWER_##id,
#include "generate/transfer/answer_failures.def"
#undef ANSWER_FAILURE
    ANSWER_N_FAILURES
};

enum answer_repair {
#define ANSWER_REPAIR(id, name) ANSWER_REPAIR_##id,
#include "generate/transfer/answer_repairs.def"
#undef ANSWER_REPAIR
    ANSWER_N_REPAIRS
};

const char *answer_failure_name(enum answer_failure f);
const char *answer_repair_name(enum answer_repair r);

enum { ANSWER_LIBRARIES_MAX = 4 };

struct answer_library {
    const struct api_records *at[ANSWER_LIBRARIES_MAX];
    size_t n;
    struct map modules; /* every prefix of a name: "keras", "keras.ops" */
};

void answer_library_add(struct answer_library *l, const struct api_records *records,
                        struct arena *a);

struct answer_check {
    const struct json *words; /* share/prompts/transfer.json */
    const struct translator *translator;
    const struct answer_library *library;
    struct str program; /* the source */
    struct str api;     /* what the issue is about; empty: not known */
};

struct answer {
    struct str program; /* repaired; also where it is not accepted */
    enum answer_failure failure;
    struct str detail;
    unsigned repairs; /* bit set of enum answer_repair */
};

void answer_read(const struct answer_check *check, struct reader *reader,
                 const struct llm_reply *reply, struct arena *a, struct answer *out);

#endif
