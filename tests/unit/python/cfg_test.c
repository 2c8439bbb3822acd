/* Paths through statements: may one call follow another, and is there always a third between
 * them? */
#include <stdio.h>

#include "unit/python/layers.h"

static bool can(struct layers *l, const struct flow *f, const char *from, const char *to,
                const char *avoid, bool with_exceptions)
{
    struct step_set from_set = layers_calls(l, f->cfg, from), to_set = {0}, avoid_set = {0};
    if (to)
        to_set = layers_calls(l, f->cfg, to);
    if (avoid)
        avoid_set = layers_calls(l, f->cfg, avoid);
    struct flow_query q = {.from = &from_set,
                           .to = to ? &to_set : NULL,
                           .avoid = avoid ? &avoid_set : NULL,
                           .loop = LOOP_NONE,
                           .with_exceptions = with_exceptions};
    return flow_path(f, &q) == TRUTH_TRUE;
}

static void ways_follow_the_language(void **state)
{
    static const struct {
        const char *name, *body, *from, *to, *avoid; /* to NULL: the function's end */
        bool expected;
    } rows[] = {
        {"order", "a()\nb()", "a", "b", NULL, true},
        {"not backwards", "a()\nb()", "b", "a", NULL, false},
        {"if has both ways", "if c:\n  a()\nb()", "a", "b", NULL, true},
        {"else excludes", "if c:\n  a()\nelse:\n  b()", "a", "b", NULL, false},
        {"elif", "if c:\n  a()\nelif d:\n  b()\ne()", "b", "e", NULL, true},
        {"loop comes round", "for x in y:\n  b()\n  a()", "a", "b", NULL, true},
        {"loop body may be skipped", "a()\nfor x in y:\n  b()", "a", NULL, "b", true},
        {"while True does not end", "a()\nwhile True:\n  b()\nc()", "a", "c", NULL, false},
        {"break ends it", "a()\nwhile True:\n  break\nc()", "a", "c", NULL, true},
        {"break skips else", "while x:\n  a()\n  break\nelse:\n  b()", "a", "b", NULL, false},
        {"else after the loop", "for x in y:\n  a()\nelse:\n  b()", "a", NULL, "b", false},
        {"continue", "for x in y:\n  a()\n  continue\n  b()", "a", "b", NULL, false},
        {"return ends", "a()\nreturn\nb()", "a", "b", NULL, false},
        {"finally after return", "try:\n  a()\n  return\nfinally:\n  b()\nc()", "a", NULL, "b",
         false},
        {"finally after return goes out", "try:\n  a()\n  return\nfinally:\n  b()\nc()", "b", "c",
         NULL, false},
        {"break through finally",
         "for x in y:\n  try:\n    a()\n    break\n  finally:\n    b()\nc()", "a", "c", "b", false},
        {"continue through finally",
         "for x in y:\n  z()\n  try:\n    a()\n    continue\n  finally:\n    b()", "a", "z", "b",
         false},
        {"with is left by return", "with m():\n  a()\n  return\nb()", "a", "b", NULL, false},
        {"match picks one", "match v:\n  case 1:\n    a()\n  case 2:\n    b()", "a", "b", NULL,
         false},
        {"match wildcard", "m()\nmatch v:\n  case 1:\n    a()\n  case _:\n    a()\n", "m", NULL,
         "a", false},
        {"and may skip", "m()\nx and a()", "m", NULL, "a", true},
        {"or evaluates left", "m()\na() or b()", "m", NULL, "a", false},
        {"conditional", "m()\na() if x else b()", "a", "b", NULL, false},
        {"comprehension repeats", "[b(a()) for x in y]", "b", "a", NULL, true},
        {"comprehension may be empty", "m()\n[a() for x in y]", "m", NULL, "a", true},
        {"comprehension condition", "m()\n[a() for x in y if b()]", "b", "b", "a", true},
        {"iterable first", "m()\n[a() for x in b()]", "m", "a", "b", false},
        {"value before target", "x[a()] = b()", "b", "a", NULL, true},
        {"default now, body later", "m()\ndef g(x=a()):\n  b()\n", "m", NULL, "a", false},
        {"body of a nested function", "m()\ndef g():\n  b()\n", "m", "b", NULL, false},
        {"raise leaves", "a()\nraise E\nb()", "a", "b", NULL, false},
        {"decorator runs", "m()\n@a()\ndef g():\n  pass\n", "m", NULL, "a", false},
        {"class body runs in place", "m()\nclass C:\n  a()\n", "m", NULL, "a", false},
        {"walrus", "if (x := a()):\n  b()", "a", "b", NULL, true},
        {"suppress without an exception",
         "import contextlib\nwith contextlib.suppress(E):\n  a()\nb()", "a", NULL, "b", false},
        {"return leaves suppress",
         "import contextlib\nwith contextlib.suppress(E):\n  a()\n  return\nb()", "a", "b", NULL,
         false},
        {"a conditional's test comes first", "a() if c() else b()", "c", "a", NULL, true},
        {"and is not run again", "a() if c() else b()", "a", "c", NULL, false},
        {"the test may lead to either", "a() if c() else b()", "c", NULL, "a", true},
        {"the test leads to one of them", "c()\na() if x else a()", "c", NULL, "a", false},
        {"behind a conditional", "a() if x else b()\nd()", "b", "d", NULL, true},
        {"an iterable is made once", "for x in a():\n  b()", "b", "a", NULL, false},
        {"a loop's test again", "while a():\n  b()", "b", "a", NULL, true},
        {"the body of a lambda", "m()\ng = lambda: a()", "m", "a", NULL, false},
        {"arguments in order", "f(a(), k=b())", "a", "b", NULL, true},
        {"arguments not backwards", "f(a(), k=b())", "b", "a", NULL, false},
        {"arguments before the call", "f(a())", "f", "a", NULL, false},
        {"a second condition", "m()\n[d() for x in y if a() if b()]", "a", "d", "b", false},
        {"an inner comprehension", "[[b() for x in a()] for z in y]", "b", "a", NULL, true},
        {"a value before the attribute", "a().x = b()", "b", "a", NULL, true},
        {"async with", "async with m() as x:\n  a()\nb()", "a", "b", NULL, true},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct layers l;
        struct strbuf text = {0};
        struct str rest = str_of(rows[i].body), line;
        strbuf_adds(&text, "async def f():\n");
        while (str_split(&rest, '\n', &line))
            strbuf_printf(&text, "  " STR_FMT "\n", STR_ARG(line));
        layers_open(&l, text.at);
        const struct flow *f = types_flow(&l.types, layers_scope(&l, "f"));
        ASSERT_ROW(can(&l, f, rows[i].from, rows[i].to, rows[i].avoid, false) == rows[i].expected,
                   rows[i].name);
        strbuf_done(&text);
        layers_close(&l);
    }
}

static void handlers_see_each_prefix_of_the_body(void **state)
{
    static const struct {
        const char *name, *text, *from, *to, *avoid;
        bool expected;
    } rows[] = {
        {"handler after the first", "try:\n  a()\n  b()\nexcept E:\n  c()\n", "a", "c", "b", true},
        {"handler before anything", "m()\ntry:\n  a()\nexcept E:\n  c()\n", "m", "c", "a", true},
        {"finally on exceptions", "try:\n  a()\n  b()\nfinally:\n  c()\n", "a", "c", "b", true},
        {"else only without", "try:\n  a()\nexcept E:\n  c()\nelse:\n  d()\n", "c", "d", NULL,
         false},
        {"handler to finally", "try:\n  a()\nexcept E:\n  c()\nfinally:\n  d()\n", "c", NULL, "d",
         false},
        {"with is left on exceptions", "try:\n  with m():\n    a()\nexcept E:\n  c()\n", "a", "c",
         NULL, true},
        {"suppress goes on behind",
         "import contextlib\na()\nwith contextlib.suppress(E):\n  raise E\nb()\n", "a", "b", NULL,
         true},
        {"suppress by another name",
         "from contextlib import suppress as s\nwith s(E), m():\n  a()\n  c()\nb()\n", "a", "b",
         "c", true},
        {"another manager lets exceptions out", "a()\nwith m():\n  raise E\nb()\n", "a", "b", NULL,
         false},
        {"nested handlers", "try:\n  try:\n    a()\n  except E:\n    raise\nexcept F:\n  c()\n",
         "a", "c", NULL, true},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct layers l;
        layers_open(&l, rows[i].text);
        ASSERT_ROW(can(&l, types_flow(&l.types, 0), rows[i].from, rows[i].to, rows[i].avoid,
                       true) == rows[i].expected,
                   rows[i].name);
        layers_close(&l);
    }
}

static void too_many_copies_of_finally_are_given_up(void **state)
{
    struct layers l;
    struct strbuf text = {0};
    (void)state;
    /* Each finally contains the next try with a return: copies double at every level. */
    strbuf_adds(&text, "def f():\n");
    for (int depth = 0; depth < 20; depth++) {
        const char *indent = "                        ";
        strbuf_printf(&text, "%.*stry:\n%.*sreturn a()\n%.*sfinally:\n", depth + 1, indent,
                      depth + 2, indent, depth + 1, indent);
    }
    strbuf_printf(&text, "%22sb()\n", "");
    layers_open(&l, text.at);
    assert_int_equal(l.tree.damage.n, 0);
    assert_null(types_cfg(&l.types, layers_scope(&l, "f")));
    strbuf_done(&text);
    layers_close(&l);
}

TEST_SUITE(python_cfg, TEST(ways_follow_the_language), TEST(handlers_see_each_prefix_of_the_body),
           TEST(too_many_copies_of_finally_are_given_up))
