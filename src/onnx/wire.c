/*
 * A walk over protobuf bytes before protobuf-c sees them.
 *
 * protobuf-c recurses once per nested message without limit and allocates by what the bytes claim:
 * 55 kB of nested graphs overflow the stack. So the scan walks the same descriptors with a stack of
 * its own and refuses depths and counts of messages and elements above limits, lengths beyond their
 * parent, over-long varints, groups, and fields whose wire type is not that of the descriptor.
 * Unpacking bytes that pass takes at most a fixed multiple of them in memory.
 */
#include <stdio.h>

#include "onnx/wire_p.h"

#include "base/compiler.h"

enum { PLACE_DEPTH_MAX = 8 }; /* of the path that messages show */

enum wire_type { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_LENGTH = 2, WIRE_FIXED32 = 5 };

struct frame {
    const ProtobufCMessageDescriptor *message;
    const ProtobufCFieldDescriptor *field; /* the field that is open, for the place in messages */
    const char *end;
    unsigned index; /* of the open field, when it is repeated */
};

struct scan {
    const char *start, *at;
    const char *field_at; /* start of the field that is being read */
    struct frame stack[WIRE_DEPTH_MAX];
    unsigned depth;
    size_t n_messages, n_elements, n_unknown;
};

static bool fail(const struct scan *s, enum err_code code, struct err *e, const char *reason)
{
    char place[400] = "";
    size_t n = 0;
    for (unsigned i = 0; i < MIN(s->depth, (unsigned)PLACE_DEPTH_MAX) && n < sizeof place; i++) {
        const struct frame *f = &s->stack[i];
        if (!f->field)
            break;
        bool repeated = f->field->label == PROTOBUF_C_LABEL_REPEATED;
        int wrote =
            repeated ? snprintf(place + n, sizeof place - n, "%s%s[%u]", i ? "." : "",
                                f->field->name, f->index)
                     : snprintf(place + n, sizeof place - n, "%s%s", i ? "." : "", f->field->name);
        n += wrote > 0 ? (size_t)wrote : 0;
    }
    const char *rest = s->depth > PLACE_DEPTH_MAX ? "..." : "";
    return err_set(e, code, "%s%s%s%s, at byte %zu", place, rest, *place ? ": " : "", reason,
                   (size_t)(s->field_at - s->start));
}

static bool read_varint(struct scan *s, const char *end, uint64_t *out)
{
    *out = 0;
    for (unsigned shift = 0; shift < 64 && s->at < end; shift += 7) {
        unsigned char c = (unsigned char)*s->at++;
        *out |= (uint64_t)(c & 0x7f) << shift;
        if (!(c & 0x80))
            return true;
    }
    return false;
}

/* Counts the elements of a packed field of n_bytes. */
static bool count_packed(struct scan *s, const ProtobufCFieldDescriptor *f, size_t n_bytes)
{
    switch (f->type) {
    case PROTOBUF_C_TYPE_FLOAT:
        s->n_elements += n_bytes / 4;
        return n_bytes % 4 == 0;
    case PROTOBUF_C_TYPE_DOUBLE:
        s->n_elements += n_bytes / 8;
        return n_bytes % 8 == 0;
    case PROTOBUF_C_TYPE_INT32:
    case PROTOBUF_C_TYPE_INT64:
    case PROTOBUF_C_TYPE_UINT64: {
        const char *end = s->at + n_bytes;
        while (s->at < end) {
            uint64_t ignored;
            if (!read_varint(s, end, &ignored))
                return false;
            s->n_elements++;
        }
        s->at = end - n_bytes;
        return true;
    }
    default:
        return false;
    }
}

static enum wire_type wire_type_of(const ProtobufCFieldDescriptor *f)
{
    switch (f->type) {
    case PROTOBUF_C_TYPE_FLOAT:
        return WIRE_FIXED32;
    case PROTOBUF_C_TYPE_DOUBLE:
        return WIRE_FIXED64;
    case PROTOBUF_C_TYPE_BYTES:
    case PROTOBUF_C_TYPE_MESSAGE:
        return WIRE_LENGTH;
    default:
        return WIRE_VARINT;
    }
}

/* Enters the value of a field, whose n_bytes are inside its message. */
static bool enter(struct scan *s, const ProtobufCFieldDescriptor *f, size_t n_bytes, struct err *e)
{
    struct frame *here = &s->stack[s->depth - 1];
    s->n_elements++;
    if (f && f->type == PROTOBUF_C_TYPE_MESSAGE) {
        here->index = here->field == f ? here->index + 1 : 0;
        here->field = f;
        if (s->depth == WIRE_DEPTH_MAX)
            return fail(s, ERR_LIMIT, e, "messages are nested more than 200 deep");
        if (++s->n_messages > WIRE_MESSAGES_MAX)
            return fail(s, ERR_LIMIT, e, "more than 4,194,304 messages");
        s->stack[s->depth++] = (struct frame){f->descriptor, NULL, s->at + n_bytes, 0};
        return true;
    }
    if (f && f->type != PROTOBUF_C_TYPE_BYTES && !count_packed(s, f, n_bytes))
        return fail(s, ERR_DATA, e, "a packed field is malformed");
    s->at += n_bytes;
    return true;
}

static bool scan_field(struct scan *s, struct err *e)
{
    const struct frame *here = &s->stack[s->depth - 1];
    uint64_t key, value;
    s->field_at = s->at;
    if (!read_varint(s, here->end, &key) || key >> 3 == 0 || key >> 3 > UINT32_MAX >> 3)
        return fail(s, ERR_DATA, e,
                    "a field's key is malformed or cut off: the bytes are no ONNX model");
    const ProtobufCFieldDescriptor *f =
        protobuf_c_message_descriptor_get_field(here->message, (unsigned)(key >> 3));
    unsigned type = key & 7;
    if (!f && ++s->n_unknown > WIRE_UNKNOWN_MAX)
        return fail(s, ERR_LIMIT, e, "more than 65,536 fields that no ONNX message has");
    bool is_packed = f && type == WIRE_LENGTH && f->label == PROTOBUF_C_LABEL_REPEATED;
    if (f && type != wire_type_of(f) && !is_packed)
        return fail(s, ERR_DATA, e, "a field has the wrong wire type");
    size_t left = (size_t)(here->end - s->at);
    switch (type) {
    case WIRE_VARINT:
        s->n_elements++;
        return read_varint(s, here->end, &value) ||
               fail(s, ERR_DATA, e, "a number is malformed or cut off");
    case WIRE_FIXED32:
    case WIRE_FIXED64:
        if (left < (type == WIRE_FIXED32 ? 4u : 8u))
            return fail(s, ERR_DATA, e, "the bytes end inside a number");
        s->n_elements++;
        s->at += type == WIRE_FIXED32 ? 4 : 8;
        return true;
    case WIRE_LENGTH:
        if (!read_varint(s, here->end, &value) || value > (uint64_t)(here->end - s->at))
            return fail(s, ERR_DATA, e, "a field is longer than what holds it (file cut off?)");
        return enter(s, f, (size_t)value, e);
    default:
        return fail(s, ERR_DATA, e, "an unknown wire type: the bytes are no ONNX model");
    }
}

bool wire__scan(struct str bytes, const ProtobufCMessageDescriptor *message, struct err *e)
{
    struct scan s = {
        .start = bytes.at, .at = bytes.at, .field_at = bytes.at, .depth = 1, .n_messages = 1};
    s.stack[0] = (struct frame){message, NULL, bytes.at + bytes.n, 0};
    while (s.depth) {
        if (s.at == s.stack[s.depth - 1].end) {
            s.depth--;
            continue;
        }
        if (!scan_field(&s, e))
            return false;
        if (s.n_elements > WIRE_ELEMENTS_MAX)
            return fail(&s, ERR_LIMIT, e, "more than 268,435,456 elements");
    }
    return true;
}
