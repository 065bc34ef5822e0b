#include "kernels/causal_attention/causal_attention.h"
