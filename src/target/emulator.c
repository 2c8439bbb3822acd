/*
 * QEMU, which runs the workers of modes that name a CPU. Must not know how a worker is started.
 */
#include "os/process.h"
#include "target/target.h"

#define PROGRAM "/usr/bin/qemu-x86_64"
#define PACKAGE "qemu-user" /* of Debian */

enum { VERSION_DEADLINE_MS = 10000, VERSION_TEXT_MAX = 4096 };

const char *target_emulator(struct arena *a)
{
    struct err ignored;
    const char *path;
    return process_find_program(PROGRAM, a, &path, &ignored) ? path : NULL;
}

/* "10.0.13" of "qemu-x86_64 version 10.0.13 (Debian 1:10.0.13+ds-0+deb13u1)". */
static bool read_version(const char *emulator, struct arena *a, struct str *out, struct err *e)
{
    const char *const argv[] = {emulator, "--version", NULL};
    const struct process_spec spec = {.program = emulator,
                                      .argv = argv,
                                      .out = PROCESS_CAPTURE,
                                      .output_max = VERSION_TEXT_MAX,
                                      .deadline_ms = VERSION_DEADLINE_MS};
    const struct str before = STR("version ");
    struct process_end end;
    if (!process_run(&spec, a, &end, e))
        return false;
    size_t at = str_find(end.out, before);
    if (at == end.out.n)
        return err_set(e, ERR_ENVIRONMENT, "%s --version tells no version", emulator);
    struct str rest = str_sub(end.out, at + before.n, end.out.n);
    *out = str_sub(rest, 0, str_find_byte(rest, ' '));
    return true;
}

bool target_emulator_check(const struct target_description *d, const struct target_mode *mode,
                           struct arena *a, struct err *e)
{
    const char *emulator = target_emulator(a);
    struct str version;
    if (!emulator)
        return err_set(e, ERR_ENVIRONMENT,
                       STR_FMT "/" STR_FMT " runs on an emulated CPU (" STR_FMT
                               "): install " PACKAGE,
                       STR_ARG(d->engine), STR_ARG(mode->name), STR_ARG(mode->cpu));
    if (!mode->least_emulator.n)
        return true;
    if (!read_version(emulator, a, &version, e))
        return false;
    return target_version_compare(version, mode->least_emulator) >= 0 ||
           err_set(e, ERR_ENVIRONMENT,
                   STR_FMT "/" STR_FMT " runs on an emulated CPU (" STR_FMT "), which QEMU " STR_FMT
                           " emulates wrongly: install " PACKAGE " " STR_FMT " or newer",
                   STR_ARG(d->engine), STR_ARG(mode->name), STR_ARG(mode->cpu), STR_ARG(version),
                   STR_ARG(mode->least_emulator));
}
