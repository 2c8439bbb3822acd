/* Decides how data of others is set apart in a prompt. Must not know what is asked. */
#include "generate/marked.h"

#include "base/hash.h"

void marked_put(struct str data, const char *what, struct strbuf *out)
{
    char hex[HASH_HEX_SIZE];
    struct hash h = hash_of(data.at ? data.at : "", data.n);
    hash_to_hex(&h, hex);
    strbuf_printf(out, "=== %s %.8s ===\n" STR_FMT "%s=== end of %s %.8s ===\n", what, hex,
                  STR_ARG(data), str_ends(data, STR("\n")) ? "" : "\n", what, hex);
}
