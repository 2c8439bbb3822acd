/*
 * Compiler attributes and builtins, the only place that names them.
 */
#ifndef BASE_COMPILER_H
#define BASE_COMPILER_H

#if defined(__GNUC__)
#define PRINTF_LIKE(fmt_at, args_at) __attribute__((format(printf, fmt_at, args_at)))
#define MUST_USE __attribute__((warn_unused_result))
#define NORETURN __attribute__((noreturn))
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define UNUSED __attribute__((unused))
#define FALLTHROUGH __attribute__((fallthrough))

/* true: the exact result does not fit, and *out holds it wrapped. */
#define CHECKED_ADD(a, b, out) __builtin_add_overflow((a), (b), (out))
#define CHECKED_SUB(a, b, out) __builtin_sub_overflow((a), (b), (out))
#define CHECKED_MUL(a, b, out) __builtin_mul_overflow((a), (b), (out))
/* Number of the lowest and highest set bit of a 64-bit value that is not zero. */
#define LOWEST_BIT(x) __builtin_ctzll(x)
#define HIGHEST_BIT(x) (63 - __builtin_clzll(x))

/* For the address sanitizer: forbids or allows access to a part of our own blocks. */
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#define MEMORY_HIDE(p, n) ASAN_POISON_MEMORY_REGION((p), (n))
#define MEMORY_SHOW(p, n) ASAN_UNPOISON_MEMORY_REGION((p), (n))
#else
#define MEMORY_HIDE(p, n) ((void)(p), (void)(n))
#define MEMORY_SHOW(p, n) ((void)(p), (void)(n))
#endif
#else
#error "assay is built with GCC or Clang"
#endif

/* Elements of an array (not of a pointer). */
#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

#endif
