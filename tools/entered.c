/* Notes which functions a program enters: linked by tools/mutants into programs compiled with -finstrument-functions.
 * If the folder ENTERED exists, its file PROGRAM gets a 1 at the offset of each entered function from the start of the program.
 * The file is a mapping that all processes share, so nothing is lost when one is killed. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

extern char __executable_start[], etext[]; /* defined by the linker */

void __cyg_profile_func_enter(char *function, void *call_site);
void __cyg_profile_func_exit(void *function, void *call_site);

static char *entered;

__attribute__((constructor)) static void open_map(void)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", ENTERED, program_invocation_short_name);
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    size_t size = (size_t)(etext - __executable_start);
    void *map = file >= 0 && !ftruncate(file, (off_t)size) ? mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
    if (map != MAP_FAILED)
        entered = map;
    if (file >= 0)
        close(file);
}

void __cyg_profile_func_enter(char *function, void *call_site)
{
    (void)call_site;
    if (entered)
        entered[function - __executable_start] = 1;
}

void __cyg_profile_func_exit(void *function, void *call_site)
{
    (void)function, (void)call_site;
}
