/*
 * Decides how one model is loaded and run: session options of a mode, tensors in and out. Must not
 * know frames or files. Invariant: after a failing call its status is freed, with type and text
 * copied to the arena; the caller's *_done releases the values made so far, whatever failed.
 */
#include <string.h>

#include "target/ort_p.h"

enum { SEVERITY_FATAL = 4, STRING_BYTES_MAX = 64 << 20 };

/* The engine numbers its newest dtypes in another order than ONNX does. */
static const struct {
    enum dtype ours;
    int theirs;
} renumbered[] = {{DTYPE_UINT2, 24}, {DTYPE_INT2, 25}, {DTYPE_FLOAT8E8M0, 26}};

static int to_engine(enum dtype dtype)
{
    for (size_t i = 0; i < COUNT_OF(renumbered); i++)
        if (renumbered[i].ours == dtype)
            return renumbered[i].theirs;
    return (int)dtype;
}

static enum dtype from_engine(int number)
{
    for (size_t i = 0; i < COUNT_OF(renumbered); i++)
        if (renumbered[i].theirs == number)
            return renumbered[i].ours;
    return number > 0 && number < DTYPE_COUNT ? (enum dtype)number : DTYPE_UNDEFINED;
}

static const char *error_name(int code)
{
    switch (code) {
#define ORT_ERROR(number, name)                                                                    \
    case number:                                                                                   \
        return #name;
#include "target/ort_error.def"
#undef ORT_ERROR
    default:
        return "OTHER";
    }
}

static bool ok(const struct ort *ort, struct ort_status *status, struct arena *a,
               struct ort_failure *failure)
{
    if (!status)
        return true;
    failure->type = error_name(ort->call.get_error_code(status));
    failure->text = arena_strdup(a, ort->call.get_error_message(status));
    ort->call.release_status(status);
    return false;
}

static bool set_options(const struct ort *ort, const struct ort_mode *mode, struct arena *a,
                        struct ort_session_options *options, struct ort_failure *failure)
{
    const struct ort_calls *c = &ort->call;
    return ok(ort, c->set_log_severity(options, SEVERITY_FATAL), a, failure) &&
           ok(ort, c->set_optimization_level(options, mode->level), a, failure) &&
           ok(ort, c->set_intra_op_threads(options, mode->n_threads), a, failure) &&
           ok(ort, c->set_inter_op_threads(options, 1), a, failure) &&
           (mode->n_threads == 1 ||
            ok(ort, c->add_config_entry(options, "session.intra_op.allow_spinning", "0"), a,
               failure)) &&
           (!mode->disabled ||
            ok(ort,
               c->add_config_entry(options, "optimization.disable_specified_optimizers",
                                   mode->disabled),
               a, failure)) &&
           (!mode->dump || ok(ort, c->set_optimized_model_path(options, mode->dump), a, failure));
}

bool ort__load(const struct ort *ort, struct str model, const struct ort_mode *mode,
               struct arena *a, struct ort_session **out, struct ort_failure *failure)
{
    struct ort_session_options *options = NULL;
    bool made = ok(ort, ort->call.create_session_options(&options), a, failure);
    bool loaded =
        made && set_options(ort, mode, a, options, failure) &&
        ok(ort, ort->call.create_session(ort->env, model.at, model.n, options, out), a, failure);
    if (made)
        ort->call.release_session_options(options);
    return loaded;
}

static bool feed_strings(const struct ort *ort, const struct tensor *t, struct arena *a,
                         struct ort_value **out, struct ort_failure *failure)
{
    const char **strings = arena_new_array(a, const char *, t->n);
    for (size_t i = 0; i < t->n; i++)
        strings[i] = str_dup(a, t->strings[i]);
    return ok(ort, ort->call.create_tensor(ort->allocator, t->dims, t->rank, DTYPE_STRING, out), a,
              failure) &&
           ok(ort, ort->call.fill_strings(*out, strings, t->n), a, failure);
}

static bool feed_one(const struct ort *ort, const struct tensor *t, struct arena *a,
                     struct ort_value **out, struct ort_failure *failure)
{
    static const char nothing[1];
    const void *data = t->data ? t->data : nothing;
    void *writable; /* the engine reads inputs only, whatever its prototype says */
    memcpy(&writable, &data, sizeof writable);
    if (t->dtype == DTYPE_STRING)
        return feed_strings(ort, t, a, out, failure);
    return ok(ort,
              ort->call.create_tensor_with_data(ort->cpu, writable, dtype_size(t->dtype, t->n),
                                                t->dims, t->rank, to_engine(t->dtype), out),
              a, failure);
}

bool ort__feed(const struct ort *ort, const struct tensors *inputs, struct arena *a,
               struct ort_feed *out, struct ort_failure *failure)
{
    const char **names = arena_new_array(a, const char *, inputs->n);
    *out = (struct ort_feed){names, arena_new_array(a, struct ort_value *, inputs->n), inputs->n};
    for (size_t i = 0; i < inputs->n; i++) {
        names[i] = str_dup(a, inputs->at[i].name);
        if (!feed_one(ort, &inputs->at[i].tensor, a, &out->values[i], failure))
            return false;
    }
    return true;
}

static void release_values(const struct ort *ort, struct ort_value **values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (values[i])
            ort->call.release_value(values[i]);
}

void ort__feed_done(const struct ort *ort, struct ort_feed *feed)
{
    release_values(ort, feed->values, feed->n);
}

static bool fail(struct ort_failure *failure, const char *type, const char *text)
{
    *failure = (struct ort_failure){type, text};
    return false;
}

static bool take_strings(const struct ort *ort, struct ort_value *value, struct tensor *t,
                         struct arena *a, struct ort_failure *failure)
{
    size_t n_bytes;
    if (!ok(ort, ort->call.get_strings_length(value, &n_bytes), a, failure))
        return false;
    if (n_bytes > STRING_BYTES_MAX)
        return fail(failure, "ASSAY", "the strings are longer than assay reads");
    char *bytes = arena_alloc(a, n_bytes + 1);
    size_t *offsets = arena_new_array(a, size_t, t->n);
    struct str *strings = arena_new_array(a, struct str, t->n);
    if (t->n && !ok(ort, ort->call.get_strings(value, bytes, n_bytes, offsets, t->n), a, failure))
        return false;
    for (size_t i = 0; i < t->n; i++) {
        size_t end = i + 1 < t->n ? offsets[i + 1] : n_bytes;
        strings[i] = (struct str){bytes + offsets[i], end - offsets[i]};
    }
    t->strings = strings;
    return true;
}

static bool take_shape(const struct ort *ort, const struct ort_value *value, struct tensor *t,
                       struct arena *a, struct ort_failure *failure)
{
    struct ort_shape *shape;
    int dtype = 0;
    size_t rank = 0;
    if (!ok(ort, ort->call.get_shape(value, &shape), a, failure))
        return false;
    bool good = ok(ort, ort->call.get_dtype(shape, &dtype), a, failure) &&
                ok(ort, ort->call.get_rank(shape, &rank), a, failure) &&
                (rank <= TENSOR_RANK_MAX || fail(failure, "ASSAY", "the rank is too large"));
    int64_t *dims = arena_new_array(a, int64_t, rank);
    good = good && ok(ort, ort->call.get_dims(shape, dims, rank), a, failure) &&
           ok(ort, ort->call.get_count(shape, &t->n), a, failure);
    ort->call.release_shape(shape);
    t->dtype = from_engine(dtype);
    t->rank = (uint32_t)rank;
    t->dims = dims;
    return good && (t->dtype != DTYPE_UNDEFINED ||
                    fail(failure, "ASSAY", "an output has a dtype that ONNX does not know"));
}

static bool take_tensor(const struct ort *ort, struct ort_value *value, struct tensor *t,
                        struct arena *a, struct ort_failure *failure)
{
    int is_tensor = 0;
    void *data;
    if (!value)
        return fail(failure, "ASSAY", "an output was not produced");
    if (!ok(ort, ort->call.is_tensor(value, &is_tensor), a, failure))
        return false;
    if (!is_tensor)
        return fail(failure, "ASSAY", "an output is no tensor");
    if (!take_shape(ort, value, t, a, failure))
        return false;
    if (t->dtype == DTYPE_STRING)
        return take_strings(ort, value, t, a, failure);
    if (!ok(ort, ort->call.get_tensor_data(value, &data), a, failure))
        return false;
    t->data = data;
    return true;
}

/* Lists the names of the session's inputs and overridable initializers. */
static bool list_inputs(const struct ort *ort, const struct ort_session *session, size_t n,
                        size_t n_overridable, const char **out, struct arena *a,
                        struct ort_failure *failure)
{
    for (size_t i = 0; i < n + n_overridable; i++) {
        char *name;
        if (!ok(ort,
                i < n ? ort->call.get_input_name(session, i, ort->allocator, &name)
                      : ort->call.get_overridable_name(session, i - n, ort->allocator, &name),
                a, failure))
            return false;
        out[i] = str_dup(a, str_of(name));
        if (!ok(ort, ort->call.allocator_free(ort->allocator, name), a, failure))
            return false;
    }
    return true;
}

static bool is_among(const char *name, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* A converter may drop inputs that nothing reads, and the engine refuses names it does not know. */
static bool choose_inputs(const struct ort *ort, const struct ort_session *session,
                          const struct ort_feed *feed, struct arena *a, struct ort_feed *out,
                          struct ort_failure *failure)
{
    size_t n, n_overridable;
    if (!ok(ort, ort->call.count_inputs(session, &n), a, failure) ||
        !ok(ort, ort->call.count_overridable(session, &n_overridable), a, failure))
        return false;
    *out = *feed;
    if (n >= feed->n)
        return true;
    const char **known = arena_new_array(a, const char *, n + n_overridable);
    const char **names = arena_new_array(a, const char *, feed->n);
    struct ort_value **values = arena_new_array(a, struct ort_value *, feed->n);
    if (!list_inputs(ort, session, n, n_overridable, known, a, failure))
        return false;
    *out = (struct ort_feed){names, values, 0};
    for (size_t i = 0; i < feed->n; i++) {
        if (!is_among(feed->names[i], known, n + n_overridable))
            continue;
        names[out->n] = feed->names[i];
        values[out->n++] = feed->values[i];
    }
    return true;
}

bool ort__run(const struct ort *ort, struct ort_session *session, const struct ort_feed *feed,
              const char *const *output_names, size_t n_outputs, struct arena *a,
              struct ort_outputs *out, struct ort_failure *failure)
{
    struct ort_feed chosen;
    if (!choose_inputs(ort, session, feed, a, &chosen, failure))
        return false;
    const struct ort_value **inputs = arena_new_array(a, const struct ort_value *, chosen.n);
    for (size_t i = 0; i < chosen.n; i++)
        inputs[i] = chosen.values[i];
    out->values = arena_new_array(a, struct ort_value *, n_outputs);
    out->tensors = (struct tensors){arena_new_array(a, struct named_tensor, n_outputs), n_outputs};
    if (!ok(ort,
            ort->call.run(session, NULL, chosen.names, inputs, chosen.n, output_names, n_outputs,
                          out->values),
            a, failure))
        return false;
    for (size_t i = 0; i < n_outputs; i++) {
        out->tensors.at[i].name = str_of(output_names[i]);
        if (!take_tensor(ort, out->values[i], &out->tensors.at[i].tensor, a, failure))
            return false;
    }
    return true;
}

void ort__outputs_done(const struct ort *ort, struct ort_outputs *outputs)
{
    release_values(ort, outputs->values, outputs->tensors.n);
}
