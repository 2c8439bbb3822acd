/*
 * A case as a folder: case.json, model.onnx or program.py, inputs/<set>/NAME.npy. An observation is
 * a folder in observations/. Both are written under another name and renamed. A case that does not
 * have the same id when it is read is refused.
 */
#ifndef CASE_DISK_H
#define CASE_DISK_H

#include "base/err.h"
#include "base/json.h"
#include "case/case.h"
#include "case/observation.h"
#include "case/verdict.h"
#include "onnx/io.h"

/* Large tensors of a graph are files in this folder of the case, named by their content. */
#define CASE_WEIGHTS_DIR MODEL_WEIGHTS_DIR

bool case_write(const char *dir, const struct tcase *c, struct err *e);
bool case_read(const char *dir, struct arena *a, struct tcase **out, struct err *e);

/* Write and read observation.json and its tensors. */
bool observation_write(const char *dir, const struct observation *o, struct err *e);
bool observation_read(const char *dir, struct arena *a, struct observation *out, struct err *e);

void verdict_to_json(const struct verdict *v, struct json_out *w);
bool verdict_from_json(const struct json *j, struct arena *a, struct verdict *out, struct err *e);

#endif
