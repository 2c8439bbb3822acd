/* Programs as seeds of the generator corpus: Python files, run as they are. */
#include "base/file.h"
#include "generate/corpus/corpus_p.h"

enum { PROGRAM_MAX = 1 << 20 };

bool corpus__read_program(uint64_t zoo_seed, struct arena *a, struct corpus_seed *seed,
                          struct err *e)
{
    struct program *p = arena_new(a, struct program);
    (void)zoo_seed;
    seed->program = p;
    return file_read(seed->name, PROGRAM_MAX, a, &p->source, e);
}

bool corpus__program_case(const struct corpus_seed *seed, uint64_t round,
                          const struct provenance *from, struct arena *a, struct tcase **out,
                          struct err *e)
{
    (void)round;
    (void)e;
    struct tensors *no_inputs = arena_new(a, struct tensors);
    *out = case_of_program(seed->program, no_inputs, 1, *from, a);
    return true;
}
