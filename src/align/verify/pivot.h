/*
 * What a Python file's functions call of a framework. Where a function of one name is written for
 * several frameworks (Keras's backends, the tables of emit/), what its bodies call are likely
 * partners.
 *
 *     struct pivot p;
 *     // "import torch.nn.functional as F", then "def relu(x): return F.relu(x)"
 *     if (!pivot_read(text, arena, &p, e)) ...
 *     // p.bodies.at[0]: name "relu", calls "torch.nn.functional.relu"
 */
#ifndef ALIGN_VERIFY_PIVOT_H
#define ALIGN_VERIFY_PIVOT_H

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"

struct pivot_body {
    struct str name;      /* of a function at the top of the file */
    VEC(struct str) uses; /* qualified names from imports, in source order, each once */
};

struct pivot {
    VEC(struct pivot_body) bodies;
};

bool pivot_read(struct str python, struct arena *a, struct pivot *out, struct err *e);

#endif
