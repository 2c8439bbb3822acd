/*
 * Targets: an engine in one version and mode, wherever it runs. What is known of engines is data in
 * share/targets/NAME.json; which versions are installed is recorded below $ASSAY_HOME
 * (environment.h).
 *
 *     struct targets all;
 *     if (!targets_load(home, arena, &all, e)) ...
 *     struct target_list chosen = {0};
 *     if (!targets_resolve(&all, "ort@1.31.1/all", arena, &chosen, e)) ...
 *     // chosen.at[i]->id is what observations carry
 *
 * A name is ENGINE[@VERSION][/MODE[:N]]: without a version the newest installed one, without a mode
 * the description's default modes, with mode "*" all of them; N: a hunt runs one case of so many.
 * Targets are immutable and live in the arena they were loaded into.
 */
#ifndef TARGET_TARGET_H
#define TARGET_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/json.h"
#include "case/case.h"
#include "case/observation.h"
#include "target/accepted.h"

/* What the engine does with a case. */
enum target_work {
    TARGET_RUNS,    /* the model is loaded and run */
    TARGET_CONVERTS /* model in, model out; the result is run by the description's `runs_in` */
};

enum target_fork {
    TARGET_FORK_BATCH, /* a forked child runs a batch of cases */
    TARGET_FORK_CASE,  /* a forked child runs one case */
    TARGET_FORK_NEVER  /* the worker itself runs cases, because the engine has threads */
};

enum { TARGET_ONE_IN_MAX = 100000 };

struct target_mode {
    struct str name; /* "all" */
    struct str help;
    bool is_default;
    bool is_base;                /* the engine's other modes are compared with it */
    uint32_t one_in;             /* a hunt that names no mode runs one case of so many in it;
                                    0: every case in a default mode, none in another */
    bool no_graphs, no_programs; /* cases of that kind are not run in it */
    uint32_t n_threads;
    struct str least_version; /* "": any */
    int64_t deadline_ms;      /* of a slow mode: the least deadline of a case; 0: none */
    struct str cpu; /* on which its workers run, emulated by QEMU: "Haswell"; "": this machine's */
    struct str least_emulator;  /* an older QEMU emulates this CPU wrongly; "": none does */
    const struct json *options; /* an object, sent to the worker unchanged; NULL: none */
};

/* From this version on, the engine gets models up to this opset. */
struct target_opset {
    struct str version;
    int opset;
};

/* A failure whose message holds the text has the outcome. */
struct target_words {
    struct str text;
    enum outcome outcome; /* UNSUPPORTED, INTERNAL_ERROR or OOM_ALLOCATOR */
};

struct target_description {
    struct str engine; /* "ort": also the file's name */
    struct str family;
    struct str help;
    struct str package;             /* its version is the engine's: "onnxruntime" */
    struct str module;              /* what Python imports: "onnxruntime" */
    struct str library;             /* worker "native": its path in the package, a glob */
    const struct str *requirements; /* lines for pip, with "%VERSION%" for the wanted version */
    size_t n_requirements;
    struct str worker; /* "native", or the Python adapter: a module of ours ("openvino"), or the
                          path of a file beside a description of the user's own */
    struct str script; /* Python that runs a program alone (case/subject.h, PROGRAM_RUNNER); "" */
    struct str emit;   /* "torch": graphs become programs of this framework; "": models */
    enum target_work work;
    struct str runs_in; /* TARGET_CONVERTS: the target that runs the result: "ort/off" */
    bool accepts_graphs, accepts_programs;
    const struct str *generators; /* that make a hunt's cases when none is asked for: "mutate" */
    size_t n_generators;
    enum target_fork fork;
    uint32_t n_tasks; /* threads that it has after import, with which forking was seen to work */
    const struct target_opset *opsets; /* by version, ascending */
    size_t n_opsets;
    uint32_t missing_dtypes; /* set of dtype_bit: those that the engine lacks altogether */
    const struct str *missing_operators;
    size_t n_missing_operators;
    struct str least_version; /* older ones are refused by `targets add` */
    const struct target_mode *modes;
    size_t n_modes;
    const struct target_words *words; /* what messages mean; the first that fits counts */
    size_t n_words;
    struct target_traits traits; /* largest_opset: of the newest version */
};

/* One version of an engine that can be started. */
struct target_installation {
    const struct target_description *description;
    struct str version;
    struct str python;        /* the environment's interpreter */
    const char *const *roots; /* folders that its workers read: the environment and its base */
    size_t n_roots;
    struct str library;          /* worker "native": the engine's shared library */
    struct target_traits traits; /* with largest_opset of this version, and this CPU's facts */
    const struct json *probe;    /* what `targets probe` found; NULL: not probed */
    struct accepted accepted;    /* of the full probe; no rows: not made */
    /* By mode of the description: this installation, or as it is on the mode's emulated CPU. */
    const struct target_installation *const *in_mode;
    struct str cpu; /* "": this machine's */
};

struct target {
    struct target_id id;
    const struct target_installation *installation;
    const struct target_mode *mode;
    const struct target *runs_in; /* TARGET_CONVERTS: where the result runs; else NULL */
    uint32_t one_in;              /* a hunt runs one case of so many in it; 1: every case */
};

struct target_list {
    const struct target *const *at;
    size_t n;
};

struct targets {
    const char *home;
    const struct target_description *descriptions;   /* ours by name, then the user's own */
    size_t n_descriptions, n_ours;                   /* ours: compiled in */
    const struct target_installation *installations; /* by name, newest version first */
    size_t n_installations;
};

/* The program that emulates a CPU; NULL: it is not on this machine. */
const char *target_emulator(struct arena *a);
/* Can the mode's CPU be emulated here? ERR_ENVIRONMENT: QEMU is missing, or computes wrongly. */
bool target_emulator_check(const struct target_description *d, const struct target_mode *mode,
                           struct arena *a, struct err *e);

/* Threads that a worker has after import. */
uint32_t target_n_tasks(const struct target_installation *i);

/* Loads the compiled-in descriptions and home/adapters/NAME.json, and the installations below home.
 * A broken description or registration is ERR_DATA with file, line and key. */
bool targets_load(const char *home, struct arena *a, struct targets *out, struct err *e);

/* Reads one description strictly: unknown keys and wrong values are errors. */
bool target_description_parse(struct str text, const char *name, struct arena *a,
                              struct target_description *out, struct err *e);

const struct target_description *targets_find(const struct targets *t, struct str engine);
/* Of an engine's installations the one of the newest version; NULL: there is none. */
const struct target_installation *targets_newest(const struct targets *t, struct str engine);

/* Adds what the name stands for to the list. ERR_USAGE: no such engine or mode (the nearest is
 * named), or N is no number from 1; ERR_ENVIRONMENT: not installed, and how to install it. */
bool targets_resolve(const struct targets *t, const char *name, struct arena *a,
                     struct target_list *list, struct err *e);

/* The same for a hunt, where `one_in` says how often an unnamed mode runs. */
bool targets_resolve_hunt(const struct targets *t, const char *name, struct arena *a,
                          struct target_list *list, struct err *e);

/* ERR_USAGE: there are targets, and each runs some cases of a hunt only. */
bool targets_check_shares(const struct target_list *list, struct err *e);

/* The name that stands for this target alone: "torch@2.13.0/inductor:40". */
const char *target_full_name(const struct target *t, struct arena *a);

/* Adds, as witnesses, the engines that run what the list's converters make: run on the unconverted
 * model, they show whose fault a failure is. */
void targets_add_runners(struct target_list *list, struct arena *a);

/* Can the target run this case? If not, adds to `reason` the kind, operator, dtype or opset that it
 * lacks. */
bool target_accepts(const struct target *t, const struct tcase *c, struct strbuf *reason);

/* -1, 0 or 1. Runs of digits are compared as numbers: "1.9" < "1.10" < "1.10.1". */
int target_version_compare(struct str a, struct str b);

#endif
