#ifndef CBUILD_H
#define CBUILD_H

/// The commit that the program was built from; empty where that is not known.
const char *cbuild_commit(void);

#endif
