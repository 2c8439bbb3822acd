/* The version of the program, defined only here. */
#ifndef CLI_VERSION_H
#define CLI_VERSION_H

#define ASSAY_VERSION "0.1.0"

#endif
