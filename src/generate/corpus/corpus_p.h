/* The generator corpus: its row, and the cases it makes of each kind of seed. */
#ifndef GENERATE_CORPUS_CORPUS_P_H
#define GENERATE_CORPUS_CORPUS_P_H

#include "generate/generate.h"

extern const struct generator_ops corpus_generator;

/* A model, a program or a case folder that was given: one of the three fields is not NULL. */
struct corpus_seed {
    const char *name;
    const struct corpus_kind *kind;
    struct model *m;
    const struct program *program;
    const struct tcase *c;
};

bool corpus__is_case(const char *name, struct arena *a);

/* Each reads the seed that seed->name names; a model is a file or from the zoo. */
bool corpus__read_graph(uint64_t zoo_seed, struct arena *a, struct corpus_seed *seed,
                        struct err *e);
bool corpus__read_program(uint64_t zoo_seed, struct arena *a, struct corpus_seed *seed,
                          struct err *e);
bool corpus__read_case(uint64_t zoo_seed, struct arena *a, struct corpus_seed *seed, struct err *e);

/* The case of a round: a model with that round's inputs (alternately from a grid and normally
 * distributed), a program, or the case of a folder with its own inputs. */
bool corpus__graph_case(const struct corpus_seed *seed, uint64_t round,
                        const struct provenance *from, struct arena *a, struct tcase **out,
                        struct err *e);
bool corpus__program_case(const struct corpus_seed *seed, uint64_t round,
                          const struct provenance *from, struct arena *a, struct tcase **out,
                          struct err *e);
bool corpus__given_case(const struct corpus_seed *seed, uint64_t round,
                        const struct provenance *from, struct arena *a, struct tcase **out,
                        struct err *e);

#endif
