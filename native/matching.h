/* Matches patterns against a tree, each only at the nodes of its own kind.

   `record`: add the captures of all matches to `found`. Otherwise stop at the first match. */

typedef struct {
  const Patterns *patterns;
  const Entry *entries;
  uint64_t *found; /* node -> its captures, one bit each */
  uint16_t error;
} Matching;

static bool match(const Matching *m, uint32_t shape, uint32_t node, bool record);

static inline bool match_item(const Matching *m, const Item *item, uint32_t node, bool record) {
  if (item->field && m->entries[node].field != item->field) return false;
  bool any = false;
  for (uint32_t i = 0; i < item->shape_count; i++) {
    if (match(m, item->shape + i, node, record)) {
      any = true;
      if (!record) break;
    }
  }
  return any;
}

/* Match a shape with one item: any child that fits, in a position that the anchors allow. */
static bool match_one(const Matching *m, const Shape *shape, uint32_t node, bool record) {
  const Item *item = &m->patterns->items[shape->item];
  uint32_t end = m->entries[node].after, child;
  uint32_t last = NONE; /* the last named child, if the item must match it */
  if (shape->ends) {
    for (child = node + 1; child < end; child = m->entries[child].after) {
      if (m->entries[child].flags & NAMED) last = child;
    }
  }
  bool any = false;
  for (child = node + 1; child < end; child = m->entries[child].after) {
    bool fits = last == NONE || child >= last;
    if (fits && match_item(m, item, child, record)) {
      any = true;
      if (!record) break;
    }
    if (item->follows && m->entries[child].flags & NAMED) break;
  }
  return any;
}

/* Match a shape with several items, in order. A table says which child can match which item. The forward pass keeps
   children with a possible match of the item before, the backward pass those with one of the item after. */
static bool match_several(const Matching *m, const Shape *shape, uint32_t node, bool record) {
  const Item *items = &m->patterns->items[shape->item];
  uint32_t end = m->entries[node].after, size = shape->item_count, count = 0, child;
  for (child = node + 1; child < end; child = m->entries[child].after) count++;
  if (count < size) return false;
  uint32_t *children = PyMem_Malloc(count * sizeof(uint32_t));
  uint8_t *can = PyMem_Calloc((size_t)count * size, 1); /* the table: one row for each item */
  bool any = false;
  if (!children || !can) goto end;
  for (child = node + 1, count = 0; child < end; child = m->entries[child].after) children[count++] = child;
  for (uint32_t i = 0; i < size; i++) {
    uint8_t *row = can + (size_t)i * count, *before = i ? row - count : NULL;
    bool open = i == 0; /* the item before can match an earlier child, which is near enough */
    for (uint32_t c = 0; c < count; c++) {
      bool named = m->entries[children[c]].flags & NAMED;
      if (open && match_item(m, &items[i], children[c], false)) row[c] = 1;
      if (items[i].follows && named) open = false;
      if (before && before[c]) open = true;
    }
  }
  for (uint32_t i = size; i-- > 0;) { /* backward pass: keep only parts of a complete match */
    uint8_t *row = can + (size_t)i * count, *behind = row + count;
    bool open = i == size - 1;
    bool strict = i == size - 1 ? shape->ends : items[i + 1].follows;
    for (uint32_t c = count; c-- > 0;) {
      bool named = m->entries[children[c]].flags & NAMED;
      if (!open) row[c] = 0;
      if (strict && named) open = false;
      if (i < size - 1 && behind[c]) open = true;
    }
  }
  for (uint32_t c = 0; c < count; c++) {
    for (uint32_t i = 0; i < size; i++) {
      if (can[(size_t)i * count + c]) {
        any = true;
        if (record) match_item(m, &items[i], children[c], true);
      }
    }
  }
end:
  PyMem_Free(children);
  PyMem_Free(can);
  return any;
}

static bool match(const Matching *m, uint32_t index, uint32_t node, bool record) {
  const Shape *shape = &m->patterns->shapes[index];
  const Entry *entry = &m->entries[node];
  if (shape->kind == ANY) {
    if (entry->kind == m->error || (shape->named && !(entry->flags & NAMED))) return false;
  } else if (entry->kind != shape->kind) {
    return false;
  }
  if (shape->item_count == 1) {
    if (!match_one(m, shape, node, record)) return false;
  } else if (shape->item_count) {
    if (!match_several(m, shape, node, record)) return false;
  }
  if (record) m->found[node] |= shape->captures;
  return true;
}

/* Return the captures of each node, one bit each; NULL with an exception set. The caller frees the result. */
static uint64_t *patterns_match(Patterns *self, Tree *tree) {
  uint64_t *found = PyMem_Calloc(tree->count, sizeof(uint64_t));
  if (!found) {
    PyErr_NoMemory();
    return NULL;
  }
  Matching m = {self, tree->entries, found, (uint16_t)(tree->grammar->kind_count - 1)};
  for (uint32_t node = 0; node < tree->count; node++) {
    uint32_t kind = tree->entries[node].kind;
    for (uint32_t i = self->first[kind]; i < self->first[kind + 1]; i++) match(&m, self->roots[i], node, true);
    /* As tree-sitter does: a node that ends where the query's range starts (a missing one at byte 0) is outside it. */
    if (!tree->entries[node].end) found[node] = 0;
  }
  return found;
}
