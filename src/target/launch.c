/*
 * The command line and the environment of a worker. Decides nothing of its sandbox and starts no
 * process. Invariant: of the user's environment a worker sees only the settings of sanitizers.
 */
#include "target/launch_p.h"

#include <stdlib.h>

#include "base/path.h"
#include "os/sandbox.h"
#include "target/worker.h"

enum { ENVIRONMENT_MAX = 16, ARGUMENTS_MAX = 12 };

static void add_inherited(const char **list, size_t *n, const char *name, struct arena *a)
{
    const char *value = getenv(name);
    if (value && value[0])
        list[(*n)++] = arena_printf(a, "%s=%s", name, value);
}

const char *const *launch__environment(const char *scratch, struct arena *a)
{
    static const char *const fixed[] = {
        "PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8", "TZ=UTC", "OMP_NUM_THREADS=1",
        "OPENBLAS_NUM_THREADS=1", "MKL_NUM_THREADS=1", "PYTHONHASHSEED=0",
        /* a session allocates and frees thousands of small blocks */
        "GLIBC_TUNABLES=glibc.malloc.tcache_count=2000",
        "ORT_DISABLE_TELEMETRY=1", /* else it starts a thread */
        "CUDA_VISIBLE_DEVICES="};
    const char **list = arena_new_array(a, const char *, ENVIRONMENT_MAX);
    size_t n = 0;
    for (; n < COUNT_OF(fixed); n++)
        list[n] = fixed[n];
    list[n++] = arena_printf(a, "HOME=%s", scratch);
    list[n++] = arena_printf(a, "TMPDIR=%s", scratch);
    /* The leak checker traces its own process, which the sandbox forbids. */
    if (sandbox_is_sanitized() && !getenv("ASAN_OPTIONS"))
        list[n++] = "ASAN_OPTIONS=detect_leaks=0";
    add_inherited(list, &n, "ASAN_OPTIONS", a);
    add_inherited(list, &n, "UBSAN_OPTIONS", a);
    return list;
}

extern char **environ; /* POSIX; no header declares it in strict C */

const char *const *launch__user_environment(void)
{
    return (const char *const *)environ;
}

const char *launch__program(const struct target_installation *i, const char *native,
                            struct arena *a)
{
    if (i->cpu.n)
        return target_emulator(a);
    return str_is(i->description->worker, "native") ? native : str_dup(a, i->python);
}

const char *const *launch__arguments(const struct target_installation *i, const char *self,
                                     const char *worker_path, struct arena *a)
{
    const char **argv = arena_new_array(a, const char *, ARGUMENTS_MAX);
    size_t n = 0;
    bool is_native = str_is(i->description->worker, "native");
    if (i->cpu.n) {
        argv[n++] = "qemu-x86_64";
        argv[n++] = "-cpu";
        argv[n++] = str_dup(a, i->cpu);
    }
    if (is_native) {
        argv[n++] = i->cpu.n ? self : "assay"; /* the emulator opens it */
        argv[n++] = "worker";
        argv[n++] = str_dup(a, i->description->engine);
        argv[n++] = str_dup(a, i->library);
        return argv;
    }
    argv[n++] = str_dup(a, i->python);
    argv[n++] = "-I";
    argv[n++] = "-B";
    argv[n++] = path_join(a, worker_path, "assay_worker/__main__.py");
    argv[n++] = str_dup(a, i->description->worker);
    argv[n++] = arena_printf(a, "%d", WORKER_FD);
    return argv;
}
