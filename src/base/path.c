/* Text operations on POSIX paths and percent-encoded names. */
#include "base/path.h"

#include <ctype.h>

char *path_join(struct arena *a, const char *dir, const char *name)
{
    if (name[0] == '/' || !dir[0])
        return arena_strdup(a, name);
    size_t n = strlen(dir);
    return arena_printf(a, dir[n - 1] == '/' ? "%s%s" : "%s/%s", dir, name);
}

static size_t last_slash(struct str path)
{
    size_t i = path.n;
    while (i > 0 && path.at[i - 1] != '/')
        i--;
    return i; /* after the last slash; 0 without one */
}

struct str path_base(struct str path)
{
    return str_sub(path, last_slash(path), path.n);
}

struct str path_dir(struct str path)
{
    size_t at = last_slash(path);
    if (at == 0)
        return STR(".");
    return str_sub(path, 0, at > 1 ? at - 1 : 1);
}

struct str path_extension(struct str path)
{
    struct str base = path_base(path);
    for (size_t i = base.n; i > 1; i--)
        if (base.at[i - 1] == '.')
            return str_sub(base, i - 1, base.n);
    return STR("");
}

char *path_normalise(struct arena *a, struct str path)
{
    bool absolute = path.n && path.at[0] == '/';
    struct strbuf out = {0};
    struct str rest = path, part;
    size_t n_open = 0; /* components that ".." may remove */
    if (absolute)
        strbuf_addc(&out, '/');
    while (str_split(&rest, '/', &part)) {
        if (part.n == 0 || str_is(part, "."))
            continue;
        if (str_is(part, "..")) {
            if (n_open) {
                n_open--;
                out.n = last_slash((struct str){out.at, out.n});
                if (out.n > (size_t)absolute)
                    out.n--;
                continue;
            }
            if (absolute)
                continue;
        } else {
            n_open++;
        }
        if (out.n > (size_t)absolute)
            strbuf_addc(&out, '/');
        strbuf_addstr(&out, part);
    }
    char *result = out.n ? str_dup(a, strbuf_str(&out)) : arena_strdup(a, ".");
    strbuf_done(&out);
    return result;
}

char *path_absolute(struct arena *a, const char *folder, const char *path)
{
    return path_normalise(a, str_of(path_join(a, folder, path)));
}

static bool ends_component(struct str path, size_t at)
{
    return at == path.n || path.at[at] == '/';
}

size_t path_common(struct str a, struct str b)
{
    size_t n = 0;
    while (n < a.n && n < b.n && a.at[n] == b.at[n])
        n++;
    while (n && !(ends_component(a, n) && ends_component(b, n)))
        n--;
    return n;
}

bool path_is_inside(struct str path)
{
    struct str rest = path, part;
    long depth = 0;
    if (path.n == 0 || path.at[0] == '/' || memchr(path.at, '\0', path.n))
        return false;
    while (str_split(&rest, '/', &part)) {
        if (str_is(part, ".."))
            depth--;
        else if (part.n && !str_is(part, "."))
            depth++;
        if (depth < 0)
            return false;
    }
    return depth > 0;
}

char *path_encode_name(struct arena *a, struct str name)
{
    static const char digits[] = "0123456789ABCDEF";
    char *out = arena_alloc(a, name.n * 3 + 1);
    size_t n = 0;
    for (size_t i = 0; i < name.n; i++) {
        unsigned char c = (unsigned char)name.at[i];
        if ((c < 128 && isalnum(c)) || c == '-' || c == '_' || (c == '.' && i)) {
            out[n++] = (char)c;
        } else {
            out[n++] = '%';
            out[n++] = digits[c >> 4];
            out[n++] = digits[c & 15];
        }
    }
    return out;
}

bool path_decode_name(struct arena *a, struct str encoded, struct str *out)
{
    static const char digits[] = "0123456789ABCDEF";
    char *text = arena_alloc(a, encoded.n + 1);
    size_t n = 0;
    for (size_t i = 0; i < encoded.n; i++) {
        char c = encoded.at[i];
        if (c == '%') {
            if (encoded.n - i < 3)
                return false;
            const char *h = memchr(digits, encoded.at[i + 1], 16);
            const char *l = memchr(digits, encoded.at[i + 2], 16);
            if (!h || !l)
                return false;
            c = (char)((h - digits) << 4 | (l - digits));
            i += 2;
        }
        text[n++] = c;
    }
    *out = (struct str){text, n};
    return true;
}
