/*
 * Decides how numbers and tensors are written as Python so that they read back bit by bit: decimal
 * with enough digits for few, the raw bytes in base64 for many and for what NumPy has no type for.
 * Floats of 32 bits need 9 digits, of 64 bits 17 (IEEE 754-2019, 5.12.2).
 */
#include "report/python_p.h"

#include <math.h>

#include "base/compiler.h"
#include "base/json.h"

static const char *const type_names[] = {
    [DTYPE_UNDEFINED] = "UNDEFINED",
#define DTYPE(id, number, name, bits, class, format) [number] = #id,
#include "onnx/dtype.def"
#undef DTYPE
};

const char *python__type(enum dtype t)
{
    return type_names[t];
}

void python__string(struct str s, struct strbuf *out)
{
    struct strbuf text = {0};
    struct json_out w = json_open(&text, JSON_COMPACT); /* JSON's strings are Python's too */
    json_put_str(&w, s);
    strbuf_add(out, text.at, text.n);
    strbuf_done(&text);
}

const char *python__numpy(enum dtype t)
{
    switch (t) {
    case DTYPE_FLOAT:
        return "float32";
    case DTYPE_DOUBLE:
        return "float64";
    case DTYPE_FLOAT16:
    case DTYPE_INT8:
    case DTYPE_INT16:
    case DTYPE_INT32:
    case DTYPE_INT64:
    case DTYPE_UINT8:
    case DTYPE_UINT16:
    case DTYPE_UINT32:
    case DTYPE_UINT64:
    case DTYPE_BOOL:
        return dtype_name(t);
    default:
        return NULL;
    }
}

static void add_real(double x, enum dtype t, struct strbuf *out)
{
    char text[40];
    if (isnan(x)) {
        strbuf_adds(out, "nan");
        return;
    }
    if (isinf(x)) {
        strbuf_adds(out, x < 0 ? "-inf" : "inf");
        return;
    }
    snprintf(text, sizeof text, t == DTYPE_DOUBLE ? "%.17g" : "%.9g", x);
    strbuf_adds(out, text);
    if (!strpbrk(text, ".en"))
        strbuf_adds(out, ".0");
}

static void add_element(const struct tensor *t, size_t i, struct strbuf *out)
{
    if (dtype_is_float(t->dtype))
        add_real(tensor_get_double(t, i), t->dtype, out);
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

/* NaNs with a payload or a sign would not read back from "nan". */
static bool has_odd_nan(const struct tensor *t)
{
    for (size_t i = 0; dtype_is_float(t->dtype) && i < t->n; i++)
        if (isnan(tensor_get_double(t, i)))
            return true;
    return false;
}

static void add_dims(const int64_t *dims, uint32_t rank, struct strbuf *out)
{
    strbuf_addc(out, '[');
    for (uint32_t i = 0; i < rank; i++)
        strbuf_printf(out, i ? ", %lld" : "%lld", (long long)dims[i]);
    strbuf_addc(out, ']');
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

/* Plain lists stay short, and so do tensors of one number. */
void python__tensor(const struct tensor *t, struct strbuf *out)
{
    const char *numpy = python__numpy(t->dtype);
    bool few = numpy && !has_odd_nan(t) && (t->n <= PYTHON_LITERALS_MAX || all_equal(t));
    if (few) {
        bool one = t->n > 1 && all_equal(t);
        strbuf_adds(out, "values([");
        for (size_t i = 0; i < (one ? 1 : t->n); i++) {
            strbuf_adds(out, i ? ", " : "");
            add_element(t, i, out);
        }
        strbuf_addc(out, ']');
        if (one)
            strbuf_printf(out, " * %zu", t->n);
    } else {
        strbuf_adds(out, "packed(\"");
        add_base64(t->data, dtype_size(t->dtype, t->n), out);
        strbuf_addc(out, '"');
    }
    strbuf_printf(out, ", TensorProto.%s, ", python__type(t->dtype));
    add_dims(t->dims, t->rank, out);
    strbuf_addc(out, ')');
}
