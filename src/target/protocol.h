/* The worker protocol: kinds of frames (os/frame.h) between a pool and its workers, from the table.
 */
#ifndef TARGET_PROTOCOL_H
#define TARGET_PROTOCOL_H

#include "os/frame.h"

#define PROTOCOL(number)
#define FIELD(kind, name, type, meaning)
#define KIND(id, number, name, sender, meaning) FRAME_##id = number,
enum frame_kind {
#include "target/protocol.def"
    FRAME_KIND_COUNT
};
#undef PROTOCOL
#undef KIND
#define PROTOCOL(number) enum { PROTOCOL_NUMBER = number };
#define KIND(id, number, name, sender, meaning)
#include "target/protocol.def"
#undef PROTOCOL
#undef FIELD
#undef KIND

const char *frame_kind_name(unsigned kind);

#endif
