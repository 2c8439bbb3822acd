/* Decides how a path is written in a report for programs: as a relative reference, escaped by RFC
 * 3986. */
#include "report/uri_p.h"

#include <string.h>

void report__add_uri(struct str path, struct strbuf *out)
{
    if (str_starts(path, STR("./")))
        path = str_sub(path, 2, path.n);
    for (size_t i = 0; i < path.n; i++) {
        unsigned char c = (unsigned char)path.at[i];
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                     memchr("/._-~", c, 5) != NULL;
        if (plain)
            strbuf_addc(out, (char)c);
        else
            strbuf_printf(out, "%%%02X", c);
    }
}
