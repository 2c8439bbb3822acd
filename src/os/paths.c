/* The parts of the system that every sandboxed process may see: LANDLOCK allows to read them,
 * NAMESPACES shows them. */
#include "os/sandbox_p.h"

/* Files of /etc that system programs and the C library read; the rest of /etc cannot be read. */
const char *const sandbox__system_readable[] = {
    "/usr",
    "/lib",
    "/lib64",
    "/lib32",
    "/bin",
    "/sbin",
    "/sys/devices/system",
    "/sys/fs/cgroup",
    "/sys/kernel/mm",
    "/etc/ld.so.cache",
    "/etc/ld.so.preload",
    "/etc/alternatives",
    "/etc/localtime",
    "/etc/passwd",
    "/etc/group",
    "/etc/nsswitch.conf",
    "/etc/os-release",
    "/etc/debian_version",
    "/etc/mime.types",
    NULL,
};
const char *const sandbox__system_devices[] = {"/dev/null",   "/dev/zero",    "/dev/full",
                                               "/dev/random", "/dev/urandom", NULL};
