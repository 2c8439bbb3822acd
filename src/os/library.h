/*
 * struct library: a shared library opened at run time; the one place that calls dlopen.
 *
 *     struct library *lib;
 *     library_function_ptr get;
 *     if (!library_open("/…/libonnxruntime.so.1.31.1", &lib, e) ||
 *         !library_function(lib, "OrtGetApiBase", &get, e)) ...
 *     const struct api_base *base = ((const struct api_base *(*)(void))get)();
 *
 * Symbols stay local to the library. Messages name file and symbol and hold the loader's text.
 * Engine libraries are opened in workers only, one version per process.
 */
#ifndef OS_LIBRARY_H
#define OS_LIBRARY_H

#include <stdbool.h>

#include "base/err.h"

struct library;
typedef void (*library_function_ptr)(void);

bool library_open(const char *path, struct library **out, struct err *e); /* ERR_ENVIRONMENT */
void library_close(struct library *lib);                                  /* NULL is allowed */
bool library_function(const struct library *lib, const char *name, library_function_ptr *out,
                      struct err *e);
bool library_object(const struct library *lib, const char *name, void **out, struct err *e);

#endif
