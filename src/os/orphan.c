/*
 * Decides what becomes of descendants that outlived their parent: as subreaper we become their
 * parent, and each child that is not on the loop's list is killed and reaped. The list of children
 * is read from /proc, since the kernel has no call for it.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/vec.h"
#include "os/orphan_p.h"
#include "os/process.h"

enum { STATUS_MAX = 1 << 16, TREE_MAX = 4096 };

bool process_become_subreaper(struct err *e)
{
    return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0 ||
           err_errno(e, ERR_ENVIRONMENT, "cannot become the subreaper of descendants");
}

/* Field 4 of /proc/PID/stat, the parent; field 2, the name, may hold blanks and parentheses. */
static int parent_of(const char *pid_name, struct arena *a)
{
    struct err ignored;
    struct str text;
    int64_t parent = 0;
    if (!file_read(arena_printf(a, "/proc/%s/stat", pid_name), 4096, a, &text, &ignored))
        return 0;
    size_t end = text.n;
    while (end > 0 && text.at[end - 1] != ')')
        end--;
    struct str rest = str_trim(str_sub(text, end, text.n)), field;
    str_split(&rest, ' ', &field);
    return str_split(&rest, ' ', &field) && str_to_i64(field, &parent) ? (int)parent : 0;
}

int orphan__parent(int pid)
{
    struct arena a;
    arena_init(&a);
    int parent = parent_of(arena_printf(&a, "%d", pid), &a);
    arena_done(&a);
    return parent;
}

/* The pid of a process in its own namespace: the last of "NSpid: 4711 2"; the first is ours. */
static int inner_number(const char *pid_name, struct arena *a)
{
    struct err ignored;
    struct str text, line, field, last = {0};
    int64_t n = 0;
    if (!file_read(arena_printf(a, "/proc/%s/status", pid_name), STATUS_MAX, a, &text, &ignored))
        return 0;
    while (str_split(&text, '\n', &line))
        if (str_starts(line, STR("NSpid:")))
            while (str_split(&line, '\t', &field))
                last = field;
    return str_to_i64(str_trim(last), &n) ? (int)n : 0;
}

/* Lists the children of a process: by the kernel's own list or, where that is missing, by /proc. */
static struct str list_children(int parent, struct arena *a)
{
    struct err ignored;
    struct str text;
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", parent, parent);
    if (file_read(path, STATUS_MAX, a, &text, &ignored))
        return text;
    struct strbuf found = {0};
    struct file_list list;
    bool listed = file_list_dir("/proc", a, &list, &ignored);
    for (size_t i = 0; listed && i < list.n; i++)
        if (parent_of(list.names[i], a) == parent)
            strbuf_printf(&found, "%s ", list.names[i]);
    text = strbuf_dup(&found, a);
    strbuf_done(&found);
    return text;
}

int orphan__find(int parent, int inner_pid)
{
    struct arena a;
    struct str pid_name;
    int64_t pid = 0;
    int found = 0;
    arena_init(&a);
    struct str rest = list_children(parent, &a);
    while (!found && str_split(&rest, ' ', &pid_name))
        if (str_to_i64(pid_name, &pid) && inner_number(str_dup(&a, pid_name), &a) == inner_pid)
            found = (int)pid;
    arena_done(&a);
    return found;
}

/* The number of a line like "RssAnon:    1234 kB" in a process's status. */
static uint64_t status_number(struct str text, struct str key)
{
    struct str line;
    int64_t n = 0;
    while (str_split(&text, '\n', &line))
        if (str_starts(line, key)) {
            struct str value = str_trim(str_sub(line, key.n, line.n));
            return str_to_i64(str_sub(value, 0, str_find_byte(value, ' ')), &n) ? (uint64_t)n : 0;
        }
    return 0;
}

void orphan__look_at_tree(int root, struct process_tree *out)
{
    struct arena a;
    VEC(int) open = {0};
    arena_init(&a);
    vec_push(&open, &a, root);
    for (size_t i = 0; i < open.n && i < TREE_MAX; i++) {
        struct err ignored;
        struct str text, child;
        int64_t pid;
        const char *path = arena_printf(&a, "/proc/%d/status", open.at[i]);
        if (!file_read(path, STATUS_MAX, &a, &text, &ignored))
            continue;
        out->n_tasks += status_number(text, STR("Threads:"));
        out->memory_bytes +=
            1024 * (status_number(text, STR("RssAnon:")) + status_number(text, STR("RssShmem:")));
        struct str children = list_children(open.at[i], &a);
        while (str_split(&children, ' ', &child))
            if (str_to_i64(child, &pid))
                vec_push(&open, &a, (int)pid);
    }
    arena_done(&a);
}

size_t orphan__reap(bool (*is_known)(void *ctx, int pid), void *ctx)
{
    struct arena a;
    struct err ignored;
    struct file_list list;
    size_t n = 0;
    int self = getpid();
    arena_init(&a);
    bool listed = file_list_dir("/proc", &a, &list, &ignored);
    for (size_t i = 0; listed && i < list.n; i++) {
        struct arena_mark mark = arena_mark(&a);
        int64_t pid;
        if (str_to_i64(str_of(list.names[i]), &pid) && parent_of(list.names[i], &a) == self &&
            !is_known(ctx, (int)pid)) {
            kill((pid_t)pid, SIGKILL);
            while (waitpid((pid_t)pid, NULL, 0) < 0 && errno == EINTR) {
            }
            n++;
        }
        arena_return(&a, mark);
    }
    arena_done(&a);
    return n;
}
