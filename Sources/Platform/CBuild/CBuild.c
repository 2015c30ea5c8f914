#include "CBuild.h"

// Defined by the manifest.
#ifndef HOMEPORT_COMMIT
#define HOMEPORT_COMMIT ""
#endif

const char *cbuild_commit(void) {
    return HOMEPORT_COMMIT;
}
