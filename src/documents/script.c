/*
 * Writes the script of a finding: the statements of the document up to the one that fails, and the
 * names they need. share/script/document.py runs and compares them.
 */
#include "documents/script.h"

#include "base/share.h"

struct convention {
    const char *framework, *names; /* of examples.py: short name = module */
};

static const struct convention conventions[] = {
    {"torch", "{\"torch\": \"torch\", \"nn\": \"torch.nn\", \"F\": \"torch.nn.functional\", "
              "\"optim\": \"torch.optim\", \"np\": \"numpy\", \"math\": \"math\"}"},
    {"keras", "{\"keras\": \"keras\", \"np\": \"numpy\", \"math\": \"math\"}"},
    {"jax", "{\"jax\": \"jax\", \"jnp\": \"jax.numpy\", \"lax\": \"jax.lax\", \"np\": \"numpy\", "
            "\"math\": \"math\"}"},
    {"tensorflow",
     "{\"tf\": \"tensorflow\", \"np\": \"numpy\", \"math\": \"math\", \"os\": \"os\"}"},
    {"onnx", "{\"onnx\": \"onnx\", \"reference\": \"onnx.reference\", \"np\": \"numpy\"}"},
    {"numpy", "{\"np\": \"numpy\", \"math\": \"math\"}"},
};

static const struct convention *convention_of(struct str framework)
{
    for (size_t i = 0; i < COUNT_OF(conventions); i++)
        if (str_is(framework, conventions[i].framework))
            return &conventions[i];
    return &conventions[COUNT_OF(conventions) - 1];
}

/* A JSON string is also a Python literal. */
static void add_literal(struct str text, struct strbuf *out)
{
    struct json_out w = json_open(out, JSON_COMPACT);
    json_put_str(&w, text);
}

static void add_statements(const struct document_finding *f, struct strbuf *out)
{
    const struct document *d = f->document;
    strbuf_adds(out, "STATEMENTS = [\n");
    for (size_t i = 0; i <= f->at; i++) {
        strbuf_adds(out, "    ");
        if (d->puts[i].n) {
            struct strbuf put = {0};
            strbuf_printf(&put, "put((" STR_FMT ",), " STR_FMT ")\n",
                          STR_ARG(d->examples.at[i].shown), STR_ARG(d->puts[i]));
            add_literal(strbuf_str(&put), out);
            strbuf_adds(out, ",  # as the document prints it\n    ");
            strbuf_done(&put);
        }
        add_literal(d->examples.at[i].source, out);
        strbuf_adds(out, ",\n");
    }
    strbuf_adds(out, "]\n");
}

static struct str parent_of(struct str name)
{
    size_t n = name.n;
    while (n && name.at[n - 1] != '.')
        n--;
    return str_sub(name, 0, n ? n - 1 : 0);
}

/* Writes FROM: the module of the documented object, or of its class. */
static void add_from(const struct api_record *r, struct strbuf *out)
{
    struct str module = parent_of(r->name);
    if (str_is(r->kind, "method") || str_is(r->kind, "property"))
        module = parent_of(module);
    strbuf_adds(out, "FROM = [");
    if (module.n && !str_is(r->kind, "operator"))
        add_literal(module, out);
    strbuf_adds(out, "]\n");
}

void document_script(const struct document_finding *f, struct str framework, struct strbuf *out)
{
    const struct api_record *r = f->document->record;
    const struct example *x = &f->document->examples.at[f->at];
    struct str body;
    strbuf_printf(out, "# " STR_FMT ", line %u of its document (%s): ", STR_ARG(r->name), x->line,
                  f->kind);
    strbuf_add_line(out, f->detail);
    strbuf_adds(out, "\nimport builtins\nimport contextlib\nimport importlib\nimport io\nimport "
                     "linecache\nimport re\nimport sys\n\nNAMES = ");
    strbuf_adds(out, convention_of(framework)->names);
    strbuf_addc(out, '\n');
    add_from(r, out);
    add_statements(f, out);
    strbuf_adds(out, "DOCUMENTED = ");
    add_literal(x->expected, out);
    strbuf_adds(out, "\n\n");
    if (share_find("script/document.py", &body))
        strbuf_addstr(out, body);
}
