/*
 * struct module_graph: the files of a run as Python modules, which of them import which, and the
 * order in which they can be read so that what a file imports is known before it.
 *
 *     struct module_graph g = {0};
 *     modules__init(&g, options, arena);
 *     modules__add(&g, path, at);            // each file of the run, in order of paths
 *     modules__resolve(&g);                  // finds what is imported, also beside the files given
 *     modules__order(&g);                    // levels; in a circle of imports one edge is left out
 *
 * A module is looked for as Python would: in the folder above the importer's outermost package,
 * then, because programs are often started elsewhere, in the folders above that one. Everything
 * lives in the arena. Paths are compared as text.
 */
#ifndef LINT_MODULES_P_H
#define LINT_MODULES_P_H

#include "base/hash.h"
#include "base/map.h"
#include "base/vec.h"
#include "lint/lint.h"

enum { MODULE_NOT_GIVEN = UINT32_MAX };

struct module_file {
    const char *path;
    uint32_t at;     /* among the files given; MODULE_NOT_GIVEN: only read because it is imported */
    struct str name; /* dotted and unique in the project; "" has none */
    const char *root; /* the folder its outermost package lies in */
    bool is_package, is_notebook, is_readable;
    bool names_framework; /* imports a framework itself */
    bool is_relevant;     /* or a module of the project that does */
    bool is_wanted;       /* its summary is asked for */
    bool may_call;        /* of the project, not given: kept only when it leads to a given one */
    bool is_caller;       /* calls what other files define; they want to know how */
    uint64_t size;
    struct str held;       /* what an editor holds of it instead of the disk */
    struct hash content;   /* zero unless asked for */
    VEC(uint32_t) imports; /* files, each once */
    VEC(struct module_alias) aliases;
    VEC(struct str) taken;     /* names that others import from it, each once */
    bool is_taken_whole;       /* imported as a module, or with a star */
    uint32_t level, component; /* component: files that import each other have the same */
    bool waits;                /* imports a file that is read after it, as in a circle */
    bool is_awaited;           /* is such an imported file */
};

struct module_graph {
    struct arena *arena;
    uint64_t max_file_size;
    bool with_hashes;
    VEC(struct module_file) files;
    struct map by_path;  /* normalised path -> file + 1; 0: no such file */
    struct map by_name;  /* dotted name -> how many have it */
    struct map is_there; /* "folder/top": 1 no, 2 yes */
    struct map found;    /* "root\nname" -> file; UINT32_MAX: no such module */
    struct arena work;   /* texts of the file at hand */
    uint32_t n_levels, n_components;
    uint32_t *component_size;
    uint32_t n_not_given;
    bool has_callers; /* files of the project that were not given are there */
};

void modules__init(struct module_graph *g, uint64_t max_file_size, bool with_hashes,
                   struct arena *a);
void modules__done(struct module_graph *g);
/* held: empty, or what an editor holds of the file instead of the disk, borrowed. */
uint32_t modules__add(struct module_graph *g, const char *path, uint32_t at, struct str held);
/* A file of the project that was not given and may call what given ones define; known ones are left
 * as they are. */
void modules__add_caller(struct module_graph *g, const char *path);
/* The folder that the project of a file begins at: the nearest one above that says so, else the
 * one above the file's outermost package. */
const char *modules__project_of(struct module_graph *g, const char *path);
void modules__resolve(struct module_graph *g);
void modules__order(struct module_graph *g);

#endif
