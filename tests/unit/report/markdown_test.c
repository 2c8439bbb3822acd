/* Text from outside in Markdown: it never becomes markup, and ends no comment early. */
#include "report/markdown_text_p.h"

#include <stdlib.h>

#include "unit/test.h"

/* HTML ends a comment at --> and --!>, and also at > or -> directly after <!--. */
static void nothing_ends_a_comment_early(void **state)
{
    static const struct {
        const char *text, *comment;
    } rows[] = {
        {"plain", "<!-- plain -->\n"},
        {"a --> b", "<!-- a --&gt; b -->\n"},
        {"a --!> b", "<!-- a --!&gt; b -->\n"},
        {"-> first", "<!-- -&gt; first -->\n"},
        {"> first", "<!-- > first -->\n"},
        {"a > b", "<!-- a > b -->\n"},
        {"--!>--!>", "<!-- --!&gt;--!&gt; -->\n"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct strbuf out = {0};
        markdown__comment(str_of(rows[i].text), &out);
        assert_string_equal(out.at, rows[i].comment);
        strbuf_done(&out);
    }
}

TEST_SUITE(report_markdown, TEST(nothing_ends_a_comment_early))
