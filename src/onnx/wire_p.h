/* The pre-scan of protobuf bytes: see wire.c. */
#ifndef ONNX_WIRE_P_H
#define ONNX_WIRE_P_H

#include <protobuf-c/protobuf-c.h>

#include "base/err.h"
#include "base/str.h"

enum {
    WIRE_DEPTH_MAX = 200,
    WIRE_MESSAGES_MAX = 1 << 22,
    WIRE_UNKNOWN_MAX = 1 << 16, /* fields that the standard's messages lack: protobuf-c copies each,
                                   into up to 80 times its size */
    WIRE_ELEMENTS_MAX = 1 << 28 /* of repeated fields, over all messages */
};

/* Is it safe to unpack the bytes as this message? If not, the error names the place. */
bool wire__scan(struct str bytes, const ProtobufCMessageDescriptor *message, struct err *e);

#endif
