/* A thin wrapper round dlopen; messages hold the loader's own text. */
#include "os/library.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

struct library {
    void *handle;
    char *path;
};

static const char *loader_words(void)
{
    const char *words = dlerror();
    return words ? words : "no reason given";
}

bool library_open(const char *path, struct library **out, struct err *e)
{
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        return err_set(e, ERR_ENVIRONMENT, "%s: cannot open the library: %s", path, loader_words());
    size_t n = strlen(path) + 1;
    struct library *lib = mem_alloc(sizeof *lib + n);
    *lib = (struct library){handle, (char *)(lib + 1)};
    memcpy(lib->path, path, n);
    *out = lib;
    return true;
}

void library_close(struct library *lib)
{
    if (!lib)
        return;
    dlclose(lib->handle);
    free(lib);
}

bool library_object(const struct library *lib, const char *name, void **out, struct err *e)
{
    dlerror();
    *out = dlsym(lib->handle, name);
    return *out || err_set(e, ERR_ENVIRONMENT, "%s: lacks the symbol %s: %s", lib->path, name,
                           loader_words());
}

bool library_function(const struct library *lib, const char *name, library_function_ptr *out,
                      struct err *e)
{
    void *object;
    if (!library_object(lib, name, &object, e))
        return false;
    memcpy(out, &object, sizeof object); /* POSIX: both kinds of pointer have one representation */
    return true;
}
