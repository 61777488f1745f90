/* Parses a source with tree-sitter and copies the tree into the array, in one walk. */

static Entry *tree_push(Tree *self, uint32_t *room) {
  if (self->count == *room) {
    uint32_t more = *room * 2;
    Entry *entries = PyMem_Realloc(self->entries, more * sizeof(Entry));
    if (!entries) return NULL;
    self->entries = entries;
    *room = more;
  }
  return &self->entries[self->count++];
}

/* Add the node at a cursor. Return false if there is no memory. */
static bool tree_add(Tree *self, uint32_t *room, const TSTreeCursor *cursor, uint32_t parent, uint32_t level) {
  uint16_t error = (uint16_t)(self->grammar->kind_count - 1);
  TSNode node = ts_tree_cursor_current_node(cursor);
  TSSymbol symbol = ts_node_symbol(node);
  Entry *entry = tree_push(self, room);
  if (!entry) return false;
  entry->start = ts_node_start_byte(node);
  entry->end = ts_node_end_byte(node);
  entry->parent = parent;
  entry->after = self->count;
  entry->id = node.id;
  entry->kind = symbol < error ? symbol : error;
  entry->field = ts_tree_cursor_current_field_id(cursor);
  entry->flags = ts_node_is_named(node) ? NAMED : 0;
  bool is_fault = entry->kind == error || ts_node_is_missing(node);
  if (is_fault && entry->end) self->faults++; /* at byte 0 it is outside of a query's range: see patterns_match */
  if (level > self->depth) self->depth = level;
  return true;
}

/* Fill `entries` from a tree of tree-sitter. Return false if there is no memory. */
static bool tree_flatten(Tree *self) {
  TSNode root = ts_tree_root_node(self->parsed);
  uint32_t room = ts_node_descendant_count(root) + 1, parent = NONE, level = 0;
  if (!(self->entries = PyMem_Malloc(room * sizeof(Entry)))) return false;
  self->has_error = ts_node_has_error(root);
  TSTreeCursor cursor = ts_tree_cursor_new(root);
  bool added, more = true;
  while ((added = tree_add(self, &room, &cursor, parent, level))) {
    if (ts_tree_cursor_goto_first_child(&cursor)) {
      parent = self->count - 1;
      level++;
      continue;
    }
    while (!ts_tree_cursor_goto_next_sibling(&cursor) && (more = ts_tree_cursor_goto_parent(&cursor))) {
      self->entries[parent].after = self->count;
      parent = self->entries[parent].parent;
      level--;
    }
    if (!more) break;
  }
  ts_tree_cursor_delete(&cursor);
  return added;
}

#define CHUNK 1024 /* bytes that the parser reads at a time, as in bearings.code.languages.shared.trees */

/* A source and the steps left in the budget. A step is a progress report of the parser, or a chunk that it reads. */
typedef struct {
  const char *data;
  uint32_t size;
  int64_t left;
} Text;

static bool budget_is_spent(TSParseState *state) {
  Text *text = state->payload;
  return --text->left < 0;
}

static const char *text_read(void *payload, uint32_t offset, TSPoint point, uint32_t *read) {
  Text *text = payload;
  (void)point;
  text->left--;
  uint32_t rest = offset < text->size ? text->size - offset : 0;
  *read = rest < CHUNK ? rest : CHUNK;
  return rest ? text->data + offset : "";
}

static Tree *tree_new(Grammar *grammar, PyObject *patterns, PyObject *source, TSTree *parsed) {
  Tree *tree = PyObject_New(Tree, TreeType);
  if (!tree) {
    ts_tree_delete(parsed);
    return NULL;
  }
  tree->parsed = parsed;
  tree->grammar = (Grammar *)Py_NewRef(grammar);
  tree->patterns = (struct Patterns *)Py_NewRef(patterns);
  tree->source = Py_NewRef(source);
  tree->entries = NULL;
  tree->rows = tree->lines = (Places){NULL, 0};
  tree->count = tree->depth = tree->faults = 0;
  tree->has_error = false;
  return tree;
}

/* Grammar.parse(source, patterns, steps): the tree of a source, or None if the parser needs more steps. */
static PyObject *grammar_parse(Grammar *self, PyObject *args) {
  PyObject *source, *patterns;
  long long steps;
  if (!PyArg_ParseTuple(args, "SO!L", &source, PatternsType, &patterns, &steps)) return NULL;
  if (!self->language || ((struct Patterns *)patterns)->grammar != self) {
    PyErr_SetString(PyExc_ValueError, "patterns for another grammar");
    return NULL;
  }
  if (PyBytes_GET_SIZE(source) > (Py_ssize_t)UINT32_MAX / 2) {
    PyErr_SetString(PyExc_OverflowError, "a source of more than 2 GB");
    return NULL;
  }
  Text text = {PyBytes_AS_STRING(source), (uint32_t)PyBytes_GET_SIZE(source), steps};
  TSInput input = {&text, text_read, TSInputEncodingUTF8, NULL};
  TSParseOptions options = {&text, budget_is_spent};
  TSTree *parsed = ts_parser_parse_with_options(self->parser, NULL, input, options);
  if (!parsed || text.left < 0) {
    ts_tree_delete(parsed);
    ts_parser_reset(self->parser); /* otherwise the next parse would resume this one */
    Py_RETURN_NONE;
  }
  Tree *tree = tree_new(self, patterns, source, parsed);
  if (tree && !tree_flatten(tree)) {
    Py_CLEAR(tree);
    PyErr_NoMemory();
  }
  return (PyObject *)tree;
}
