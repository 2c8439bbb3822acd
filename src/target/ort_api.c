/*
 * Decides how the C API of an installed ONNX Runtime is reached: OrtGetApiBase out of the wheel's
 * library, version 17 of its table (which the oldest supported release has), and functions by their
 * place there (ort_api.def). No vendor header is used. Must not know cases or frames.
 */
#include "os/library.h"
#include "target/ort_p.h"

struct api_base {
    const void *(*get_api)(uint32_t version);
    const char *(*get_version)(void);
};

enum { SEVERITY_FATAL = 4, ALLOCATOR_ARENA = 1, MEMORY_DEFAULT = 0 };

/* Errors arrive as status objects; the log would only flood stderr. */
static void drop_log(void *ctx, int severity, const char *category, const char *id,
                     const char *place, const char *text)
{
    (void)ctx, (void)severity, (void)category, (void)id, (void)place, (void)text;
}

static void take_calls(const void *table, struct ort_calls *call)
{
#define ORT_CALL(slot, name, returns, ...)                                                         \
    memcpy(&call->name, (const char *)table + (slot) * sizeof(void *), sizeof call->name);
#include "target/ort_api.def"
#undef ORT_CALL
}

static bool check(const struct ort *ort, struct ort_status *status, struct err *e)
{
    if (!status)
        return true;
    err_set(e, ERR_ENVIRONMENT, "ONNX Runtime %s: %s", ort->version,
            ort->call.get_error_message(status));
    ort->call.release_status(status);
    return false;
}

bool ort__open(const char *path, struct ort *out, struct err *e)
{
    library_function_ptr entry;
    const struct api_base *(*get_base)(void);
    *out = (struct ort){0};
    if (!library_open(path, &out->library, e) ||
        !library_function(out->library, "OrtGetApiBase", &entry, e))
        return false;
    memcpy(&get_base, &entry, sizeof get_base);
    const struct api_base *base = get_base();
    const void *table = base->get_api(ORT_API_VERSION);
    out->version = base->get_version();
    if (!table)
        return err_set(e, ERR_ENVIRONMENT, "%s: version %s lacks C API %d", path, out->version,
                       ORT_API_VERSION);
    take_calls(table, &out->call);
    return true;
}

bool ort__begin(struct ort *ort, struct err *e)
{
    const struct ort_calls *c = &ort->call;
    return check(ort, c->create_env_with_logger(drop_log, NULL, SEVERITY_FATAL, "", &ort->env),
                 e) &&
           check(ort, c->create_cpu_memory_info(ALLOCATOR_ARENA, MEMORY_DEFAULT, &ort->cpu), e) &&
           check(ort, c->get_default_allocator(&ort->allocator), e);
}
