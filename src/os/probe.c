/* Facts about the machine, read from /proc, /sys, system calls and the processor; nothing is judged
 * here. */
#include "os/probe.h"

#ifdef __x86_64__
#include <cpuid.h>
#endif
#include <limits.h>
#include <sched.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/file.h"
#include "base/vec.h"

enum { PROC_FILE_MAX = 4 << 20 };

/* The value in the first line "key : value" of a text like /proc/cpuinfo. */
static struct str line_value(struct str text, struct str key)
{
    struct str line;
    while (str_split(&text, '\n', &line)) {
        size_t colon = str_find_byte(line, ':');
        if (colon < line.n && str_eq(str_trim(str_sub(line, 0, colon)), key))
            return str_trim(str_sub(line, colon + 1, line.n));
    }
    return STR("");
}

/* Is it a flag on which an engine's choice of kernels depends? */
static bool is_vector_flag(struct str flag)
{
    static const char *const starts[] = {"sse",   "ssse", "avx",  "amx",  "fma", "f16c",
                                         "asimd", "sve",  "bf16", "i8mm", "fphp"};
    for (size_t i = 0; i < COUNT_OF(starts); i++)
        if (str_starts(flag, str_of(starts[i])))
            return true;
    return false;
}

static int compare_strs(const void *a, const void *b)
{
    return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

static const char *vector_flags(struct str flags, struct arena *a)
{
    VEC(struct str) kept = {0};
    struct strbuf text = {0};
    struct str flag;
    while (str_split(&flags, ' ', &flag))
        if (is_vector_flag(flag))
            vec_push(&kept, a, flag);
    if (kept.n)
        qsort(kept.at, kept.n, sizeof *kept.at, compare_strs);
    for (size_t i = 0; i < kept.n; i++)
        strbuf_printf(&text, "%s" STR_FMT, i ? " " : "", STR_ARG(kept.at[i]));
    const char *result = strbuf_dup(&text, a).at;
    strbuf_done(&text);
    return result;
}

bool probe_machine(struct arena *a, struct probe_machine *out, struct err *e)
{
    struct str cpuinfo;
    struct utsname name;
    cpu_set_t cpus;
    if (!file_read("/proc/cpuinfo", PROC_FILE_MAX, a, &cpuinfo, e))
        return false;
    if (uname(&name) != 0)
        return err_errno(e, ERR_ENVIRONMENT, "uname");
    struct str flags = line_value(cpuinfo, STR("flags"));
    if (!flags.n)
        flags = line_value(cpuinfo, STR("Features"));
    bool v2 = file_stat("/sys/fs/cgroup/cgroup.controllers").kind == FILE_REGULAR;
    bool v1 = file_stat("/sys/fs/cgroup/memory").kind == FILE_DIRECTORY;
    *out = (struct probe_machine){
        .n_cpus = sched_getaffinity(0, sizeof cpus, &cpus) == 0 ? (uint32_t)CPU_COUNT(&cpus) : 1,
        .memory_bytes = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE),
        .cpu_model = str_dup(a, line_value(cpuinfo, STR("model name"))),
        .cpu_flags = vector_flags(flags, a),
        .kernel = arena_strdup(a, name.release),
        .n_cgroup_version = v2   ? 2
                            : v1 ? 1
                                 : 0,
    };
    return true;
}

bool probe_lacks_vnni(void)
{
#ifdef __x86_64__
    /* Leaf 1; leaf 7, subleaves 0 and 1. */
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_AVX))
        return false;
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d) && (c & bit_AVX512VNNI))
        return false;
    return !__get_cpuid_count(7, 1, &a, &b, &c, &d) || !(a & bit_AVXVNNI);
#else
    return false;
#endif
}

bool probe_self(struct arena *a, const char **out, struct err *e)
{
    char path[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    if (n < 0)
        return err_errno(e, ERR_ENVIRONMENT, "/proc/self/exe: cannot read the link");
    path[n] = '\0';
    *out = arena_strdup(a, path);
    return true;
}

bool probe_disk(const char *path, uint64_t *n_free, uint64_t *n_all)
{
    struct statvfs vfs;
    if (statvfs(path, &vfs) != 0)
        return false;
    *n_free = (uint64_t)vfs.f_bavail * vfs.f_frsize;
    *n_all = (uint64_t)vfs.f_blocks * vfs.f_frsize;
    return true;
}

bool probe_free_bytes(const char *path, uint64_t *out)
{
    uint64_t n_all;
    return probe_disk(path, out, &n_all);
}

/* The number of a line like "VmHWM:   1234 kB" or "Threads: 1" in /proc/PID/status. */
static bool status_number(int pid, struct str key, int64_t *out)
{
    struct arena a;
    struct err ignored;
    struct str text;
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/status", pid);
    arena_init(&a);
    bool ok = file_read(path, PROC_FILE_MAX, &a, &text, &ignored);
    struct str value = ok ? line_value(text, key) : STR("");
    ok = ok && str_to_i64(str_sub(value, 0, str_find_byte(value, ' ')), out);
    arena_done(&a);
    return ok;
}

uint32_t probe_n_tasks(int pid)
{
    int64_t n;
    return status_number(pid, STR("Threads"), &n) ? (uint32_t)n : 0;
}

uint64_t probe_peak_bytes(int pid)
{
    int64_t n;
    return status_number(pid, STR("VmHWM"), &n) ? (uint64_t)n * 1024 : 0;
}

uint64_t probe_resident_bytes(int pid)
{
    int64_t n;
    return status_number(pid, STR("VmRSS"), &n) ? (uint64_t)n * 1024 : 0;
}

/* The fields of /proc/PID/stat from field 3 on; field 2 may hold blanks and parentheses. */
static struct str stat_fields(int pid, struct arena *a)
{
    struct err ignored;
    struct str text;
    if (!file_read(arena_printf(a, "/proc/%d/stat", pid), PROC_FILE_MAX, a, &text, &ignored))
        return STR("");
    size_t end = text.n;
    while (end > 0 && text.at[end - 1] != ')')
        end--;
    return str_trim(str_sub(text, end, text.n));
}

/* utime and stime are fields 14 and 15. */
int64_t probe_cpu_ns(int pid)
{
    struct arena a;
    struct str field;
    int64_t ticks = 0, part;
    arena_init(&a);
    struct str rest = stat_fields(pid, &a);
    for (int at = 3; at <= 15 && str_split(&rest, ' ', &field); at++)
        ticks += at >= 14 && str_to_i64(field, &part) ? part : 0;
    arena_done(&a);
    return ticks * (1000000000 / sysconf(_SC_CLK_TCK));
}

bool probe_is_runnable(int pid)
{
    struct arena a;
    arena_init(&a);
    bool runnable = str_starts(stat_fields(pid, &a), STR("R "));
    arena_done(&a);
    return runnable;
}
