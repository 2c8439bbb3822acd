/* Notes which basic blocks a program runs: linked by tools/mutants into programs compiled with -fsanitize-coverage=trace-pc.
 * If the folder COVERAGE exists, its file PROGRAM gets a 1 at the offset of each block that ran from the start of the program,
 * whatever name the process was started under.
 * The file is a mapping that all processes share, so nothing is lost when one is killed. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

extern char __executable_start[], etext[]; /* defined by the linker */

void __sanitizer_cov_trace_pc(void);

static char *covered;

__attribute__((constructor)) static void open_map(void)
{
    char path[4096], program[2048];
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    program[n > 0 ? n : 0] = 0;
    const char *name = strrchr(program, '/');
    snprintf(path, sizeof path, "%s/%s", COVERAGE, name ? name + 1 : program_invocation_short_name);
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    size_t size = (size_t)(etext - __executable_start);
    void *map = file >= 0 && !ftruncate(file, (off_t)size) ? mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
    if (map != MAP_FAILED)
        covered = map;
    if (file >= 0)
        close(file);
}

/* Each block calls it first. */
void __sanitizer_cov_trace_pc(void)
{
    if (covered)
        covered[(char *)__builtin_return_address(0) - __executable_start] = 1;
}
