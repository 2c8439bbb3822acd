/* What the readers of models, tensors and functions share. */
#ifndef ONNX_READ_P_H
#define ONNX_READ_P_H

#include <protobuf-c/protobuf-c.h>

#include "onnx/io.h"
#include "onnx/model.h"

/* The generated messages (onnx.pb-c.h), which sources include. */
struct OnnxPb__TensorProto;
struct OnnxPb__ModelProto;

struct reader {
    struct arena *a;
    const char *dir;      /* of external data, or NULL */
    const char *real_dir; /* dir with links resolved; found on first use */
    struct map files;     /* location -> number in mapped */
    VEC(struct str) mapped;
};

/* Bytes as a name: UTF-8 without NUL. `what` names it in the message. */
bool read__name(ProtobufCBinaryData bytes, const char *what, struct str *out, struct err *e);

bool read__tensor(struct reader *r, const struct OnnxPb__TensorProto *t, struct tensor *out,
                  struct err *e);

/* Replaces calls of the model's functions in the message by the functions' nodes. */
bool read__inline_functions(struct OnnxPb__ModelProto *model, struct arena *a, struct err *e);

ProtobufCAllocator read__allocator(struct arena *a);

#endif
