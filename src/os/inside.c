/* Decides what the words "worker init" and "worker attempt" mean. The words after them are passed
 * on unchanged, since they may be another program's command line. */
#include "os/inside.h"

#include <string.h>

#include "os/init.h"
#include "os/probe.h"

bool inside_main(int argc, char *const *argv, int *exit_code)
{
    const int n = INIT_ARGUMENTS;
    if (argc <= n || strcmp(argv[1], "worker") != 0)
        return false;
    if (strcmp(argv[2], "init") == 0)
        *exit_code = init_main(argc - n, argv + n);
    else if (strcmp(argv[2], "attempt") == 0)
        *exit_code = probe_attempt_main(argc - n, argv + n);
    else
        return false;
    return true;
}
