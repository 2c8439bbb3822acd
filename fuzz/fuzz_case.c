/*
 * Bytes as the case.json of a program case and as an observation.json: read or refused, never a
 * crash. The folder is made once, in a temporary directory that is removed when the process exits.
 */
#include <stdlib.h>

#include "base/file.h"
#include "base/path.h"
#include "case/disk.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void read_both(const char *dir, struct arena *a)
{
    struct tcase *c;
    struct observation o;
    struct err e = {0};
    case_read(dir, a, &c, &e);
    err_clear(&e);
    observation_read(dir, a, &o, &e);
}

static void read_verdict(const uint8_t *data, size_t n, struct arena *a)
{
    const struct json *j;
    struct verdict v;
    struct err e = {0};
    if (json_parse((struct str){(const char *)data, n}, "verdict", a, &j, &e))
        verdict_from_json(j, a, &v, &e);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct arena a;
    struct err e = {0};
    const char *dir;
    arena_init(&a);
    if (!file_make_temp_dir(&a, "assay-fuzz", &dir, &e))
        abort();
    if (!file_write(path_join(&a, dir, "case.json"), data, n, &e) ||
        !file_write(path_join(&a, dir, "observation.json"), data, n, &e) ||
        !file_write(path_join(&a, dir, "program.py"), "pass\n", 5, &e))
        abort();
    read_both(dir, &a);
    read_verdict(data, n, &a);
    if (!file_remove_tree(dir, &e))
        abort();
    arena_done(&a);
    return 0;
}
