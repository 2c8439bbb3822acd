/* See kernel_map_p.h. The list of sources is built from the innermost axis out. */
#include "onnx/eval/kernel_map_p.h"

int64_t *kernel__identity_map(struct kernel *k, int64_t n)
{
    int64_t *map = arena_new_array(k->scratch, int64_t, (size_t)n);
    for (int64_t i = 0; i < n; i++)
        map[i] = i;
    return map;
}

const int64_t *kernel__map_axes(struct kernel *k, uint32_t o, uint32_t in,
                                const int64_t *const *maps)
{
    const struct value *out = &k->out[o], *v = k->in[in];
    int64_t *from = arena_new_array(k->scratch, int64_t, out->n ? out->n : 1);
    int64_t stride = 1;
    size_t n_done = 1; /* from[0 .. n_done) covers the axes after d, as if the others were at 0 */
    for (uint32_t d = out->rank; out->n && d-- > 0;) {
        for (int64_t i = out->dims[d]; i-- > 0;)
            for (size_t j = 0; j < n_done; j++)
                from[(size_t)i * n_done + j] =
                    maps[d][i] < 0 || from[j] < 0 ? -1 : from[j] + maps[d][i] * stride;
        n_done *= (size_t)out->dims[d];
        stride *= v->dims[d];
    }
    kernel__move(k, o, in, from);
    return from;
}
