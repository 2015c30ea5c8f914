#ifndef CBUILD_H
#define CBUILD_H

/// The commit that the program was built from, in 40 hexadecimal digits; empty where that is not known.
const char *cbuild_commit(void);

#endif
