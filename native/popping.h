/* The parser's stack, where there is but one way through it.

   The stack is a graph, as several ways to read a source may be open at once. For the children of a node the runtime
   searches it for all paths of a length; where there is one alone, which is nearly always, it is followed. */

#include "stack.c"

/* Copies a length as compilers do it, eight bytes and four. Where its parts were written one by one just before, a
   processor would wait for these to reach the cache. */
static inline void length_put(Length *to, Length from) {
#if defined(_WIN32) || (defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
  uint64_t first = from.bytes | (uint64_t)from.extent.row << 32;
  memcpy(to, &first, sizeof(first));
  to->extent.column = from.extent.column;
#else
  *to = from;
#endif
}

/* stack_node_new, for a node that has one before it; links that it has not are left as they are. */
static inline StackNode *one_way_node(StackNode *before, Subtree subtree, bool pending, TSStateId state,
                                      StackNodeArray *pool) {
  StackNode *node = pool->size > 0 ? array_pop(pool) : ts_malloc(sizeof(StackNode));
  node->state = state;
  node->ref_count = 1;
  node->link_count = 1;
  node->links[0].node = before;
  node->links[0].subtree = subtree;
  node->links[0].is_pending = pending;
  node->error_cost = before->error_cost;
  node->node_count = before->node_count;
  node->dynamic_precedence = before->dynamic_precedence;
  if (subtree.ptr) {
    node->error_cost += ts_subtree_error_cost(subtree);
    node->node_count += stack__subtree_node_count(subtree);
    node->dynamic_precedence += ts_subtree_dynamic_precedence(subtree);
    length_put(&node->position, length_add(before->position, ts_subtree_total_size(subtree)));
  } else {
    length_put(&node->position, before->position);
  }
  return node;
}

static void one_way_push(Stack *self, StackVersion version, Subtree subtree, bool pending, TSStateId state) {
  StackHead *head = array_get(&self->heads, version);
  head->node = one_way_node(head->node, subtree, pending, state, &self->node_pool);
  if (!subtree.ptr) head->node_count_at_last_error = head->node->node_count;
}

/* ts_stack__add_version, for a node below a version. */
static inline StackVersion one_way_version(Stack *self, StackVersion version, StackNode *node) {
  array_reserve(&self->heads, self->heads.size + 1);
  StackHead *head = self->heads.contents + self->heads.size++, *from = array_get(&self->heads, version);
  head->node = node;
  head->summary = NULL;
  head->node_count_at_last_error = from->node_count_at_last_error;
  head->last_external_token = from->last_external_token;
  head->lookahead_when_paused = NULL_SUBTREE;
  head->status = StackStatusActive;
  stack_node_retain(node);
  if (head->last_external_token.ptr) ts_subtree_retain(head->last_external_token);
  return (StackVersion)(self->heads.size - 1);
}

static StackSliceArray one_way_pop_count(Stack *self, StackVersion version, uint32_t count) {
  StackNode *node = array_get(&self->heads, version)->node;
  uint32_t found = 0;
  for (uint32_t counted = 0; counted < count; node = node->links[0].node) {
    if (node->link_count != 1) return ts_stack_pop_count(self, version, count);
    Subtree subtree = node->links[0].subtree;
    if (subtree.ptr) found++;
    if (!subtree.ptr || !ts_subtree_extra(subtree)) counted++; /* what may stand anywhere does not count */
  }
  SubtreeArray subtrees = array_new();
  uint32_t room = (uint32_t)(ts_subtree_alloc_size(count) / sizeof(Subtree)); /* the parent is made in the same place */
  array_reserve(&subtrees, room > found ? room : found);
  subtrees.size = found;
  for (StackNode *from = array_get(&self->heads, version)->node; from != node; from = from->links[0].node) {
    Subtree subtree = from->links[0].subtree;
    if (!subtree.ptr) continue;
    ts_subtree_retain(subtree);
    subtrees.contents[--found] = subtree;
  }
  StackSlice *slice = self->slices.contents; /* there is room for four */
  slice->subtrees.contents = subtrees.contents;
  slice->subtrees.size = subtrees.size;
  slice->subtrees.capacity = subtrees.capacity;
  slice->version = one_way_version(self, version, node);
  self->slices.size = 1;
  return self->slices;
}

#define ts_stack_push one_way_push
#define ts_stack_pop_count one_way_pop_count
