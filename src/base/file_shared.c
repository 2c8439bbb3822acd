/* Memory that processes share through a file. It is not in file.c because fault.c, which file.c
 * calls, counts in it. */
#include "base/file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

void *file_map_shared(const char *path, size_t n)
{
    struct stat st;
    void *at = MAP_FAILED;
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0)
        return NULL;
    if (fstat(fd, &st) == 0 && ((size_t)st.st_size >= n || ftruncate(fd, (off_t)n) == 0))
        at = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    return at == MAP_FAILED ? NULL : at;
}
