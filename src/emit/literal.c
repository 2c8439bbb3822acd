/*
 * Decides how numbers and tensors are written as Python that reads back as the same bits. Floats of
 * 32 bits need at most 9 digits, of 64 bits 17 (IEEE 754-2019, 5.12.2).
 */
#include "emit/literal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/compiler.h"
#include "base/json.h"

void literal_string(struct str s, struct strbuf *out)
{
    struct strbuf text = {0};
    struct json_out w = json_open(&text, JSON_COMPACT); /* a JSON string is also a Python string */
    json_put_str(&w, s);
    strbuf_add(out, text.at, text.n);
    strbuf_done(&text);
}

void literal_real(double x, enum dtype t, const char *module, struct strbuf *out)
{
    char text[40];
    if (isnan(x)) {
        strbuf_printf(out, "%s.nan", module);
        return;
    }
    if (isinf(x)) {
        strbuf_printf(out, "%s%s.inf", x < 0 ? "-" : "", module);
        return;
    }
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, x);
        double back = strtod(text, NULL);
        if (t == DTYPE_DOUBLE ? back == x : (float)back == (float)x)
            break;
    }
    strbuf_adds(out, text);
    if (!strpbrk(text, ".e"))
        strbuf_adds(out, ".0");
}

void literal_element(const struct tensor *t, size_t i, const char *module, struct strbuf *out)
{
    if (t->dtype == DTYPE_STRING)
        literal_string(t->strings[i], out);
    else if (dtype_is_float(t->dtype))
        literal_real(tensor_get_double(t, i), t->dtype, module, out);
    else if (t->dtype == DTYPE_BOOL)
        strbuf_adds(out, tensor_get_i64(t, i) ? "True" : "False");
    else if (t->dtype == DTYPE_UINT64)
        strbuf_printf(out, "%llu", (unsigned long long)tensor_get_i64(t, i));
    else
        strbuf_printf(out, "%lld", (long long)tensor_get_i64(t, i));
}

static bool all_equal(const struct tensor *t)
{
    size_t size = t->n ? dtype_size(t->dtype, t->n) / t->n : 0;
    return t->n > 0 && size > 0 &&
           memcmp(t->data, (const char *)t->data + size, (t->n - 1) * size) == 0;
}

/* A NaN with a payload or a sign would not read back from "nan". */
static bool has_odd_nan(const struct tensor *t)
{
    for (size_t i = 0; dtype_is_float(t->dtype) && i < t->n; i++)
        if (isnan(tensor_get_double(t, i)))
            return true;
    return false;
}

/* A short list, or one repeated number. A tensor without elements is written as raw data, as in the
 * case's file: some engines read an empty list of numbers differently. */
bool literal_is_listed(const struct tensor *t)
{
    return t->dtype == DTYPE_STRING ||
           (t->n > 0 && !has_odd_nan(t) && (t->n <= LITERAL_ELEMENTS_MAX || all_equal(t)));
}

void literal_list(const struct tensor *t, const char *module, struct strbuf *out)
{
    enum { COLUMNS = 92 };
    bool one = t->dtype != DTYPE_STRING && t->n > 4 && all_equal(t);
    size_t line = out->n;
    strbuf_addc(out, '[');
    for (size_t i = 0; i < (one ? 1 : t->n); i++) {
        strbuf_adds(out, i ? "," : "");
        if (out->n - line > COLUMNS - 40) {
            strbuf_adds(out, "\n        ");
            line = out->n - 8;
        } else if (i) {
            strbuf_addc(out, ' ');
        }
        literal_element(t, i, module, out);
    }
    strbuf_addc(out, ']');
    if (one)
        strbuf_printf(out, " * %zu", t->n);
}

static void add_base64(const unsigned char *at, size_t n, struct strbuf *out)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < n; i += 3) {
        uint32_t bits = (uint32_t)at[i] << 16 | (i + 1 < n ? (uint32_t)at[i + 1] << 8 : 0) |
                        (i + 2 < n ? at[i + 2] : 0);
        strbuf_addc(out, letters[bits >> 18 & 63]);
        strbuf_addc(out, letters[bits >> 12 & 63]);
        strbuf_addc(out, i + 1 < n ? letters[bits >> 6 & 63] : '=');
        strbuf_addc(out, i + 2 < n ? letters[bits & 63] : '=');
    }
}

void literal_bytes(const struct tensor *t, struct strbuf *out)
{
    if (t->n == 0) {
        strbuf_adds(out, "b\"\"");
        return;
    }
    strbuf_adds(out, "base64.b64decode(\"");
    add_base64(t->data, dtype_size(t->dtype, t->n), out);
    strbuf_adds(out, "\")");
}

void literal_dims(const int64_t *dims, uint32_t rank, struct strbuf *out)
{
    strbuf_addc(out, '[');
    for (uint32_t i = 0; i < rank; i++)
        strbuf_printf(out, i ? ", %lld" : "%lld", (long long)dims[i]);
    strbuf_addc(out, ']');
}
