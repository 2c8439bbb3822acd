/* Runs the suites of one folder; SUITES_DEF is that folder's suites.def. "--suite NAME" runs one of
 * them. Started again by a test with other arguments, the program is that test's child. */
#include <stdio.h>
#include <string.h>

#include "os/init.h"
#include "unit/test.h"

WEAK int test_child(int argc, char **argv);
WEAK int init_main(int argc, char *const *argv); /* of suites that link it */

#define SUITE(name) int test_suite_##name(void);
#include SUITES_DEF
#undef SUITE

int main(int argc, char **argv)
{
    if (argc > INIT_ARGUMENTS && init_main && strcmp(argv[1], "worker") == 0 &&
        strcmp(argv[2], "init") == 0)
        return init_main(argc - INIT_ARGUMENTS, argv + INIT_ARGUMENTS);
    const char *only = argc == 3 && strcmp(argv[1], "--suite") == 0 ? argv[2] : NULL;
    if (argc > 1 && !only && test_child)
        return test_child(argc, argv);
    int n_failed = 0, n_run = 0;
    setvbuf(stdout, NULL, _IOLBF, 0); /* a death shows its place */
#define SUITE(name)                                                                                \
    if (!only || strcmp(only, #name) == 0) {                                                       \
        n_failed += test_suite_##name();                                                           \
        n_run++;                                                                                   \
    }
#include SUITES_DEF
#undef SUITE
    if (n_run == 0)
        fprintf(stderr, "%s: there is no suite %s\n", argv[0], only);
    return n_failed != 0 || n_run == 0;
}
