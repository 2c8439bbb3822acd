/*
 * A case as a folder: case.json, model.onnx or program.py, inputs/<set>/NAME.npy; observations/
 * beside it, a folder each. Written beside the target and renamed into place. What is read back has
 * the same id, or is refused.
 */
#ifndef CASE_DISK_H
#define CASE_DISK_H

#include "base/err.h"
#include "base/json.h"
#include "case/case.h"
#include "case/observation.h"
#include "case/verdict.h"

bool case_write(const char *dir, const struct tcase *c, struct err *e);
bool case_read(const char *dir, struct arena *a, struct tcase **out, struct err *e);

/* observation.json and its tensors. */
bool observation_write(const char *dir, const struct observation *o, struct err *e);
bool observation_read(const char *dir, struct arena *a, struct observation *out, struct err *e);

void verdict_to_json(const struct verdict *v, struct json_out *w);
bool verdict_from_json(const struct json *j, struct arena *a, struct verdict *out, struct err *e);

#endif
