/* The scan before bytes are unpacked: what is malformed is named, and each limit holds at its
 * number. */
#include "onnx.pb-c.h"
#include "onnx/wire_p.h"
#include "unit/test.h"

static void put_varint(struct strbuf *b, uint64_t v)
{
    for (; v >= 0x80; v >>= 7)
        strbuf_addc(b, (char)((v & 0x7F) | 0x80));
    strbuf_addc(b, (char)v);
}

/* Wraps the bytes into a field of a length. */
static void wrap(struct strbuf *b, unsigned field)
{
    struct strbuf out = {0};
    put_varint(&out, field << 3 | 2);
    put_varint(&out, b->n);
    strbuf_addstr(&out, strbuf_str(b));
    strbuf_done(b);
    *b = out;
}

static bool scans(struct str model, struct err *e)
{
    *e = (struct err){0};
    return wire__scan(model, &onnx_pb__model_proto__descriptor, e);
}

static void malformed_bytes_are_refused_by_their_fault(void **state)
{
#define BYTES(text)                                                                                \
    {                                                                                              \
        text, sizeof text - 1                                                                      \
    }
    static const struct {
        const char *name;
        struct str bytes;
        const char *says; /* NULL: it is fine */
    } rows[] = {
        {"nothing", BYTES(""), NULL},
        {"ir_version", BYTES("\x08\x07"), NULL},
        {"ten bytes of a number", BYTES("\x08\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01"), NULL},
        {"eleven", BYTES("\x08\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01"), "malformed or cut"},
        {"a number without its end", BYTES("\x08\x80"), "a number is malformed or cut off"},
        {"no number", BYTES("\x08"), "a number is malformed or cut off"},
        {"field 0", BYTES("\x00\x01"), "a field's key is malformed"},
        {"a key without its end", BYTES("\x80"), "a field's key is malformed"},
        {"ir_version as a text", BYTES("\x0A\x01x"), "wrong wire type"},
        {"producer_name as a number", BYTES("\x10\x01"), "wrong wire type"},
        {"producer_name", BYTES("\x12\x02xy"), NULL},
        {"a text longer than the model", BYTES("\x12\x03xy"), "longer than what holds it"},
        {"a text longer than its message", BYTES("\x3A\x04\x12\x03xy\x08\x07"), "longer than what"},
        {"an unknown number", BYTES("\x98\x06\x01"), NULL},
        {"an unknown text", BYTES("\x9A\x06\x01x"), NULL},
        {"an unknown number of 4 bytes",
         BYTES("\x9D\x06"
               "1234"),
         NULL},
        {"3 of its 4 bytes",
         BYTES("\x9D\x06"
               "123"),
         "the bytes end inside a number"},
        {"an unknown number of 8 bytes",
         BYTES("\x99\x06"
               "12345678"),
         NULL},
        {"7 of its 8 bytes",
         BYTES("\x99\x06"
               "1234567"),
         "the bytes end inside a number"},
        {"a group", BYTES("\x9B\x06"), "an unknown wire type"},
    };
#undef BYTES
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct err e;
        bool ok = scans(rows[i].bytes, &e);
        if (ok != !rows[i].says || (!ok && (e.code != ERR_DATA || !strstr(e.text, rows[i].says))))
            fail_msg("%s: \"%s\"", rows[i].name, e.text);
    }
}

/* floats (7), ints (8) of an AttributeProto; float_data (4), double_data (10) of its tensor (5). */
static void packed_numbers_are_whole(void **state)
{
    static const struct {
        const char *name, *bytes;
        size_t n;
        unsigned field, tensor_field;
        bool ok;
    } rows[] = {
        {"floats", "12345678", 8, 7, 0, true},
        {"half a float", "123456", 6, 7, 0, false},
        {"ints", "\x01\x80\x01", 3, 8, 0, true},
        {"an int without its end", "\x01\x80", 2, 8, 0, false},
        {"float_data", "1234", 4, 0, 4, true},
        {"a byte more", "12345", 5, 0, 4, false},
        {"double_data", "12345678", 8, 0, 10, true},
        {"half a double", "1234", 4, 0, 10, false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct strbuf b = {0};
        struct err e;
        strbuf_add(&b, rows[i].bytes, rows[i].n);
        wrap(&b, rows[i].field ? rows[i].field : rows[i].tensor_field);
        if (rows[i].tensor_field)
            wrap(&b, 5); /* t */
        wrap(&b, 5);     /* attribute */
        wrap(&b, 1);     /* node */
        wrap(&b, 7);     /* graph */
        bool ok = scans(strbuf_str(&b), &e);
        ASSERT_ROW(ok == rows[i].ok, rows[i].name);
        ASSERT_ROW(ok || strstr(e.text, "a packed field is malformed"), rows[i].name);
        ASSERT_ROW(ok || strstr(e.text, "node[0]"), rows[i].name);
        strbuf_done(&b);
    }
}

static void messages_may_be_200_deep(void **state)
{
    (void)state;
    for (unsigned depth = 199; depth <= 202; depth++) {
        /* from the inside: the model is message 1, then graph, node, attribute, g, node, ... */
        static const unsigned fields[] = {1, 5, 6}; /* node of a graph, its attribute, its g */
        struct strbuf b = {0};
        struct err e;
        for (unsigned at = depth; at > 2; at--)
            wrap(&b, fields[(at - 3) % COUNT_OF(fields)]);
        wrap(&b, 7);
        bool ok = scans(strbuf_str(&b), &e);
        assert_true(ok == (depth <= WIRE_DEPTH_MAX));
        assert_true(ok || (e.code == ERR_LIMIT && strstr(e.text, "more than 200 deep")));
        strbuf_done(&b);
    }
}

static void unknown_fields_have_a_limit(void **state)
{
    (void)state;
    for (int more = 0; more < 2; more++) {
        struct strbuf b = {0};
        struct err e;
        for (int i = 0; i < WIRE_UNKNOWN_MAX + more; i++)
            strbuf_add(&b, "\x98\x06\x01", 3);
        bool ok = scans(strbuf_str(&b), &e);
        assert_true(ok == !more);
        assert_true(ok || (e.code == ERR_LIMIT && strstr(e.text, "more than 65,536 fields")));
        strbuf_done(&b);
    }
}

TEST_SUITE(onnx_wire, TEST(malformed_bytes_are_refused_by_their_fault),
           TEST(packed_numbers_are_whole), TEST(messages_may_be_200_deep),
           TEST(unknown_fields_have_a_limit))
