/* The standard's facts as arrays. Rows are sorted by domain, name and version (tools/make-ops), so
 * that the versions of one operator are neighbours. */
#include "onnx/op_p.h"

#define OP_PARAM(name, type, dtypes, other, mixed, arity)                                          \
    {name, type, dtypes, other, mixed, OP_##arity},
#define OP_ATTR(...)
#define OP_FACT(...)
static const struct op_param_fact params[] = {
#include "onnx/op_facts.def"
};
#undef OP_PARAM
#undef OP_ATTR

#define OP_PARAM(...)
#define OP_ATTR(name, kind, required, has_default, i, f, s)                                        \
    {name, kind, required, has_default, i, f, s},
static const struct op_attr_fact attrs[] = {
#include "onnx/op_facts.def"
};
#undef OP_ATTR
#undef OP_FACT

#define OP_ATTR(...)
#define OP_FACT(name, domain, since, deprecated, body, min_in, max_in, min_out, max_out, in_at,    \
                n_in, out_at, n_out, attr_at, n_attr)                                              \
    {                                                                                              \
        name,    domain,  since,          deprecated,      body, min_in, max_in,                   \
        min_out, max_out, &params[in_at], &params[out_at], n_in, n_out,  &attrs[attr_at],          \
        n_attr},
const struct op_fact op__facts[] = {
#include "onnx/op_facts.def"
};
#undef OP_PARAM
#undef OP_ATTR
#undef OP_FACT

const size_t op__n_facts = COUNT_OF(op__facts);
