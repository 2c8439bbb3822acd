/*
 * Environments: where engines are installed. `assay targets add NAME[@VERSION]` makes a virtual
 * environment below $ASSAY_HOME/env, or registers an existing one (--python); a probe finds out
 * what the engine can do. Each installation is one file, $ASSAY_HOME/targets/NAME@VERSION.json.
 */
#ifndef TARGET_ENVIRONMENT_H
#define TARGET_ENVIRONMENT_H

#include "target/target.h"

struct environment_options {
    const char *home;
    const char *name;   /* "ort" or "ort@1.20.1" */
    const char *python; /* interpreter of an existing environment; NULL: make one */
    /* gets a line for people on each step; may be NULL */
    void (*on_step)(void *ctx, const char *line);
    void *ctx;
};

/* Installs the engine or uses o->python, makes the quick part of the probe, and writes the
 * registration. */
bool environment_add(const struct environment_options *o, struct arena *a,
                     struct target_installation *out, struct err *e);

/* The releases of the engine's package that the environment's pip knows, in no order. */
struct environment_releases {
    struct str *at;
    size_t n;
};
bool environment_releases_of(const struct target_installation *i, struct arena *a,
                             struct environment_releases *out, struct err *e);

/* Probes again and rewrites the registration: import time, threads after import, package versions,
 * folders of the environment. accepted: what the full probe found; NULL: none was made. */
bool environment_probe(const char *home, const struct target_installation *installation,
                       const struct accepted *accepted, struct arena *a, struct err *e);

#endif
