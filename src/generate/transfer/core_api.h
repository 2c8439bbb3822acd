/*
 * What an issue is about: the function that it names and its program calls last; and what that is
 * called in the target.
 *
 *     struct str api = core_api_of(record, readers, 1, arena);         // "tensorflow.math.sin"
 *     core_api_targets(&translator, words, core_api_in_pairs(api, arena), arena, &names);
 *
 * Immutable; texts are borrowed or live in the arena.
 */
#ifndef GENERATE_TRANSFER_CORE_API_H
#define GENERATE_TRANSFER_CORE_API_H

#include "generate/corpus/record.h"
#include "generate/transfer/translate.h"

/* Functions that make inputs, as the readers' tables list them, are no issue's subject. Empty: it
 * names none that its program calls. */
struct str core_api_of(const struct issue_record *r, const struct reader *readers, size_t n_readers,
                       struct arena *a);
/* "tf.math.sin" for an issue's "tensorflow.math.sin", "keras.ops.sin" for its Keras. */
struct str core_api_in_pairs(struct str api, struct arena *a);

/* Names in the form of records: by "aliases" of the words "tensorflow.math.sin" for "tf.math.sin".
 */
struct str core_api_canonical(const struct json *words, struct str name, struct arena *a);

struct core_api_names {
    VEC(struct str) list; /* in the form of records; methods as "torch.Tensor.sum" */
};

/* All names by which the target is known to do the same: those of verified pairs, and those in the
 * table's row. */
void core_api_targets(const struct translator *t, const struct json *words, struct str api,
                      struct arena *a, struct core_api_names *out);
bool core_api_has(const struct core_api_names *all, struct str name);
bool core_api_has_method(const struct core_api_names *all, struct str method);

#endif
