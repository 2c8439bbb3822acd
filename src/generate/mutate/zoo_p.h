/* Layers of the zoo's models. x is [N, C, H, W] or [batch, sequence, size]. */
#ifndef GENERATE_MUTATE_ZOO_P_H
#define GENERATE_MUTATE_ZOO_P_H

#include "generate/mutate/graph_builder_p.h"
#include "generate/zoo.h"

uint32_t zoo__input(struct graph_builder *b, const char *name, enum dtype t, uint32_t rank,
                    const int64_t *dims);

struct zoo_conv {
    int64_t out, kernel, stride, group, dilation;
    bool bias, valid; /* valid: no pads */
};
/* Weights with variance 2 / fan-in, so that rms stays near 1 through ReLUs. */
uint32_t zoo__conv(struct graph_builder *b, uint32_t x, struct zoo_conv c);
uint32_t zoo__batch_norm(struct graph_builder *b, uint32_t x);
uint32_t zoo__max_pool(struct graph_builder *b, uint32_t x, int64_t kernel, int64_t stride,
                       int64_t pad);
uint32_t zoo__average_pool(struct graph_builder *b, uint32_t x, int64_t kernel, int64_t stride,
                           int64_t pad);
uint32_t zoo__relu6(struct graph_builder *b, uint32_t x);
/* Global average, Flatten, dense layer with bias: class scores. */
uint32_t zoo__head(struct graph_builder *b, uint32_t x, int64_t n_classes);
uint32_t zoo__gemm(struct graph_builder *b, uint32_t x, int64_t out);
/* MatMul + Add over the last dim. */
uint32_t zoo__linear(struct graph_builder *b, uint32_t x, int64_t out, bool bias);
uint32_t zoo__layer_norm(struct graph_builder *b, uint32_t x);
uint32_t zoo__rms_norm(struct graph_builder *b, uint32_t x);
uint32_t zoo__gelu(struct graph_builder *b, uint32_t x);
/* Multi-head self-attention; causal: a lower triangular mask is added. */
uint32_t zoo__attention(struct graph_builder *b, uint32_t x, int64_t heads, bool causal);
uint32_t zoo__concat(struct graph_builder *b, const uint32_t *parts, uint32_t n, int64_t axis);

#define ZOO(name, function, opset, help) uint32_t zoo__##function(struct graph_builder *b);
#include "generate/mutate/zoo.def"
#undef ZOO

#endif
