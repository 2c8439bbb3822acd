/*
 * struct observation: what one target did with one input set of a case. A crash is an observation,
 * not an error.
 */
#ifndef CASE_OBSERVATION_H
#define CASE_OBSERVATION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/str.h"
#include "onnx/dtype.h"
#include "onnx/tensor.h"

enum outcome {
#define OUTCOME(id, name, failure, meaning) OUTCOME_##id,
#include "case/outcome.def"
#undef OUTCOME
    OUTCOME_COUNT
};

const char *outcome_name(enum outcome o);
bool outcome_is_failure(enum outcome o);
bool outcome_find(struct str name, enum outcome *out);

/* PLAIN: the graph as it is. EXPOSED: with intermediates as further outputs, so that engines fuse
 * less. */
enum variant { VARIANT_PLAIN, VARIANT_EXPOSED };

enum int_overflow { INT_OVERFLOW_WRAPS, INT_OVERFLOW_SATURATES };

/* What judging must know of a target, from its description and probe. */
struct target_traits {
    /* dtype in which the engine computes each declared dtype; itself unless it computes coarser */
    enum dtype computes[DTYPE_COUNT];
    enum int_overflow int_overflow;
    bool flushes_denormals;
    bool no_vnni; /* u8 x s8 sums may saturate on this CPU */
    int largest_opset;
};

/* An engine in one version and mode: "ort@1.31.1/all". Modes of one engine share a family. */
struct target_id {
    struct str engine;  /* "ort" */
    struct str version; /* "1.31.1" */
    struct str mode;    /* "all" */
    struct str family;  /* "onnxruntime"; tools that are judged through it have it too */
    uint32_t n_threads;
    const struct target_traits *traits;
    const struct target_id
        *runner;        /* of a converter: the engine that runs what it makes; else NULL */
    bool is_witness;    /* runs only so that others can be judged: no verdict is about it */
    bool is_base;       /* the mode with which the engine's other modes are compared */
    uint32_t mode_rank; /* place in the engine's list of modes, where later ones optimise more */
};
bool target_id_eq(const struct target_id *a, const struct target_id *b); /* engine, version, mode */
void target_id_print(const struct target_id *t,
                     struct strbuf *out); /* "ort@1.31.1/all", threads when not 1 */

enum raising_module { RAISED_BY_TEST, RAISED_BY_FRAMEWORK, RAISED_BY_NATIVE, RAISED_UNKNOWN };
const char *
raising_module_name(enum raising_module m); /* "test", "framework", "native", "unknown" */
bool raising_module_find(struct str name, enum raising_module *out);

struct message {
    struct str raw;   /* as printed, at most 16 KiB */
    struct str type;  /* exception class or engine's error code: "INVALID_GRAPH", "RuntimeError" */
    struct str stack; /* native frames or Python stack, one per line; may be empty */
    enum raising_module raised_by;
};

struct usage {
    int64_t wall_ns, cpu_ns;
    uint64_t peak_bytes;
};

/* What a worker measured of an output of a call that it ran four times: as written, without its
 * optimiser (eager), in float64, and with each operator's inputs perturbed. Errors are relative to
 * the largest element of the float64 result. */
enum differs {
    DIFFERS_NOT,
    DIFFERS_VALUE, /* floats: the numbers below say how much */
    DIFFERS_EXACT, /* integers, strings, generators */
    DIFFERS_DTYPE,
    DIFFERS_SHAPE,
    DIFFERS_STRUCTURE, /* only one of the two runs has the output */
    DIFFERS_COUNT
};
const char *differs_name(enum differs d); /* "", "value", "exact", ... */
bool differs_find(struct str name, enum differs *out);

struct capture_measures {
    enum differs differs;
    double error, base_error; /* of the written and of the eager run */
    double noise;             /* largest error of n_noise perturbed runs */
    uint32_t n_noise;
    double excess; /* error of the written run in default tolerances of torch.testing */
    double unit;   /* rounding unit of the dtype */
    struct str text;
};

/* One output of a program: the k-th call at a call site of a symbol, and which of the call's
 * outputs it is: "torch.compile#0.1/out[0]". */
struct capture {
    uint32_t site, call;
    struct str symbol, path;
    const struct capture_measures *measures; /* NULL: the values themselves are compared */
};

struct observation {
    struct hash case_id;
    uint32_t input_set, repeat;
    enum variant variant;
    struct target_id target;
    enum outcome outcome;
    int signal;             /* OUTCOME_SIGNAL, ABORT, STACK_OVERFLOW: its number */
    struct tensors outputs; /* named as the graph's outputs, in order; for a program as captures */
    const struct capture *captures; /* one per output; NULL: of a graph, or read from disk */
    struct str reached;             /* APIs and operators that a program ran, one per line */
    struct tensors inner;           /* VARIANT_EXPOSED: the appended intermediates */
    struct tensors gradients;       /* of a loss, by the graph's float inputs, under their names; of
                                       a mode that differentiates (judge/derivative_p.h) */
    struct usage usage;
    struct message message;
    struct str converted; /* of a converter: the model that it made for its runner; empty: none, or
                             read from disk */
    struct str rewrites;  /* op histogram of the engine's optimised graph: "Conv 3\nFusedConv 2\n";
                             empty: not dumped */
};

#endif
