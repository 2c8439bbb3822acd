/*
 * The part of a native or Python stack that identifies a crash. Each line is reduced to its
 * function, without address, offset, template arguments and parameters; frames of the plumbing (C
 * library, allocator, unwinder, interpreter, signal handlers) are left out, because they are the
 * same in every crash.
 *
 * Understood forms: "#3 0x7f.. in ns::f<int>(int) at file.cc:12" (gdb, sanitizers),
 * "lib.so(_ZN1f+0x1b) [0x7f..]" (backtrace_symbols), '  File "x.py", line 3, in f' and "x.py:3 f"
 * (Python), and a bare name. An engine's library without symbols gives "lib.so.1(+0x1b)": the
 * offset of the first such frame stands for its function. Later ones are left out, because a
 * smaller model gets there by another way.
 */
#include "judge/normalise.h"

#include "base/path.h"

static struct str after(struct str s, const char *mark)
{
    size_t at = str_find(s, str_of(mark));
    return at == s.n ? (struct str){0} : str_sub(s, at + strlen(mark), s.n);
}

/* The line without a leading "#3 0x7f.. in " or "3: ". */
static struct str without_number(struct str line)
{
    struct str in = after(line, " in ");
    if (line.n > 0 && line.at[0] == '#' && in.n > 0)
        return str_trim(in);
    size_t i = line.n > 0 && line.at[0] == '#';
    while (i < line.n && str_is_digit(line.at[i]))
        i++;
    if (i > 0 && i < line.n && (line.at[i] == ':' || line.at[i] == ' '))
        return str_trim(str_sub(line, i + 1, line.n));
    return line;
}

/* Adds a nested name of the Itanium C++ ABI: "_ZN2ns3Pad3RunEi" as "ns::Pad::Run". Template
 * arguments are dropped. false: it does not parse. */
static bool add_demangled(struct str name, struct strbuf *out)
{
    size_t at = 3, start = out->n;
    if (!str_starts(name, STR("_ZN")))
        return false;
    while (at < name.n && (name.at[at] == 'K' || name.at[at] == 'V'))
        at++;
    while (at < name.n && str_is_digit(name.at[at])) {
        size_t n = 0;
        for (; at < name.n && str_is_digit(name.at[at]) && n < name.n; at++)
            n = n * 10 + (size_t)(name.at[at] - '0');
        if (n == 0 || n > name.n - at)
            break;
        strbuf_adds(out, out->n > start ? "::" : "");
        strbuf_add(out, name.at + at, n);
        at += n;
    }
    return out->n > start;
}

/* Adds the name of a frame up to its parameters, without template arguments. */
static void add_function(struct str name, struct strbuf *out)
{
    size_t depth = 0;
    if (add_demangled(name, out))
        return;
    for (size_t i = 0; i < name.n; i++) {
        char c = name.at[i];
        if (c == '<' && i > 0)
            depth++;
        else if (c == '>' && depth > 0)
            depth--;
        else if (depth == 0 && (c == '(' || c == '+' || c == ' ' || c == '['))
            break;
        else if (depth == 0)
            strbuf_addc(out, c);
    }
}

/* Splits "lib.so.1(_ZN1f+0x1b) [0x7f..]" into the file and the part in parentheses. */
static bool split_symbol(struct str line, struct str *file, struct str *symbol)
{
    size_t open = str_find_byte(line, '('), close = str_find_byte(line, ')');
    struct str rest = close < line.n ? str_trim(str_sub(line, close + 1, line.n)) : (struct str){0};
    *file = str_sub(line, 0, open);
    *symbol = str_sub(line, open + 1, close);
    return open < close && str_find(*symbol, STR("+0x")) < symbol->n && str_starts(rest, STR("["));
}

/* Is it a C or C++ run-time library, or the program that has loaded the engine? */
static bool is_plumbing_file(struct str file)
{
    static const char *const libraries[] = {"libc.so",       "libstdc++.so", "libgcc_s.so",
                                            "libpthread.so", "ld-linux",     "libpython"};
    if (str_find(file, STR(".so")) == file.n)
        return true;
    for (size_t i = 0; i < COUNT_OF(libraries); i++)
        if (str_find(file, str_of(libraries[i])) < file.n)
            return true;
    return false;
}

/* Adds "libengine+0x1b" for a frame without a symbol; false: it has one, or is plumbing. */
static bool add_offset(struct str line, struct strbuf *out)
{
    struct str file, symbol;
    if (!split_symbol(line, &file, &symbol) || symbol.at[0] != '+' || is_plumbing_file(file))
        return false;
    file = path_base(file);
    strbuf_addstr(out, str_sub(file, 0, str_find(file, STR(".so"))));
    strbuf_addstr(out, symbol);
    return true;
}

/* Adds file and function of "functional.py:2953 select", not the line: lines move from release to
 * release, and in an emitted program from case to case. */
static bool add_python(struct str line, struct strbuf *out)
{
    const struct str mark = STR(".py:");
    size_t at = str_find(line, mark), blank = str_find_byte(line, ' ');
    struct str function = str_trim(str_sub(line, blank, line.n));
    if (at >= blank || !str_is_digit(at + mark.n < line.n ? line.at[at + mark.n] : ' '))
        return false;
    strbuf_addstr(out, str_sub(line, 0, at + mark.n - 1));
    strbuf_adds(out, function.n ? " " : "");
    add_function(function, out);
    return true;
}

static void frame_name(struct str line, struct strbuf *out)
{
    struct str file, symbol;
    if (add_python(line, out))
        return;
    if (split_symbol(line, &file, &symbol) && is_plumbing_file(file))
        return;
    if (str_starts(line, STR("File \""))) {
        add_function(str_trim(after(line, ", in ")), out);
        return;
    }
    size_t open = str_find_byte(line, '(');
    bool is_library = str_find(str_sub(line, 0, open), STR(".so")) < open;
    if (open < line.n && is_library) {
        add_function(str_sub(line, open + 1, line.n), out);
        if (out->n > 0 && out->at[out->n - 1] == ')')
            out->at[--out->n] = '\0';
        return;
    }
    add_function(without_number(line), out);
}

static bool is_plumbing(struct str name)
{
    static const char *const starts[] = {
        "__",         "_start",
        "raise",      "abort",
        "gsignal",    "std::terminate",
        "malloc",     "free",
        "calloc",     "realloc",
        "operator",   "start_thread",
        "clone",      "_Py",
        "Py",         "_Unwind",
        "kill",       "pthread_",
        "cfunction_", "_ZSt9terminate",
        "_Znwm",      "_ZdlPv",
        "memcpy",     "memmove",
        "memset",     "std::__",
        "_sigtramp",  "method_vectorcall",
        "<module>",
    };
    for (size_t i = 0; i < COUNT_OF(starts); i++)
        if (str_starts(name, str_of(starts[i])))
            return true;
    return name.n == 0;
}

struct str normalise_frames(struct str stack, size_t n, bool offsets, struct arena *a)
{
    struct strbuf name = {0}, out = {0};
    struct str rest = stack, line;
    bool is_blind = !offsets; /* takes no offset; set after the first one too */
    for (size_t found = 0; found < n && rest.at != NULL && str_split(&rest, '\n', &line);) {
        strbuf_clear(&name);
        line = str_trim(line);
        bool is_offset = !is_blind && add_offset(line, &name);
        if (!is_offset)
            frame_name(line, &name);
        is_blind = is_blind || is_offset;
        if (is_plumbing(strbuf_str(&name)))
            continue;
        if (found++ > 0)
            strbuf_adds(&out, " < ");
        strbuf_addstr(&out, strbuf_str(&name));
    }
    struct str result = strbuf_dup(&out, a);
    strbuf_done(&name);
    strbuf_done(&out);
    return result;
}

struct str normalise_offset(struct str stack, struct arena *a)
{
    struct strbuf name = {0};
    struct str rest = stack, line;
    bool found = false;
    while (!found && rest.at != NULL && str_split(&rest, '\n', &line)) {
        struct strbuf plain = {0};
        found = add_offset(str_trim(line), &name);
        if (!found)
            frame_name(str_trim(line), &plain);
        bool has_symbol = !found && !is_plumbing(strbuf_str(&plain));
        strbuf_done(&plain);
        if (has_symbol) /* a function names the place in every build */
            break;
    }
    struct str result = strbuf_dup(&name, a);
    strbuf_done(&name);
    return result;
}
