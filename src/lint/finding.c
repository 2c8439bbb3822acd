/* Names and order of findings. */
#include "lint/finding.h"

const char *finding_severity_name(enum severity s)
{
    static const char *const names[] = {"info", "warning", "error"};
    return names[s];
}

const char *safety_name(enum safety s)
{
    static const char *const names[] = {"none", "unsafe", "safe"};
    return names[s];
}

int finding_compare(const void *a, const void *b)
{
    const struct finding *x = a, *y = b;
    if (x->span.start != y->span.start)
        return x->span.start < y->span.start ? -1 : 1;
    int codes = str_cmp(x->code, y->code);
    if (codes)
        return codes;
    return x->span.end < y->span.end ? -1 : x->span.end > y->span.end;
}
