/*
 * Decides what a report says of the machine: the distribution's name (os-release(5)), the kernel's
 * version, and the instruction set that this program was built for, and with it each engine that it
 * opens. Never a name or address of the machine. What cannot be read is left empty, not guessed.
 */
#include "report/machine_p.h"

#include "base/compiler.h"
#include "base/file.h"
#include "base/path.h"

enum { FACTS_MAX = 1 << 16 };
#define MACHINE_FILE "machine.json"

#if defined(__x86_64__)
#define ARCHITECTURE "x86-64"
#elif defined(__aarch64__)
#define ARCHITECTURE "arm64"
#else
#define ARCHITECTURE ""
#endif

/* The value of PRETTY_NAME, without its quotes. */
static struct str pretty_name(struct str rest)
{
    const struct str key = STR("PRETTY_NAME=");
    struct str line;
    while (str_split(&rest, '\n', &line)) {
        if (!str_starts(line, key))
            continue;
        struct str value = str_trim(str_sub(line, key.n, line.n));
        bool is_quoted = value.n >= 2 && strchr("\"'", value.at[0]) != NULL;
        return is_quoted ? str_sub(value, 1, value.n - 1) : value;
    }
    return STR("");
}

/* "6.1.2" of "6.1.2-13-amd64": the rest, from whoever built the kernel, may name the machine. */
static struct str plain_release(struct str release)
{
    size_t n = 0;
    while (n < release.n && strchr("0123456789.", release.at[n]))
        n++;
    return str_sub(release, 0, n);
}

static void find_out(struct arena *a, struct report_machine *out)
{
    static const char *const releases[] = {"/etc/os-release", "/usr/lib/os-release"};
    struct str text;
    struct err unread;
    *out = (struct report_machine){.architecture = STR(ARCHITECTURE)};
    for (size_t i = 0; i < COUNT_OF(releases) && !out->os.n; i++)
        if (file_read(releases[i], FACTS_MAX, a, &text, &unread))
            out->os = pretty_name(text);
    if (file_read("/proc/sys/kernel/osrelease", FACTS_MAX, a, &text, &unread))
        out->kernel = plain_release(text);
}

bool machine__write(const char *folder, struct err *e)
{
    struct arena a;
    struct report_machine m;
    struct strbuf text = {0};
    arena_init(&a);
    find_out(&a, &m);
    struct json_out w = json_open(&text, JSON_PRETTY);
    json_begin_object(&w);
    json_pair_str(&w, "os", m.os);
    json_pair_str(&w, "kernel", m.kernel);
    json_pair_str(&w, "architecture", m.architecture);
    json_end_object(&w);
    strbuf_addc(&text, '\n');
    bool ok = file_write(path_join(&a, folder, MACHINE_FILE), text.at, text.n, e);
    strbuf_done(&text);
    arena_done(&a);
    return ok;
}

bool machine__read(const char *folder, struct arena *a, struct report_machine *out, struct err *e)
{
    const struct json *j;
    const char *path = folder ? path_join(a, folder, MACHINE_FILE) : NULL;
    *out = (struct report_machine){0};
    if (!path || file_stat(path).kind != FILE_REGULAR)
        return true;
    if (!json_read_file(path, FACTS_MAX, a, &j, e))
        return false;
    out->os = json_get_str(j, "os", STR(""));
    out->kernel = json_get_str(j, "kernel", STR(""));
    out->architecture = json_get_str(j, "architecture", STR(""));
    return true;
}
