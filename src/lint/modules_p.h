/*
 * struct module_graph: the files of a run as Python modules, which of them import which, and the
 * order in which they can be read so that what a file imports is known before it.
 *
 *     struct module_graph g = {0};
 *     modules__init(&g, options, arena);
 *     modules__add(&g, path, at);            // each file of the run, in order of paths
 *     modules__resolve(&g);                  // finds what is imported, also beside the files given
 * modules__order(&g); // levels; in a cycle of imports one edge is left out
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
    uint32_t at;     /* among the files given; MODULE_NOT_GIVEN: read only because it is imported */
    struct str name; /* dotted and unique in the project; "" has none */
    const char *root; /* the folder of its outermost package */
    bool is_package, is_notebook, is_readable;
    bool names_framework; /* imports a framework itself */
    bool is_relevant;     /* names_framework, or imports a module of the project that is relevant */
    bool is_wanted;       /* its summary is needed */
    bool may_call;        /* of the project but not given: kept only when it leads to a given one */
    bool is_caller;       /* calls functions of other files, which need to know how */
    uint64_t size;
    struct str held;       /* an editor's text, used instead of the disk */
    struct hash content;   /* zero unless needed */
    VEC(uint32_t) imports; /* files, each once */
    VEC(struct module_alias) aliases;
    VEC(struct str) taken;     /* names that others import from it, each once */
    bool is_taken_whole;       /* imported as a module, or with a star */
    uint32_t level, component; /* component: equal in files that import each other */
    bool waits;                /* imports a file that is read after it, as in a cycle */
    bool is_awaited;           /* is such an imported file */
};

struct module_graph {
    struct arena *arena;
    uint64_t max_file_size;
    bool with_hashes;
    VEC(struct module_file) files;
    struct map held; /* normalised path -> number + 1 of a text */
    VEC(struct str) held_texts;
    struct map by_path;  /* normalised path -> file + 1; 0: no such file */
    struct map by_name;  /* dotted name -> how many have it */
    struct map is_there; /* "folder/top": 1 no, 2 yes */
    struct map found;    /* "root\nname" -> file; UINT32_MAX: no such module */
    struct arena work;   /* texts of the file at hand */
    uint32_t n_levels, n_components;
    uint32_t *component_size;
    uint32_t n_not_given;
    bool has_callers; /* there are files of the project that were not given */
};

void modules__init(struct module_graph *g, uint64_t max_file_size, bool with_hashes,
                   struct arena *a);
void modules__done(struct module_graph *g);
/* An editor's text of a file, used instead of the disk unless empty; borrowed. Comes before the
 * files are added. */
void modules__hold(struct module_graph *g, const char *path, struct str text);
uint32_t modules__add(struct module_graph *g, const char *path, uint32_t at);
/* Adds a file of the project that was not given and may call what given ones define; known files
 * stay as they are. */
void modules__add_caller(struct module_graph *g, const char *path);
/* The folder where the project of a file begins: the nearest above it that is marked so, else the
 * one above the file's outermost package. */
const char *modules__project_of(struct module_graph *g, const char *path);
void modules__resolve(struct module_graph *g);
void modules__order(struct module_graph *g);

#endif
