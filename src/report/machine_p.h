/* The machine that a bug was confirmed on, kept in the bug's folder: a report may be written
 * elsewhere. */
#ifndef REPORT_MACHINE_P_H
#define REPORT_MACHINE_P_H

#include "report/report.h"

/* Writes the facts of this machine into FOLDER/machine.json. */
bool machine__write(const char *folder, struct err *e);

/* Reads the file. Facts that it lacks are empty; without a file all are. ERR_DATA: it is damaged.
 */
bool machine__read(const char *folder, struct arena *a, struct report_machine *out, struct err *e);

#endif
