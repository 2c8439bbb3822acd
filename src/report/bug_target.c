/* Writes the target of a bug as every format names it. */
#include "report/report_p.h"

void report__target(const struct store_bug *b, struct strbuf *out)
{
    strbuf_printf(out, STR_FMT "@" STR_FMT "/" STR_FMT, STR_ARG(b->engine), STR_ARG(b->version),
                  STR_ARG(b->mode));
}
