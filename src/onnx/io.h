/*
 * Models on disk: protobuf bytes to struct model and back. protobuf is known in read.c and write.c
 * only.
 *
 * The bytes are untrusted. Before unpacking, an iterative scan of the wire refuses nesting above
 * 200 messages and lengths or counts above their limits; external data must lie inside the model's
 * folder and inside its file; names are checked for NUL and UTF-8. Every message says where:
 * "graph: node[3]: attribute[1]: t: ...".
 */
#ifndef ONNX_IO_H
#define ONNX_IO_H

#include "onnx/model.h"

#define MODEL_BYTES_MAX (((size_t)1 << 31) - 1)

/* dir: where external data lie; NULL refuses them. Unknown operators are no error here (node.op is
 * NULL); sparse_initializer, training_info and map types are ERR_UNSUPPORTED. */
bool model_read(struct str bytes, const char *dir, struct arena *a, struct model **out,
                struct err *e);
bool model_read_file(const char *path, struct arena *a, struct model **out, struct err *e);

/* One TensorProto (the .pb files of the standard's node tests). */
bool tensor_read_pb(struct str bytes, struct arena *a, struct named_tensor *out, struct err *e);

/* Deterministic bytes: same model, same bytes. Value_info of all known intermediates when
 * with_shapes. */
bool model_write(const struct model *m, bool with_shapes, struct strbuf *out, struct err *e);
bool model_write_file(const struct model *m, bool with_shapes, const char *path, struct err *e);

#endif
