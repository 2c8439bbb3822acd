/* Runs the suites of one folder; SUITES_DEF is that folder's suites.def. */
#include "unit/test.h"

#define SUITE(name) int test_suite_##name(void);
#include SUITES_DEF
#undef SUITE

int main(void)
{
    int n_failed = 0;
#define SUITE(name) n_failed += test_suite_##name();
#include SUITES_DEF
#undef SUITE
    return n_failed != 0;
}
