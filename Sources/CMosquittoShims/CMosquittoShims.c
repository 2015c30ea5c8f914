#include "CMosquittoShims.h"
