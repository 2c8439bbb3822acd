/* The Python side's files, compiled into the program, as a folder that interpreters can run. */
#ifndef TARGET_PYTHON_P_H
#define TARGET_PYTHON_P_H

#include "target/pool_p.h"

/* Sets pool->worker_path: $ASSAY_HOME/cache/py-HASH, written once. */
bool python__files(struct pool *pool, struct err *e);

/* The same for whoever has no pool. */
bool python__extract(const char *home, struct arena *a, const char **out, struct err *e);

#endif
