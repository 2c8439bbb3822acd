/*
 * Decides as which user a sandboxed process runs. An ordinary user cannot become another one. Root
 * never runs a worker as root: each plan gets its own user and group, which own nothing on the
 * machine, so that limits on the user's tasks count the plan's tree alone. Must not know what the
 * process does.
 */
#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/file.h"
#include "os/sandbox_p.h"

enum { MAP_TEXT_MAX = 1 << 16, DYNAMIC_FIRST = 61184, DYNAMIC_COUNT = 4336 };
#define OWN_FIRST UINT32_C(0x60000000)
#define OWN_COUNT UINT32_C(0x10000000)

/* Does a map of ids (lines of "inside outside count") name this id? */
static bool map_holds(struct str text, uint32_t id)
{
    struct str line;
    while (str_split(&text, '\n', &line)) {
        long long first, outside, count;
        char copy[96];
        snprintf(copy, sizeof copy, STR_FMT, STR_ARG(line));
        if (sscanf(copy, "%lld %lld %lld", &first, &outside, &count) == 3 && id >= first &&
            id - first < count)
            return true;
    }
    return false;
}

static bool is_mapped(const char *map, uint32_t first, uint32_t count)
{
    struct arena a;
    struct str text;
    struct err ignored;
    arena_init(&a);
    bool ok = file_read(map, MAP_TEXT_MAX, &a, &text, &ignored) && map_holds(text, first) &&
              map_holds(text, first + count - 1);
    arena_done(&a);
    return ok;
}

static bool can_be(uint32_t first, uint32_t count)
{
    return is_mapped("/proc/self/uid_map", first, count) &&
           is_mapped("/proc/self/gid_map", first, count);
}

static bool has_capability(unsigned number)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct held[2] = {{0, 0, 0}, {0, 0, 0}};
    return syscall(SYS_capget, &header, held) == 0 &&
           (held[number / 32].effective & (1u << (number % 32)));
}

static uint32_t random_below(uint32_t n)
{
    uint32_t r = (uint32_t)getpid();
    ssize_t got = getrandom(&r, sizeof r, 0);
    (void)got; /* if it fails, the number still depends on the process's own */
    return r % n;
}

void sandbox__find_identity(struct sandbox_identity *out)
{
    *out = (struct sandbox_identity){.uid = geteuid(), .gid = getegid()};
    if (out->uid != 0)
        return;
    bool any = has_capability(CAP_SETUID) && has_capability(CAP_SETGID);
    if (any && can_be(OWN_FIRST, OWN_COUNT)) /* ids of no user of the machine */
        out->uid = OWN_FIRST + random_below(OWN_COUNT);
    else if (any && can_be(DYNAMIC_FIRST, DYNAMIC_COUNT)) /* ids reserved for services */
        out->uid = DYNAMIC_FIRST + random_below(DYNAMIC_COUNT);
    out->changes = out->uid != 0;
    out->gid = out->changes ? out->uid : out->gid;
    out->is_root_without_ids = !out->changes;
    out->may_mount = out->changes && has_capability(CAP_SYS_ADMIN);
}

int sandbox__take_identity(const struct sandbox_identity *who)
{
    if (!who->changes)
        return 0;
    return setgroups(0, NULL) == 0 && setresgid(who->gid, who->gid, who->gid) == 0 &&
                   setresuid(who->uid, who->uid, who->uid) == 0
               ? 0
               : errno;
}
