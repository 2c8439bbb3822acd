/* Names of the kinds of frames. */
#include "target/protocol.h"

static const char *const kind_names[FRAME_KIND_COUNT] = {
#define PROTOCOL(number)
#define FIELD(kind, name, type, meaning)
#define KIND(id, number, name, sender, meaning) [FRAME_##id] = name,
#include "target/protocol.def"
#undef KIND
#undef FIELD
#undef PROTOCOL
};

const char *frame_kind_name(unsigned kind)
{
    return kind > 0 && kind < FRAME_KIND_COUNT ? kind_names[kind] : "?";
}
