/* References to subtrees, counted without atomic operations.

   No tree leaves the thread that parses: it is flat, and gone, before the interpreter's lock is let go of. This stands
   in the place of the runtime's own atomic.h. */

#define TREE_SITTER_ATOMIC_H_

#include <stddef.h>
#include <stdint.h>

static inline size_t atomic_load(const volatile size_t *counter) { return *counter; }

static inline uint32_t atomic_inc(volatile uint32_t *counter) {
  uint32_t *plain = (uint32_t *)counter;
  return ++*plain;
}

static inline uint32_t atomic_dec(volatile uint32_t *counter) {
  uint32_t *plain = (uint32_t *)counter;
  return --*plain;
}
