/* The generator corpus: its row, and what it makes of each kind of seed. */
#ifndef GENERATE_CORPUS_CORPUS_P_H
#define GENERATE_CORPUS_CORPUS_P_H

#include "generate/generate.h"

extern const struct generator_ops corpus_generator;

/* A model or a program that was given. */
struct corpus_seed {
    const char *name;
    struct model *m;
    const struct program *program; /* NULL: a model */
};

/* The file or zoo model of seed->name. */
bool corpus__read_graph(uint64_t zoo_seed, struct arena *a, struct corpus_seed *seed,
                        struct err *e);
bool corpus__read_program(uint64_t zoo_seed, struct arena *a, struct corpus_seed *seed,
                          struct err *e);

/* The case of a round: of a model with the values of that round (grid and normals by turns), of a
 * program the program. */
bool corpus__graph_case(const struct corpus_seed *seed, uint64_t round,
                        const struct provenance *from, struct arena *a, struct tcase **out,
                        struct err *e);
bool corpus__program_case(const struct corpus_seed *seed, uint64_t round,
                          const struct provenance *from, struct arena *a, struct tcase **out,
                          struct err *e);

#endif
