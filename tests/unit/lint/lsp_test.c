/* The protocol as a table: a message, and what the answer must contain. */
#include "lint/lsp.h"
#include "unit/lint/lint_test.h"
#include "unit/test.h"

static bool load(void *ctx, const char *root, struct project *out, struct err *e)
{
    struct lint_fixture *f = ctx;
    (void)root;
    (void)e;
    *out = (struct project){.rules = f->rules, .options = f->options};
    return true;
}

#define CALL(id, method, params)                                                                   \
    "{\"jsonrpc\": \"2.0\", \"id\": " #id ", \"method\": \"" method "\", \"params\": " params "}"
#define TELL(method, params)                                                                       \
    "{\"jsonrpc\": \"2.0\", \"method\": \"" method "\", \"params\": " params "}"
#define DOCUMENT(text)                                                                             \
    "{\"textDocument\": {\"uri\": \"file:///a.py\", \"languageId\": \"python\", \"version\": 1, "  \
    "\"text\": \"" text "\"}}"
#define SOURCE                                                                                     \
    "import torch\\nfrom torch.autograd import Variable\\nx = Variable(torch.zeros(1))\\n"
#define PLACE                                                                                      \
    "{\"textDocument\": {\"uri\": \"file:///a.py\"}, \"position\": {\"line\": 2, \"character\": "  \
    "5}}"

static const struct row {
    const char *message;
    const char *holds[3]; /* all of them; none: there is no answer */
} rows[] = {
    {"[", {"-32700"}},
    {CALL(1, "textDocument/hover", "{}"), {"-32002"}},
    {CALL(2, "initialize",
          "{\"capabilities\": {\"general\": {\"positionEncodings\": [\"utf-8\"]}}}"),
     {"\"positionEncoding\":\"utf-8\"", "hoverProvider", "source.fixAll.assay"}},
    {TELL("initialized", "{}"), {NULL}},
    {CALL(3, "initialize", "{}"), {"-32600"}},
    {TELL("textDocument/didOpen", DOCUMENT(SOURCE)),
     {"\"code\":\"SB091\"", "\"version\":1", "\"line\":2,\"character\":4"}},
    {CALL(4, "textDocument/hover", PLACE), {"markdown", "SB091"}},
    {CALL(5, "textDocument/diagnostic", "{\"textDocument\": {\"uri\": \"file:///a.py\"}}"),
     {"\"kind\":\"full\"", "SB091"}},
    {TELL("textDocument/didChange",
          "{\"textDocument\": {\"uri\": \"file:///a.py\", \"version\": 2}, \"contentChanges\": "
          "[{\"range\": {\"start\": {\"line\": 2, \"character\": 0}, \"end\": {\"line\": 9, "
          "\"character\": 0}}, \"text\": \"\"}]}"),
     {"\"version\":2", "\"diagnostics\":[]"}},
    {TELL("textDocument/didChange",
          "{\"textDocument\": {\"uri\": \"file:///none.py\"}, \"contentChanges\": []}"),
     {NULL}},
    {TELL("textDocument/didClose", "{\"textDocument\": {\"uri\": \"file:///a.py\"}}"),
     {"\"diagnostics\":[]"}},
    {CALL(6, "textDocument/hover", PLACE), {"\"result\":null"}},
    {CALL(7, "some/thing", "{}"), {"-32601"}},
    {TELL("$/unknown", "{}"), {NULL}},
    {CALL(8, "shutdown", "null"), {"\"result\":null"}},
    {CALL(9, "textDocument/hover", PLACE), {"-32600"}},
};

static void messages_get_their_answers(void **state)
{
    struct lint_fixture f;
    struct strbuf out = {0};
    (void)state;
    fixture_open(&f, CONFIDENCE_MEDIUM);
    struct lsp_hooks hooks = {.ctx = &f, .load = load, .version = "0"};
    struct lsp *l = lsp_new(&hooks);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        strbuf_clear(&out);
        assert_true(lsp_handle(l, str_of(rows[i].message), &out));
        strbuf_adds(&out, "");
        for (size_t k = 0; k < COUNT_OF(rows[i].holds) && rows[i].holds[k]; k++)
            if (!out.n || !strstr(out.at, rows[i].holds[k]))
                fail_msg("%s: no %s in %s", rows[i].message, rows[i].holds[k], out.n ? out.at : "");
        if (!rows[i].holds[0])
            ASSERT_ROW(out.n == 0, rows[i].message);
    }
    assert_int_equal(lsp_exit_code(l), 0);
    assert_false(lsp_handle(l, STR(TELL("exit", "null")), &out));
    strbuf_done(&out);
    lsp_free(l);
    fixture_close(&f);
}

TEST_SUITE(lint_lsp, TEST(messages_get_their_answers))
