// MC_WIDE before a function: compiled once for each width of vector registers, the widest that the machine has is run.
//
// For the few functions that are one long loop over doubles. The answers are the same to the last bit: the operations and
// their order do not change, and fused multiply-adds are switched off for the whole core.
#pragma once

#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__) && !defined(MC_CHECK)
#define MC_WIDE __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define MC_WIDE
#endif
