/* The table of forms: one row and one file each. */
#include "lint/form_p.h"

#define FORM(id) extern const struct form form__##id;
#include "lint/form.def"
#undef FORM

static const struct form *const forms[] = {
#define FORM(id) &form__##id,
#include "lint/form.def"
#undef FORM
};

const struct form *const *form__list(size_t *n)
{
    *n = COUNT_OF(forms);
    return forms;
}

const struct form *form__find(struct str name)
{
    for (size_t i = 0; i < COUNT_OF(forms); i++)
        if (str_is(name, forms[i]->name))
            return forms[i];
    return NULL;
}
