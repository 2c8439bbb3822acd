/* Case folders as seeds of the generator corpus: each round gives the case with its own inputs. */
#include "base/file.h"
#include "base/path.h"
#include "case/disk.h"
#include "generate/corpus/corpus_p.h"

bool corpus__is_case(const char *name, struct arena *a)
{
    return file_stat(path_join(a, name, "case.json")).kind == FILE_REGULAR;
}

bool corpus__read_case(uint64_t zoo_seed, struct arena *a, struct corpus_seed *seed, struct err *e)
{
    struct tcase *c;
    (void)zoo_seed;
    if (!case_read(seed->name, a, &c, e))
        return false;
    seed->c = c;
    return true;
}

bool corpus__given_case(const struct corpus_seed *seed, uint64_t round,
                        const struct provenance *from, struct arena *a, struct tcase **out,
                        struct err *e)
{
    (void)round;
    (void)e;
    *out = arena_new(a, struct tcase);
    **out = *seed->c;
    (*out)->from = *from;
    case_seal(*out);
    return true;
}
