/* The parts of answer.c: what is checked in a program that was read (answer_names.c). */
#ifndef GENERATE_TRANSFER_ANSWER_P_H
#define GENERATE_TRANSFER_ANSWER_P_H

#include "generate/transfer/answer.h"

struct answering {
    const struct answer_check *check;
    struct reader *reader;
    const struct reading *read;
    struct arena *a;
    struct answer *out;
};

/* Names the failure. Returns true. */
bool answer__fail(struct answering *w, enum answer_failure f, struct str detail);
/* The name as records write it: "tensorflow.math.sin" for "tf.math.sin". */
struct str answer__canonical(const struct answering *w, struct str name);
/* Does the name begin with one of the list's, as a whole or before a dot? */
bool answer__is_below(const struct json *list, struct str name);
/* The row of a list of the words: "roots" of "torch". NULL: none. */
const struct json *answer__words(const struct answering *w, const char *list, struct str name);
/* Is the node a name that the program reads, and the whole of it: "a.b" but not the "a" in it? */
bool answer__is_read(const struct tree *t, uint32_t n);
/* The qualified name of what the program reads there. */
bool answer__name(const struct answering *w, uint32_t n, struct str *out);
/* A name that nothing binds; empty: it is bound, or the program may bind any name. */
struct str answer__unbound(const struct answering *w, uint32_t n);

/* Each returns true if it named a failure. */
bool answer__source_is_left(struct answering *w);
bool answer__has_unknown_module(struct answering *w);
bool answer__has_undefined(struct answering *w);
bool answer__has_unknown_api(struct answering *w);
bool answer__has_wrong_arguments(struct answering *w);
bool answer__misses_api(struct answering *w);

#endif
