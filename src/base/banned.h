/*
 * Functions that must not be called. The build includes this file before every source of ours, so
 * a use is a compile error. Use instead: str.h and strbuf for text, err.h for messages,
 * os/process.h for programs, base/file.h for files.
 */
#ifndef BASE_BANNED_H
#define BASE_BANNED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#pragma GCC poison strcpy strcat strncpy strncat sprintf vsprintf strtok gets system popen mktemp
#pragma GCC poison tmpnam asctime ctime gmtime localtime rand srand atoi atol atof

#endif
