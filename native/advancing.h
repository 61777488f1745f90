/* Going on by one character, which scanners ask for through a pointer: here for plain ASCII in the one text that there
   is, else as the runtime does it. */

#include "lexer.c"

static void plain_advance(TSLexer *lexer, bool skip) {
  Lexer *self = (Lexer *)lexer;
  uint32_t next = self->current_position.bytes + 1 - self->chunk_start;
  if (!self->chunk || self->lookahead_size != 1 || self->data.lookahead == '\n' || next >= self->chunk_size ||
      (unsigned char)self->chunk[next] > 0x7f) {
    ts_lexer__advance(lexer, skip);
    return;
  }
  Length position = self->current_position;
  position.bytes++;
  position.extent.column++;
  length_put(&self->current_position, position);
  if (self->column_data.valid) self->column_data.value++;
  if (skip) length_put(&self->token_start_position, position);
  self->data.lookahead = (unsigned char)self->chunk[next];
}

/* Where a token ends. There is one range: no token can begin behind a gap. */
static void plain_mark_end(TSLexer *lexer) {
  Lexer *self = (Lexer *)lexer;
  self->token_end_position = self->current_position;
}

static void advance_plainly(Lexer *self) {
  self->data.advance = plain_advance;
  self->data.mark_end = plain_mark_end;
}
