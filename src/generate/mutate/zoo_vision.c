/*
 * Vision models of the zoo: LeNet-5 (LeCun et al. 1998), ResNet (He et al. 2015), MobileNetV2
 * (Sandler et al. 2018), Inception (Szegedy et al. 2014), U-Net (Ronneberger et al. 2015), a
 * quantised MobileNet block, and the 13-node net that benches use. Small widths, small images.
 */
#include <math.h>

#include "generate/mutate/zoo_p.h"

static uint32_t image(struct sketch *s, int64_t channels, int64_t size)
{
    return zoo__input(s, "image", DTYPE_FLOAT, 4, (const int64_t[]){1, channels, size, size});
}

uint32_t zoo__convnet13(struct sketch *s)
{
    uint32_t x = image(s, 3, 16), skip;
    x = zoo__conv(s, x, (struct zoo_conv){.out = 8, .kernel = 3, .stride = 1, .bias = true});
    x = OP(s, "Relu", zoo__batch_norm(s, x));
    skip = x = zoo__max_pool(s, x, 2, 2, 0);
    x = zoo__conv(s, x, (struct zoo_conv){.out = 8, .kernel = 3, .stride = 1, .bias = true});
    x = OP(s, "Relu", zoo__batch_norm(s, x));
    x = OP(s, "Relu", OP(s, "Add", x, skip));
    return OP(s, "Softmax", zoo__head(s, x, 10));
}

uint32_t zoo__lenet5(struct sketch *s)
{
    uint32_t x = image(s, 1, 28);
    x = zoo__conv(s, x, (struct zoo_conv){.out = 6, .kernel = 5, .stride = 1, .bias = true});
    x = zoo__average_pool(s, OP(s, "Tanh", x), 2, 2, 0);
    x = zoo__conv(
        s, x, (struct zoo_conv){.out = 16, .kernel = 5, .stride = 1, .bias = true, .valid = true});
    x = OP(s, "Flatten", zoo__average_pool(s, OP(s, "Tanh", x), 2, 2, 0));
    x = OP(s, "Tanh", zoo__gemm(s, x, 60));
    x = OP(s, "Tanh", zoo__gemm(s, x, 42));
    return OP(s, "Softmax", zoo__gemm(s, x, 10));
}

static uint32_t residual_block(struct sketch *s, uint32_t x, int64_t out, int64_t stride)
{
    uint32_t skip = x;
    uint32_t y = zoo__conv(s, x, (struct zoo_conv){.out = out, .kernel = 3, .stride = stride});
    y = OP(s, "Relu", zoo__batch_norm(s, y));
    y = zoo__batch_norm(s,
                        zoo__conv(s, y, (struct zoo_conv){.out = out, .kernel = 3, .stride = 1}));
    if (stride > 1 || sketch__dim(s, x, 1) != out)
        skip = zoo__batch_norm(
            s, zoo__conv(s, x, (struct zoo_conv){.out = out, .kernel = 1, .stride = stride}));
    return OP(s, "Relu", OP(s, "Add", y, skip));
}

uint32_t zoo__resnet(struct sketch *s)
{
    uint32_t x = image(s, 3, 32);
    x = zoo__conv(s, x, (struct zoo_conv){.out = 8, .kernel = 7, .stride = 2});
    x = zoo__max_pool(s, OP(s, "Relu", zoo__batch_norm(s, x)), 3, 2, 1);
    x = residual_block(s, x, 8, 1);
    x = residual_block(s, x, 16, 2);
    x = residual_block(s, x, 16, 1);
    x = residual_block(s, x, 32, 2);
    return zoo__head(s, x, 10);
}

static uint32_t inverted_residual(struct sketch *s, uint32_t x, int64_t out, int64_t stride)
{
    int64_t in = sketch__dim(s, x, 1), wide = in * 4;
    uint32_t y = zoo__conv(s, x, (struct zoo_conv){.out = wide, .kernel = 1, .stride = 1});
    y = zoo__relu6(s, zoo__batch_norm(s, y));
    y = zoo__conv(s, y,
                  (struct zoo_conv){.out = wide, .kernel = 3, .stride = stride, .group = wide});
    y = zoo__relu6(s, zoo__batch_norm(s, y));
    y = zoo__batch_norm(s,
                        zoo__conv(s, y, (struct zoo_conv){.out = out, .kernel = 1, .stride = 1}));
    return stride == 1 && in == out ? OP(s, "Add", x, y) : y;
}

uint32_t zoo__mobilenetv2(struct sketch *s)
{
    uint32_t x = image(s, 3, 32);
    x = zoo__conv(s, x, (struct zoo_conv){.out = 8, .kernel = 3, .stride = 2});
    x = zoo__relu6(s, zoo__batch_norm(s, x));
    x = inverted_residual(s, x, 8, 1);
    x = inverted_residual(s, x, 12, 2);
    x = inverted_residual(s, x, 12, 1);
    x = zoo__conv(s, x, (struct zoo_conv){.out = 32, .kernel = 1, .stride = 1});
    return zoo__head(s, zoo__relu6(s, zoo__batch_norm(s, x)), 10);
}

static uint32_t conv_relu(struct sketch *s, uint32_t x, int64_t out, int64_t kernel)
{
    return OP(
        s, "Relu",
        zoo__conv(s, x,
                  (struct zoo_conv){.out = out, .kernel = kernel, .stride = 1, .bias = true}));
}

static uint32_t inception_block(struct sketch *s, uint32_t x)
{
    uint32_t parts[4];
    parts[0] = conv_relu(s, x, 4, 1);
    parts[1] = conv_relu(s, conv_relu(s, x, 4, 1), 8, 3);
    parts[2] = conv_relu(s, conv_relu(s, x, 2, 1), 4, 5);
    parts[3] = conv_relu(s, zoo__max_pool(s, x, 3, 1, 1), 4, 1);
    return zoo__concat(s, parts, 4, 1);
}

uint32_t zoo__inception(struct sketch *s)
{
    uint32_t x = image(s, 3, 24);
    x = conv_relu(s, x, 8, 3);
    x = OP(s, "LRN", zoo__max_pool(s, x, 3, 2, 1));
    sketch__int(s, "size", 5);
    x = inception_block(s, x);
    x = inception_block(s, zoo__max_pool(s, x, 3, 2, 1));
    x = zoo__head(s, OP(s, "Dropout", x), 10);
    return OP(s, "Softmax", x);
}

static uint32_t double_conv(struct sketch *s, uint32_t x, int64_t out)
{
    x = zoo__conv(s, x, (struct zoo_conv){.out = out, .kernel = 3, .stride = 1});
    x = OP(s, "Relu", zoo__batch_norm(s, x));
    x = zoo__conv(s, x, (struct zoo_conv){.out = out, .kernel = 3, .stride = 1});
    return OP(s, "Relu", zoo__batch_norm(s, x));
}

static uint32_t up_by_transpose(struct sketch *s, uint32_t x, int64_t out)
{
    static const int64_t two[] = {2, 2};
    int64_t dims[4] = {sketch__dim(s, x, 1), out, 2, 2};
    uint32_t y = OP(s, "ConvTranspose", x, sketch__random(s, DTYPE_FLOAT, dims, 4, 0.25));
    sketch__int_list(s, "strides", two, 2);
    return y;
}

static uint32_t up_by_resize(struct sketch *s, uint32_t x)
{
    static const double scales[] = {1, 1, 2, 2};
    int64_t four = 4;
    uint32_t y = OP(s, "Resize", x, VALUE_NONE, sketch__values(s, DTYPE_FLOAT, &four, 1, scales));
    sketch__string(s, "mode", "nearest");
    sketch__string(s, "coordinate_transformation_mode", "asymmetric");
    sketch__string(s, "nearest_mode", "floor");
    return y;
}

uint32_t zoo__unet(struct sketch *s)
{
    uint32_t x = image(s, 1, 24), parts[2];
    uint32_t first = double_conv(s, x, 6);
    uint32_t second = double_conv(s, zoo__max_pool(s, first, 2, 2, 0), 12);
    x = double_conv(s, zoo__max_pool(s, second, 2, 2, 0), 16);
    parts[0] = second;
    parts[1] = up_by_transpose(s, x, 12);
    x = double_conv(s, zoo__concat(s, parts, 2, 1), 12);
    parts[0] = first;
    parts[1] = up_by_resize(s, x);
    x = double_conv(s, zoo__concat(s, parts, 2, 1), 6);
    x = zoo__conv(s, x, (struct zoo_conv){.out = 2, .kernel = 1, .stride = 1, .bias = true});
    return OP(s, "Sigmoid", x);
}

/* Quantised and back, with a scale for values up to about 4. */
static uint32_t qdq(struct sketch *s, uint32_t x, enum dtype q)
{
    uint32_t scale = sketch__scalar(s, DTYPE_FLOAT, 0.03125);
    uint32_t zero = sketch__scalar(s, q, q == DTYPE_UINT8 ? 128 : 0);
    return OP(s, "DequantizeLinear", OP(s, "QuantizeLinear", x, scale, zero), scale, zero);
}

static uint32_t quantised_conv(struct sketch *s, uint32_t x, int64_t out, int64_t kernel,
                               int64_t group)
{
    int64_t in = sketch__dim(s, x, 1), dims[4] = {out, in / group, kernel, kernel};
    int64_t pad = kernel / 2, pads[4] = {pad, pad, pad, pad};
    uint32_t w = sketch__between(s, DTYPE_INT8, dims, 4, -100, 100);
    double scale = sqrt(2.0 / ((double)in / (double)group * (double)(kernel * kernel))) / 75;
    uint32_t scales = sketch__between(s, DTYPE_FLOAT, &out, 1, scale, 1.5 * scale);
    w = OP(s, "DequantizeLinear", w, scales, sketch__filled(s, DTYPE_INT8, &out, 1, 0));
    sketch__int(s, "axis", 0);
    uint32_t y = OP(s, "Conv", x, w, sketch__random(s, DTYPE_FLOAT, &out, 1, 0.1));
    sketch__int_list(s, "pads", pads, 4);
    if (group > 1)
        sketch__int(s, "group", group);
    return y;
}

uint32_t zoo__mobilenet_qdq(struct sketch *s)
{
    uint32_t x = qdq(s, image(s, 3, 12), DTYPE_UINT8);
    x = qdq(s, zoo__relu6(s, quantised_conv(s, x, 8, 3, 1)), DTYPE_UINT8);
    uint32_t skip = x;
    x = qdq(s, zoo__relu6(s, quantised_conv(s, x, 16, 1, 1)), DTYPE_UINT8);
    x = qdq(s, zoo__relu6(s, quantised_conv(s, x, 16, 3, 16)), DTYPE_UINT8);
    x = qdq(s, quantised_conv(s, x, 8, 1, 1), DTYPE_UINT8);
    x = qdq(s, OP(s, "Add", x, skip), DTYPE_UINT8);
    x = qdq(s, OP(s, "GlobalAveragePool", x), DTYPE_UINT8);
    return zoo__gemm(s, OP(s, "Flatten", x), 10);
}
