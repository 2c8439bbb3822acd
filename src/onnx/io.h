/*
 * Models on disk: protobuf bytes to struct model and back. Only the files read*.c, inline.c, wire.c
 * and write.c know protobuf.
 *
 * The bytes are untrusted. Before unpacking, an iterative scan of the wire refuses messages nested
 * more than 200 deep and lengths or counts above their limits; external data must lie inside the
 * model's folder and inside its file; names are checked for NUL and UTF-8. Every message says
 * where: "graph: node[3]: attribute[1]: t: ...".
 */
#ifndef ONNX_IO_H
#define ONNX_IO_H

#include "onnx/model.h"

#define MODEL_BYTES_MAX (((size_t)1 << 31) - 1)

/* dir: the folder of external data; NULL refuses them. Unknown operators are no error here (node.op
 * is NULL); sparse_initializer, training_info and map types are ERR_UNSUPPORTED. */
bool model_read(struct str bytes, const char *dir, struct arena *a, struct model **out,
                struct err *e);
bool model_read_file(const char *path, struct arena *a, struct model **out, struct err *e);

/* Reads one TensorProto (a .pb file of the standard's node tests). */
bool tensor_read_pb(struct str bytes, struct arena *a, struct named_tensor *out, struct err *e);

/* Writes the same bytes for the same model. with_shapes: with value_info of all intermediates whose
 * type is known. */
bool model_write(const struct model *m, bool with_shapes, struct strbuf *out, struct err *e);
bool model_write_file(const struct model *m, bool with_shapes, const char *path, struct err *e);

/* Writes dir/name; tensors of MODEL_APART_BYTES or more become files dir/weights/<SHA-256>, as the
 * standard's external data, so that models in one folder share them. */
bool model_write_in(const char *dir, const char *name, const struct model *m, struct err *e);
#define MODEL_APART_BYTES ((size_t)1 << 20)
#define MODEL_WEIGHTS_DIR "weights"

#endif
