/* Decides which calls of NumPy and onnx.helper make a tensor; emit/literal.h writes the numbers. */
#include "report/python_p.h"

#include "emit/literal.h"

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

void python__float(double x, struct strbuf *out)
{
    literal_real(x, DTYPE_FLOAT, "np", out);
}

void python__make_tensor(struct str name, const struct tensor *t, struct strbuf *out)
{
    strbuf_adds(out, "helper.make_tensor(");
    literal_string(name, out);
    strbuf_printf(out, ", TensorProto.%s, ", python__type(t->dtype));
    literal_dims(t->dims, t->rank, out);
    strbuf_adds(out, ", ");
    if (literal_is_listed(t))
        literal_list(t, "np", out);
    else
        literal_bytes(t, out);
    strbuf_adds(out, literal_is_listed(t) ? ")" : ", raw=True)");
}

void python__array(const struct tensor *t, struct strbuf *out)
{
    const char *numpy = t->dtype == DTYPE_STRING ? "object" : python__numpy(t->dtype);
    if (!numpy) {
        strbuf_adds(out, "numpy_helper.to_array(");
        python__make_tensor(STR(""), t, out);
        strbuf_addc(out, ')');
        return;
    }
    if (t->n == 0) {
        strbuf_adds(out, "np.zeros(");
        literal_dims(t->dims, t->rank, out);
        strbuf_printf(out, ", \"%s\")", numpy);
        return;
    }
    if (!literal_is_listed(t)) {
        strbuf_adds(out, "np.frombuffer(");
        literal_bytes(t, out);
    } else {
        strbuf_adds(out, "np.array(");
        if (t->rank)
            literal_list(t, "np", out);
        else
            literal_element(t, 0, "np", out);
    }
    strbuf_printf(out, ", \"%s\")", numpy);
    if (t->rank == 1 || (t->rank == 0 && literal_is_listed(t)))
        return;
    strbuf_adds(out, ".reshape(");
    literal_dims(t->dims, t->rank, out);
    strbuf_addc(out, ')');
}
