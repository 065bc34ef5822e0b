#include "experiments/schedule/plan.h"
