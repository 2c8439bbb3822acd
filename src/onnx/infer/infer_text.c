/* Shapes of string operators: StringConcat, StringSplit, StringNormalizer, TfIdfVectorizer. */
#include "onnx/infer/infer_p.h"

/* StringConcat: broadcast. */
bool infer__string_concat(struct infer *in, struct err *e)
{
    struct shape out;
    if (!infer__broadcast_shapes(in, infer__shape(in, 0), infer__shape(in, 1), &out, e))
        return false;
    infer__set(in, 0, DTYPE_STRING, out);
    return true;
}

/* StringSplit: one more dim, whose size depends on the strings; counts as X. */
bool infer__string_split(struct infer *in, struct err *e)
{
    const struct shape *x = infer__shape(in, 0);
    struct shape out = infer__unknown_shape();
    if (!infer__need_rank(in, 0, 0, TENSOR_RANK_MAX - 1, e))
        return false;
    if (x->known) {
        out = infer__new_shape(in, x->rank + 1);
        for (uint32_t d = 0; d < x->rank; d++)
            out.dims[d] = x->dims[d];
    }
    infer__set(in, 0, DTYPE_STRING, out);
    infer__set(in, 1, DTYPE_INT64, *x);
    return true;
}

/* StringNormalizer: (?) or (1, ?). */
bool infer__string_normalizer(struct infer *in, struct err *e)
{
    const struct shape *x = infer__shape(in, 0);
    struct shape out = infer__unknown_shape();
    if (!infer__need_rank(in, 0, 1, 2, e))
        return false;
    if (x->known && x->rank == 2 && dim__differ(x->dims[0], dim_of(1)))
        return err_set(e, ERR_DATA, "X is not (C) or (1, C)");
    if (x->known) {
        out = infer__new_shape(in, x->rank);
        if (x->rank == 2)
            out.dims[0] = dim_of(1);
    }
    infer__set(in, 0, DTYPE_STRING, out);
    return true;
}

/* TfIdfVectorizer: (max index + 1), or (N, max index + 1). */
bool infer__tfidf(struct infer *in, struct err *e)
{
    const struct shape *x = infer__shape(in, 0);
    struct shape out = infer__unknown_shape();
    size_t n;
    const int64_t *at = node_ints(in->n, "ngram_indexes", &n);
    int64_t most = -1;
    if (!infer__need_rank(in, 0, 1, 2, e))
        return false;
    for (size_t i = 0; i < n; i++)
        if (at[i] > most)
            most = at[i];
    if (most < 0 || most > INT32_MAX)
        return err_set(e, ERR_DATA, "the largest of ngram_indexes is %lld", (long long)most);
    if (x->known) {
        out = infer__new_shape(in, x->rank);
        if (x->rank == 2)
            out.dims[0] = x->dims[0];
        out.dims[x->rank - 1] = dim_of(most + 1);
    }
    infer__set(in, 0, DTYPE_FLOAT, out);
    return true;
}
