#include "results/store.h"
