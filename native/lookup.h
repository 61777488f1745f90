/* What the parser's tables say of a state and a symbol, remembered.

   Most states' rows are lists that the runtime searches for a symbol, a tenth of its time. The tables are the grammar's
   and never change, so that one place for each of some thousand pairs, whichever was asked for last, answers instead. */

#include "language.h"

#define KNOWN_BITS 12

static struct {
  uint32_t key; /* the state and the symbol; never 0, as the first states have plain tables */
  uint16_t value;
} known[1 << KNOWN_BITS];
static const TSLanguage *known_language;

static void known_begin(const TSLanguage *language) {
  if (known_language == language) return;
  memset(known, 0, sizeof(known));
  known_language = language;
}

static inline uint16_t known_lookup(const TSLanguage *self, TSStateId state, TSSymbol symbol) {
  if (state < self->large_state_count || self != known_language) return ts_language_lookup(self, state, symbol);
  uint32_t key = (uint32_t)state << 16 | symbol;
  uint32_t at = key * 2654435761u >> (32 - KNOWN_BITS); /* Knuth's multiplicative hash */
  if (known[at].key != key) {
    known[at].value = ts_language_lookup(self, state, symbol);
    known[at].key = key;
  }
  return known[at].value;
}

#define ts_language_lookup known_lookup
