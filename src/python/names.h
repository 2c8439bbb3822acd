/*
 * struct names: scopes, what each name is bound to, and which qualified API name
 * ("torch.nn.functional.softmax") a dotted expression means. struct paths: qualified names as
 * numbers, shared by all files of a session.
 *
 *     struct paths *paths = paths_new(parser);
 *     uint32_t softmax = paths_add(paths, STR("torch.nn.functional.softmax"));
 *     struct names_options options = {.module = STR("pkg.train")};
 *     names_build(&tree, paths, &options, arena, &names);
 *     struct name_ref r = names_resolve(&names, call_function_node);
 *     if (r.path == softmax && r.is_exact && r.confidence >= CONFIDENCE_MEDIUM) ...
 *
 * Scopes follow Python's rules: a class body is invisible to the functions in it; a comprehension
 * is a scope whose first iterable belongs to the scope outside; `global`, `nonlocal` and the walrus
 * in a comprehension bind outside. Scope 0 is the module. A binding is one name in one scope, with
 * all its stores in source order.
 *
 * Resolution begins at the root name: an import (also in try/except, under `if`, in a function), a
 * class or function of this file ("<module>.Net"), a plain alias assigned once (`F =
 * torch.nn.functional`), a builtin ("builtins.len"), and last, where the name is unbound, a
 * conventional module name. It is lazy and cached; building the scopes is one pass over the nodes.
 *
 * paths outlive names; names live in the given arena and borrow the tree.
 */
#ifndef PYTHON_NAMES_H
#define PYTHON_NAMES_H

#include "python/tree.h"
#include "python/truth.h"

enum {
    PATH_NONE = UINT32_MAX,
    BINDING_NONE = UINT32_MAX,
    SCOPE_NONE = UINT32_MAX,
    NAME_STORE_NONE = UINT32_MAX
};

/* ---- qualified names ---- */

struct paths;

struct paths *paths_new(struct py_parser *p); /* uses p's words; free it before p */
void paths_free(struct paths *p);
uint32_t paths_add(struct paths *p, struct str dotted);
uint32_t paths_add_word(struct paths *p, uint32_t parent,
                        uint32_t word);                        /* parent PATH_NONE: a root */
uint32_t paths_find(const struct paths *p, struct str dotted); /* PATH_NONE when never added */
uint32_t paths_find_word(const struct paths *p, uint32_t parent, uint32_t word);
uint32_t paths_parent(const struct paths *p, uint32_t path);
uint32_t paths_word(const struct paths *p, uint32_t path);         /* the last component */
uint32_t paths_known_word(const struct paths *p, struct str text); /* WORD_NONE: in no file read */
void paths_text(const struct paths *p, uint32_t path, struct strbuf *out);
bool paths_is_below(const struct paths *p, uint32_t path, uint32_t above); /* or equal */
size_t paths_count(const struct paths *p);
void paths_trim(struct paths *p, size_t n_kept); /* forgets the later ones; call it between files */

/* ---- scopes and bindings ---- */

enum scope_kind { SCOPE_MODULE, SCOPE_CLASS, SCOPE_FUNCTION, SCOPE_LAMBDA, SCOPE_COMPREHENSION };

enum scope_flag {
    SCOPE_FLAG_STAR_IMPORT = 1, /* an unknown module's names may be here */
    SCOPE_FLAG_DYNAMIC = 2,     /* exec, globals() or locals() is used: any name may be bound */
    SCOPE_FLAG_YIELDS = 4,      /* a generator */
    SCOPE_FLAG_ASYNC = 8,
};

struct name_scope {
    enum scope_kind kind;
    uint32_t node; /* the definition, lambda or comprehension; the module: 0 */
    uint32_t parent;
    uint32_t name;          /* word, or WORD_NONE */
    uint32_t first_binding; /* chained by binding.next; BINDING_NONE: none */
    uint32_t flags;
};

enum bind_kind {
    BIND_ASSIGN,    /* x = value; also x: T = value */
    BIND_AUGMENT,   /* x += value */
    BIND_UNPACK,    /* a, x = value */
    BIND_FOR,       /* for x in value; also in a comprehension */
    BIND_WITH,      /* with value as x */
    BIND_IMPORT,    /* path is set */
    BIND_FUNCTION,  /* def x */
    BIND_CLASS,     /* class x */
    BIND_PARAMETER, /* value: the default, or 0 */
    BIND_EXCEPT,    /* except value as x */
    BIND_WALRUS,    /* (x := value) */
    BIND_MATCH,     /* captured by a case pattern; value: the subject */
    BIND_DECLARE,   /* x: T without a value */
    BIND_DELETE,    /* del x */
};

struct name_store {
    uint32_t node; /* the bound identifier (imports: the name or alias) */
    uint32_t binding;
    uint32_t value; /* the node it comes from, or 0 */
    uint32_t path;  /* imports: what is imported; else PATH_NONE */
    uint32_t next;  /* next store of the same binding, or NAME_STORE_NONE */
    uint8_t kind;   /* enum bind_kind */
    uint8_t part;   /* BIND_UNPACK: position in a flat target list; 255: nested or starred */
};

enum binding_flag {
    BINDING_FLAG_PARAMETER = 1,
    BINDING_FLAG_GLOBAL = 2, /* declared global here: means the module's binding */
    BINDING_FLAG_NONLOCAL = 4,
    BINDING_FLAG_ESCAPES = 8, /* stored to from another scope (global, nonlocal) */
};

struct name_binding {
    uint32_t scope, word;
    uint32_t first_store, last_store;
    uint32_t next; /* next binding of the same scope */
    uint32_t flags;
};

/* ---- resolution ---- */

enum name_origin {
    NAME_UNBOUND, /* nothing binds the root, and it is no builtin or convention */
    NAME_IMPORT,
    NAME_DEFINED, /* class or function of this file */
    NAME_BUILTIN,
    NAME_CONVENTION, /* unbound, but always means the same module */
    NAME_VARIABLE,   /* a variable or parameter: path is PATH_NONE */
};

struct name_ref {
    uint32_t path;    /* the longest known prefix; PATH_NONE for variables and unbound names */
    uint32_t binding; /* of the root name; BINDING_NONE when unbound */
    uint32_t depth;   /* components of the expression beyond `path`: 0 when is_exact */
    enum name_origin origin;
    enum confidence confidence;
    bool is_exact; /* path is that of the whole expression */
};

/* A name that means a module wherever it is unbound: {"F", "torch.nn.functional"}. */
struct name_convention {
    uint32_t word, path;
};

struct names_options {
    struct str
        module;      /* dotted name of this file; "": unknown, and relative imports stay relative */
    bool is_package; /* the file is an __init__.py */
    const struct name_convention *conventions;
    size_t n_conventions;
    /* Where a path that another file of the project exports is really defined (a re-export), or the
     * path itself. */
    uint32_t (*follow)(void *ctx, uint32_t path);
    void *follow_ctx;
};

struct names_cache;

struct names {
    const struct tree *tree;
    struct paths *paths;
    struct arena *arena;
    struct names_options options;
    uint32_t module; /* path of this file */
    struct name_scope *scopes;
    uint32_t n_scopes;
    struct name_binding *bindings;
    uint32_t n_bindings;
    struct name_store *stores; /* in source order */
    uint32_t n_stores;
    const uint32_t *star_imports; /* paths of modules imported with * */
    uint32_t n_star_imports;
    bool has_import; /* any import statement: else the file may be a fragment */
    struct names_cache *cache;
};

void names_build(const struct tree *t, struct paths *paths, const struct names_options *options,
                 struct arena *a, struct names *out);

/* node: an identifier, a dotted attribute chain, or a dotted_name of an import or decorator. */
struct name_ref names_resolve(const struct names *n, uint32_t node);

/* Adds the qualified name of what such a node means, outside of this file:
 * "torch.nn.functional.relu" for F.relu. False: a builtin, something of this file, or unknown. */
bool names_print(const struct names *n, uint32_t node, struct strbuf *out);

/* The binding that an identifier (read or stored) refers to; BINDING_NONE when unbound. */
uint32_t names_binding(const struct names *n, uint32_t identifier);

/* The store an identifier makes, or NAME_STORE_NONE when it is read. */
uint32_t names_store(const struct names *n, uint32_t identifier);

/* Is the store in a try statement, or under if, for, while, match or except of its scope, so that
 * it may not happen? */
bool names_store_in_try(const struct names *n, uint32_t store);
bool names_store_is_conditional(const struct names *n, uint32_t store);

/* The binding of a word that is visible in a scope, by Python's lookup; BINDING_NONE. */
uint32_t names_lookup(const struct names *n, uint32_t scope, uint32_t word);

/* The binding of a word in exactly this scope. */
uint32_t names_local(const struct names *n, uint32_t scope, uint32_t word);

uint32_t names_scope_at(const struct names *n,
                        uint32_t node); /* the scope in which a node is evaluated */
uint32_t names_scope_of(const struct names *n,
                        uint32_t node); /* the scope a definition opens; SCOPE_NONE */
uint32_t names_class_of(const struct names *n,
                        uint32_t scope); /* of a method: its class's scope; SCOPE_NONE */
bool names_is_method(const struct names *n,
                     uint32_t scope); /* does it stand in a class, not in a function in one? */
bool names_is_self(const struct names *n,
                   uint32_t identifier); /* the first parameter of a method */

/* The function or class of this file that a binding or path means; SCOPE_NONE: none or several. */
uint32_t names_definition(const struct names *n, uint32_t binding);
uint32_t names_definition_of_path(const struct names *n, uint32_t path);

/* The method of a class or of its bases in this file; SCOPE_NONE: none. *unknown (may be NULL): is
 * a base not known? */
uint32_t names_method(const struct names *n, uint32_t class_scope, uint32_t word, bool *unknown);

/* Does the class have the path among its bases, through classes of this file? */
enum truth names_derives(const struct names *n, uint32_t class_scope, uint32_t base);

const char *scope_kind_name(enum scope_kind kind);
const char *bind_kind_name(enum bind_kind kind);
const char *name_origin_name(enum name_origin origin);

/* Prints scopes with their bindings and stores, then each dotted expression that resolves: for
 * people and tests. */
void names_dump(const struct names *n, struct strbuf *out);

/* A file's budget: wherever work may grow faster than the text it is counted, alike on every
 * machine. False once more than NAMES_WORK_MAX was spent or the arena holds more than the source's
 * limit: then flows are unknown, and the caller reports that the file was not analysed. */
enum { NAMES_WORK_MAX = 600000000 };
bool names_spend(const struct names *n, uint64_t work);

#endif
