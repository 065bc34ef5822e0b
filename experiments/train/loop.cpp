#include "experiments/attempt/job.h"
