/* The Python side's files, compiled into the program, as a folder that interpreters can run. */
#ifndef TARGET_PYTHON_P_H
#define TARGET_PYTHON_P_H

#include "target/pool_p.h"

/* Sets pool->worker_path to $ASSAY_HOME/cache/py-HASH, which is written if missing. */
bool python__files(struct pool *pool, struct err *e);

/* The same for callers without a pool: *out is that folder. */
bool python__extract(const char *home, struct arena *a, const char **out, struct err *e);

#endif
