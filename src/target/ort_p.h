/*
 * ONNX Runtime's C API as this program uses it (ort_api.c), and one run of a model (ort_session.c).
 * Inside a worker process only.
 */
#ifndef TARGET_ORT_P_H
#define TARGET_ORT_P_H

#include "base/arena.h"
#include "base/err.h"
#include "onnx/tensor.h"

struct library;
struct ort_status;
struct ort_env;
struct ort_session;
struct ort_session_options;
struct ort_value;
struct ort_shape;
struct ort_memory_info;
struct ort_allocator;

typedef void (*ort_log_fn)(void *ctx, int severity, const char *category, const char *id,
                           const char *place, const char *text);

struct ort_calls {
#define ORT_CALL(slot, name, returns, ...) returns (*name)(__VA_ARGS__);
#include "target/ort_api.def"
#undef ORT_CALL
};

enum { ORT_API_VERSION = 17, ORT_LEVEL_LAYOUT = 3, ORT_LEVEL_ALL = 99 };

/* An open library and its environment. The process that forks may have both: an environment has no
 * thread of its own as long as ORT_DISABLE_TELEMETRY is set. */
struct ort {
    struct library *library;
    const char *version;
    struct ort_calls call;
    struct ort_env *env;
    struct ort_memory_info *cpu;
    struct ort_allocator *allocator;
};

bool ort__open(const char *path, struct ort *out, struct err *e); /* ERR_ENVIRONMENT */
/* Makes the environment. Its tables of operators take 15 ms; every child inherits them. */
bool ort__begin(struct ort *ort, struct err *e);

/* What the engine said about a call that failed. */
struct ort_failure {
    const char *type; /* "INVALID_GRAPH" */
    const char *text;
};

struct ort_mode {
    int level;
    int n_threads;
    const char *disabled; /* optimisers, separated by ';'; NULL: none */
    const char *dump;     /* path for the optimised model; NULL: none */
};

/* The functions below return false when the engine failed, with *failure in the arena. */
bool ort__load(const struct ort *ort, struct str model, const struct ort_mode *mode,
               struct arena *a, struct ort_session **out, struct ort_failure *failure);

struct ort_feed {
    const char *const *names;
    struct ort_value **values;
    size_t n;
};
/* Makes values that share the memory of `inputs`, which must outlive them. */
bool ort__feed(const struct ort *ort, const struct tensors *inputs, struct arena *a,
               struct ort_feed *out, struct ort_failure *failure);
void ort__feed_done(const struct ort *ort, struct ort_feed *feed);

struct ort_outputs {
    struct ort_value **values;
    struct tensors tensors; /* borrow the values' memory */
};
/* Values in `feed` for inputs that the session does not have are left out. */
bool ort__run(const struct ort *ort, struct ort_session *session, const struct ort_feed *feed,
              const char *const *output_names, size_t n_outputs, struct arena *a,
              struct ort_outputs *out, struct ort_failure *failure);
void ort__outputs_done(const struct ort *ort, struct ort_outputs *outputs);

#endif
