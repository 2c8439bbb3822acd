/*
 * Records of a framework's public API, one per symbol, as py/assay_worker/records.py dumps them
 * from an installed version. Read once, immutable, in the caller's arena.
 *
 *     struct api_records all;
 *     if (!api_records_read(text, "torch", arena, &all, e)) ...
 *     const struct api_record *r = api_records_find(&all, STR("torch.abs"));     // by any name
 */
#ifndef DOCUMENTS_RECORD_H
#define DOCUMENTS_RECORD_H

#include "base/json.h"
#include "base/map.h"

struct api_parameter {
    struct str name, annotation;
    struct str value; /* Python text of the default */
    bool has_default;
    bool is_variadic; /* *args, **kwargs */
};

/* What is said of a parameter apart from the docstring: of an ONNX operator's attributes. */
struct api_text {
    struct str name, text;
};

struct api_record {
    struct str name; /* shortest public name: "torch.nn.functional.conv2d" */
    const struct str *names;
    size_t n_names;
    struct str op;   /* "conv2d": the same for aliases, methods and in-place forms */
    struct str kind; /* "function", "class", "method", "property", "operator" */
    struct str doc;
    struct str file; /* defines it; relative to the folder of packages; "": not Python */
    int64_t line;
    bool has_signature;
    const struct api_parameter *parameters;
    size_t n_parameters;
    const struct str *schemas;
    size_t n_schemas;
    const struct api_text *texts;
    size_t n_texts;
};

struct api_records {
    struct str framework, version;
    const struct api_record *at; /* by name */
    size_t n;
    struct map names; /* every name -> index */
};

/* text: the dump. ERR_DATA names line and key of an invalid record. */
bool api_records_read(struct str text, const char *name, struct arena *a, struct api_records *out,
                      struct err *e);

const struct api_record *api_records_find(const struct api_records *all, struct str name);

#endif
