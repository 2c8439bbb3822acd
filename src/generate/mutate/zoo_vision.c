/*
 * Vision models of the zoo: LeNet-5 (LeCun et al. 1998), ResNet (He et al. 2015), MobileNetV2
 * (Sandler et al. 2018), Inception (Szegedy et al. 2014), U-Net (Ronneberger et al. 2015), a
 * quantised MobileNet block, and the 13-node net that benches use. Small widths, small images.
 */
#include <math.h>

#include "generate/mutate/zoo_p.h"

static uint32_t image(struct graph_builder *b, int64_t channels, int64_t size)
{
    return zoo__input(b, "image", DTYPE_FLOAT, 4, (const int64_t[]){1, channels, size, size});
}

uint32_t zoo__convnet13(struct graph_builder *b)
{
    uint32_t x = image(b, 3, 16), skip;
    x = zoo__conv(b, x, (struct zoo_conv){.out = 8, .kernel = 3, .stride = 1, .bias = true});
    x = OP(b, "Relu", zoo__batch_norm(b, x));
    skip = x = zoo__max_pool(b, x, 2, 2, 0);
    x = zoo__conv(b, x, (struct zoo_conv){.out = 8, .kernel = 3, .stride = 1, .bias = true});
    x = OP(b, "Relu", zoo__batch_norm(b, x));
    x = OP(b, "Relu", OP(b, "Add", x, skip));
    return OP(b, "Softmax", zoo__head(b, x, 10));
}

uint32_t zoo__lenet5(struct graph_builder *b)
{
    uint32_t x = image(b, 1, 28);
    x = zoo__conv(b, x, (struct zoo_conv){.out = 6, .kernel = 5, .stride = 1, .bias = true});
    x = zoo__average_pool(b, OP(b, "Tanh", x), 2, 2, 0);
    x = zoo__conv(
        b, x, (struct zoo_conv){.out = 16, .kernel = 5, .stride = 1, .bias = true, .valid = true});
    x = OP(b, "Flatten", zoo__average_pool(b, OP(b, "Tanh", x), 2, 2, 0));
    x = OP(b, "Tanh", zoo__gemm(b, x, 60));
    x = OP(b, "Tanh", zoo__gemm(b, x, 42));
    return OP(b, "Softmax", zoo__gemm(b, x, 10));
}

static uint32_t residual_block(struct graph_builder *b, uint32_t x, int64_t out, int64_t stride)
{
    uint32_t skip = x;
    uint32_t y = zoo__conv(b, x, (struct zoo_conv){.out = out, .kernel = 3, .stride = stride});
    y = OP(b, "Relu", zoo__batch_norm(b, y));
    y = zoo__batch_norm(b,
                        zoo__conv(b, y, (struct zoo_conv){.out = out, .kernel = 3, .stride = 1}));
    if (stride > 1 || builder__dim(b, x, 1) != out)
        skip = zoo__batch_norm(
            b, zoo__conv(b, x, (struct zoo_conv){.out = out, .kernel = 1, .stride = stride}));
    return OP(b, "Relu", OP(b, "Add", y, skip));
}

uint32_t zoo__resnet(struct graph_builder *b)
{
    uint32_t x = image(b, 3, 32);
    x = zoo__conv(b, x, (struct zoo_conv){.out = 8, .kernel = 7, .stride = 2});
    x = zoo__max_pool(b, OP(b, "Relu", zoo__batch_norm(b, x)), 3, 2, 1);
    x = residual_block(b, x, 8, 1);
    x = residual_block(b, x, 16, 2);
    x = residual_block(b, x, 16, 1);
    x = residual_block(b, x, 32, 2);
    return zoo__head(b, x, 10);
}

static uint32_t inverted_residual(struct graph_builder *b, uint32_t x, int64_t out, int64_t stride)
{
    int64_t in = builder__dim(b, x, 1), wide = in * 4;
    uint32_t y = zoo__conv(b, x, (struct zoo_conv){.out = wide, .kernel = 1, .stride = 1});
    y = zoo__relu6(b, zoo__batch_norm(b, y));
    y = zoo__conv(b, y,
                  (struct zoo_conv){.out = wide, .kernel = 3, .stride = stride, .group = wide});
    y = zoo__relu6(b, zoo__batch_norm(b, y));
    y = zoo__batch_norm(b,
                        zoo__conv(b, y, (struct zoo_conv){.out = out, .kernel = 1, .stride = 1}));
    return stride == 1 && in == out ? OP(b, "Add", x, y) : y;
}

uint32_t zoo__mobilenetv2(struct graph_builder *b)
{
    uint32_t x = image(b, 3, 32);
    x = zoo__conv(b, x, (struct zoo_conv){.out = 8, .kernel = 3, .stride = 2});
    x = zoo__relu6(b, zoo__batch_norm(b, x));
    x = inverted_residual(b, x, 8, 1);
    x = inverted_residual(b, x, 12, 2);
    x = inverted_residual(b, x, 12, 1);
    x = zoo__conv(b, x, (struct zoo_conv){.out = 32, .kernel = 1, .stride = 1});
    return zoo__head(b, zoo__relu6(b, zoo__batch_norm(b, x)), 10);
}

static uint32_t conv_relu(struct graph_builder *b, uint32_t x, int64_t out, int64_t kernel)
{
    return OP(
        b, "Relu",
        zoo__conv(b, x,
                  (struct zoo_conv){.out = out, .kernel = kernel, .stride = 1, .bias = true}));
}

static uint32_t inception_block(struct graph_builder *b, uint32_t x)
{
    uint32_t parts[4];
    parts[0] = conv_relu(b, x, 4, 1);
    parts[1] = conv_relu(b, conv_relu(b, x, 4, 1), 8, 3);
    parts[2] = conv_relu(b, conv_relu(b, x, 2, 1), 4, 5);
    parts[3] = conv_relu(b, zoo__max_pool(b, x, 3, 1, 1), 4, 1);
    return zoo__concat(b, parts, 4, 1);
}

uint32_t zoo__inception(struct graph_builder *b)
{
    uint32_t x = image(b, 3, 24);
    x = conv_relu(b, x, 8, 3);
    x = OP(b, "LRN", zoo__max_pool(b, x, 3, 2, 1));
    builder__int(b, "size", 5);
    x = inception_block(b, x);
    x = inception_block(b, zoo__max_pool(b, x, 3, 2, 1));
    x = zoo__head(b, OP(b, "Dropout", x), 10);
    return OP(b, "Softmax", x);
}

static uint32_t double_conv(struct graph_builder *b, uint32_t x, int64_t out)
{
    x = zoo__conv(b, x, (struct zoo_conv){.out = out, .kernel = 3, .stride = 1});
    x = OP(b, "Relu", zoo__batch_norm(b, x));
    x = zoo__conv(b, x, (struct zoo_conv){.out = out, .kernel = 3, .stride = 1});
    return OP(b, "Relu", zoo__batch_norm(b, x));
}

static uint32_t up_by_transpose(struct graph_builder *b, uint32_t x, int64_t out)
{
    static const int64_t two[] = {2, 2};
    int64_t dims[4] = {builder__dim(b, x, 1), out, 2, 2};
    uint32_t y = OP(b, "ConvTranspose", x, builder__random(b, DTYPE_FLOAT, dims, 4, 0.25));
    builder__int_list(b, "strides", two, 2);
    return y;
}

static uint32_t up_by_resize(struct graph_builder *b, uint32_t x)
{
    static const double scales[] = {1, 1, 2, 2};
    int64_t four = 4;
    uint32_t y = OP(b, "Resize", x, VALUE_NONE, builder__values(b, DTYPE_FLOAT, &four, 1, scales));
    builder__string(b, "mode", "nearest");
    builder__string(b, "coordinate_transformation_mode", "asymmetric");
    builder__string(b, "nearest_mode", "floor");
    return y;
}

uint32_t zoo__unet(struct graph_builder *b)
{
    uint32_t x = image(b, 1, 24), parts[2];
    uint32_t first = double_conv(b, x, 6);
    uint32_t second = double_conv(b, zoo__max_pool(b, first, 2, 2, 0), 12);
    x = double_conv(b, zoo__max_pool(b, second, 2, 2, 0), 16);
    parts[0] = second;
    parts[1] = up_by_transpose(b, x, 12);
    x = double_conv(b, zoo__concat(b, parts, 2, 1), 12);
    parts[0] = first;
    parts[1] = up_by_resize(b, x);
    x = double_conv(b, zoo__concat(b, parts, 2, 1), 6);
    x = zoo__conv(b, x, (struct zoo_conv){.out = 2, .kernel = 1, .stride = 1, .bias = true});
    return OP(b, "Sigmoid", x);
}

/* x quantised and dequantised, with a scale for values up to about 4. */
static uint32_t qdq(struct graph_builder *b, uint32_t x, enum dtype q)
{
    uint32_t scale = builder__scalar(b, DTYPE_FLOAT, 0.03125);
    uint32_t zero = builder__scalar(b, q, q == DTYPE_UINT8 ? 128 : 0);
    return OP(b, "DequantizeLinear", OP(b, "QuantizeLinear", x, scale, zero), scale, zero);
}

static uint32_t quantised_conv(struct graph_builder *b, uint32_t x, int64_t out, int64_t kernel,
                               int64_t group)
{
    int64_t in = builder__dim(b, x, 1), dims[4] = {out, in / group, kernel, kernel};
    int64_t pad = kernel / 2, pads[4] = {pad, pad, pad, pad};
    uint32_t w = builder__between(b, DTYPE_INT8, dims, 4, -100, 100);
    double scale = sqrt(2.0 / ((double)in / (double)group * (double)(kernel * kernel))) / 75;
    uint32_t scales = builder__between(b, DTYPE_FLOAT, &out, 1, scale, 1.5 * scale);
    w = OP(b, "DequantizeLinear", w, scales, builder__filled(b, DTYPE_INT8, &out, 1, 0));
    builder__int(b, "axis", 0);
    uint32_t y = OP(b, "Conv", x, w, builder__random(b, DTYPE_FLOAT, &out, 1, 0.1));
    builder__int_list(b, "pads", pads, 4);
    if (group > 1)
        builder__int(b, "group", group);
    return y;
}

uint32_t zoo__mobilenet_qdq(struct graph_builder *b)
{
    uint32_t x = qdq(b, image(b, 3, 12), DTYPE_UINT8);
    x = qdq(b, zoo__relu6(b, quantised_conv(b, x, 8, 3, 1)), DTYPE_UINT8);
    uint32_t skip = x;
    x = qdq(b, zoo__relu6(b, quantised_conv(b, x, 16, 1, 1)), DTYPE_UINT8);
    x = qdq(b, zoo__relu6(b, quantised_conv(b, x, 16, 3, 16)), DTYPE_UINT8);
    x = qdq(b, quantised_conv(b, x, 8, 1, 1), DTYPE_UINT8);
    x = qdq(b, OP(b, "Add", x, skip), DTYPE_UINT8);
    x = qdq(b, OP(b, "GlobalAveragePool", x), DTYPE_UINT8);
    return zoo__gemm(b, OP(b, "Flatten", x), 10);
}
