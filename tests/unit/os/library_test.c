/* Shared libraries: existing files and symbols are found, missing ones are named. */
#include "os/library.h"

#include <string.h>

#include "unit/test.h"

static void functions_are_found_and_absences_named(void **state)
{
    struct library *lib;
    library_function_ptr cosine;
    struct err e;
    (void)state;
    assert_true(library_open("libm.so.6", &lib, &e));
    assert_true(library_function(lib, "cos", &cosine, &e));
    double (*typed)(double);
    memcpy(&typed, &cosine, sizeof typed);
    assert_true(typed(0) == 1);
    assert_false(library_function(lib, "no_such_function", &cosine, &e));
    assert_int_equal(e.code, ERR_ENVIRONMENT);
    assert_non_null(strstr(e.text, "libm.so.6: lacks the symbol no_such_function"));
    library_close(lib);
    assert_false(library_open("/proc/nonexistent/lib.so", &lib, &e));
    assert_non_null(strstr(e.text, "/proc/nonexistent/lib.so: cannot open the library"));
}

TEST_SUITE(os_library, TEST(functions_are_found_and_absences_named))
