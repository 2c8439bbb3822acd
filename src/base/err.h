/*
 * struct err: one sentence about a failure: file, place, what was expected, what was there, and
 * what to do. A fallible function returns bool and takes a struct err last:
 *
 *     bool model_read(struct str path, ..., struct err *e)
 *     {
 *         if (!file_read(path, ..., e))
 *             return err_wrap(e, "model " STR_FMT, STR_ARG(path));   // "model x.onnx: cannot ..."
 *         if (size > MAX)
 *             return err_set(e, ERR_LIMIT, "%zu bytes, at most %d are read", size, MAX);
 *
 * Both calls expand to false, so that compilers and analysers know the result. A caller that goes
 * on after a failure calls err_clear. A test that crashes or hangs is a result, not an error.
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stdbool.h>

#include "base/compiler.h"

enum err_code {
#define ERR(name, exit_code, meaning) ERR_##name,
#include "base/err.def"
#undef ERR
};

struct err {
    enum err_code code;
    char text[1000]; /* a longer text is cut at its end */
};

/* false as a function call, so that compilers do not warn when the value is unused. */
static inline bool err__false(void)
{
    return false;
}

#define err_set(...) (err__set(__VA_ARGS__), err__false())
void err__set(struct err *e, enum err_code code, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* Puts "context: " before the text; keeps the code. */
#define err_wrap(...) (err__wrap(__VA_ARGS__), err__false())
void err__wrap(struct err *e, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* err_set with ": strerror(errno)" after the text. */
#define err_errno(...) (err__errno(__VA_ARGS__), err__false())
void err__errno(struct err *e, enum err_code code, const char *fmt, ...) PRINTF_LIKE(3, 4);

void err_clear(struct err *e);
const char *err_code_name(enum err_code code);
int err_exit_code(enum err_code code);

#endif
