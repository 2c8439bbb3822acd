/*
 * Calls as JSON for a worker (py/assay_worker/calls.py): the members of an object that the caller
 * has begun. Tensors are rows of the pool that the caller sends with the calls.
 *
 *     struct tensors_made pool = {.bytes = {0}};
 *     json_begin_object(&w);
 *     json_pair_str(&w, "symbol", symbol);
 *     call_put_json(&call, &pool, arena, &w);      // "make", "args", "keys", ...
 *     json_end_object(&w);
 */
#ifndef ALIGN_CALL_JSON_H
#define ALIGN_CALL_JSON_H

#include "align/tensors.h"

void call_put_json(const struct call *c, struct tensors_made *tensors, struct arena *a,
                   struct json_out *w);

#endif
