/* Memory of the parser's.

   All that tree-sitter asks for in a parse, the tree among it, comes off blocks that are given back as a whole once the
   tree is flat: nothing is walked only to be freed. What is freed earlier is handed out again, by its size. The runtime
   lets its allocator be replaced by these names (alloc.h). One parse at a time: who parses holds the interpreter's lock. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GRAIN 16
#define LARGEST 1024 /* bytes; what is larger has a block of its own */
#define BLOCK ((size_t)1 << 18)
#define KEPT 16 /* blocks that stay for the next parse: 4 MB */

typedef struct Block {
  struct Block *next;
  struct Block *before; /* of a large one */
  size_t size;          /* of a large one: what it holds */
  size_t grains;        /* of a large one: 0, right before what it holds, as `pool_head` has it */
} Block;

typedef struct Freed {
  struct Freed *next;
} Freed;

static struct {
  Block *first, *here; /* blocks in use, up to `here` */
  char *at, *end;
  Block *large;
  Freed *freed[LARGEST / GRAIN + 1];
} pool;

/* How many grains were handed out, itself included; 0 for a block of its own. */
static inline size_t *pool_head(void *given) { return (size_t *)given - 1; }

static void *pool_fail(size_t size) {
  fprintf(stderr, "no memory for %zu bytes of a syntax tree\n", size);
  abort();
}

static void *pool_large(size_t size) {
  Block *block = malloc(sizeof(Block) + size);
  if (!block) return pool_fail(size);
  block->size = size;
  block->before = NULL;
  block->next = pool.large;
  if (pool.large) pool.large->before = block;
  pool.large = block;
  block->grains = 0;
  return block + 1;
}

/* From the next block. */
static void *pool_more(size_t bytes) {
  Block *block = pool.here ? pool.here->next : pool.first;
  if (!block) {
    if (!(block = malloc(sizeof(Block) + BLOCK))) return pool_fail(bytes);
    block->next = NULL;
    if (pool.here) pool.here->next = block;
    else pool.first = block;
  }
  pool.here = block;
  pool.at = (char *)(block + 1);
  pool.end = pool.at + BLOCK;
  char *given = pool.at;
  pool.at += bytes;
  return given;
}

static inline void *pool_malloc(size_t size) {
  size_t grains = (size + sizeof(size_t) + GRAIN - 1) / GRAIN;
  if (grains > LARGEST / GRAIN) return pool_large(size);
  Freed *freed = pool.freed[grains];
  if (freed) {
    pool.freed[grains] = freed->next;
    return freed;
  }
  size_t bytes = grains * GRAIN;
  size_t *head = (size_t *)pool.at;
  if ((size_t)(pool.end - pool.at) < bytes) head = pool_more(bytes);
  else pool.at += bytes;
  *head = grains;
  return head + 1;
}

static void *pool_calloc(size_t count, size_t size) {
  void *given = pool_malloc(count * size);
  memset(given, 0, count * size);
  return given;
}

static inline void pool_free(void *given) {
  if (!given) return;
  size_t grains = *pool_head(given);
  if (grains) {
    Freed *freed = given;
    freed->next = pool.freed[grains];
    pool.freed[grains] = freed;
    return;
  }
  Block *block = (Block *)given - 1;
  if (block->before) block->before->next = block->next;
  else pool.large = block->next;
  if (block->next) block->next->before = block->before;
  free(block);
}

static void *pool_realloc(void *given, size_t size) {
  if (!given) return pool_malloc(size);
  size_t grains = *pool_head(given);
  size_t room = grains ? grains * GRAIN - sizeof(size_t) : ((Block *)given - 1)->size;
  if (room >= size) return given;
  void *moved = pool_malloc(size);
  memcpy(moved, given, room);
  pool_free(given);
  return moved;
}

/* Gives everything back. */
static void pool_reset(void) {
  while (pool.large) {
    Block *block = pool.large;
    pool.large = block->next;
    free(block);
  }
  int kept = 0;
  Block **link = &pool.first;
  while (*link && kept++ < KEPT) link = &(*link)->next;
  while (*link) {
    Block *block = *link;
    *link = block->next;
    free(block);
  }
  pool.here = NULL;
  pool.at = pool.end = NULL;
  memset(pool.freed, 0, sizeof(pool.freed));
}

#define ts_malloc pool_malloc
#define ts_calloc pool_calloc
#define ts_realloc pool_realloc
#define ts_free pool_free
