/* A source -> tree-sitter's tree -> ours, in one walk. */

/* What the walk has open: a subtree, visible or hidden, some of whose children are still to come. */
typedef struct {
  const Subtree *children;
  const TSSymbol *aliases;
  const TSFieldMapEntry *fields, *fields_end;
  uint32_t next, count;
  uint32_t structural;
  uint32_t position;
  uint32_t owner;     /* the visible node that the children belong to */
  uint32_t level;     /* its depth */
  uint16_t inherited; /* a hidden subtree's own field, which its children have unless they have another */
  bool visible;
} Open;

typedef struct {
  Open *items;
  uint32_t size, room;
} Opened;

static bool opened_push(Opened *self, const TSLanguage *language, Subtree subtree, uint32_t position, uint32_t owner,
                        uint32_t level, uint16_t inherited, bool visible) {
  if (self->size == self->room) {
    uint32_t room = self->room ? self->room * 2 : 256;
    Open *items = PyMem_Realloc(self->items, room * sizeof(Open));
    if (!items) return false;
    self->items = items;
    self->room = room;
  }
  uint32_t production = subtree.ptr->production_id;
  Open *open = &self->items[self->size++];
  open->children = ts_subtree_children(subtree);
  open->aliases = ts_language_alias_sequence(language, production);
  ts_language_field_map(language, production, &open->fields, &open->fields_end);
  open->next = 0;
  open->count = subtree.ptr->child_count;
  open->structural = 0;
  open->position = position;
  open->owner = owner;
  open->level = level;
  open->inherited = inherited;
  open->visible = visible;
  return true;
}

static inline Entry *tree_push(Tree *self, uint32_t *room) {
  if (self->count == *room) {
    uint32_t more = *room * 2;
    Entry *entries = PyMem_Realloc(self->entries, more * sizeof(Entry));
    if (!entries) return NULL;
    self->entries = entries;
    *room = more;
  }
  return &self->entries[self->count++];
}

/* Fills `entries` from a tree of tree-sitter's; false where there is no memory. */
static bool tree_flatten(Tree *self, const TSTree *tree, const TSLanguage *language) {
  uint16_t error = (uint16_t)(self->grammar->kind_count - 1);
  Subtree root = tree->root;
  uint32_t room = ts_subtree_visible_descendant_count(root) + 2;
  if (!(self->entries = PyMem_Malloc(room * sizeof(Entry)))) return false;
  uint32_t start = ts_subtree_padding(root).bytes;
  TSSymbol symbol = ts_language_public_symbol(language, ts_subtree_symbol(root));
  Entry *entry = tree_push(self, &room);
  *entry = (Entry){start, start + ts_subtree_size(root).bytes, NONE, 0, symbol < error ? symbol : error, 0,
                   ts_subtree_named(root) ? NAMED : 0};
  self->faults += entry->kind == error;
  self->has_error = ts_subtree_error_cost(root) > 0;
  Opened opened = {0};
  bool done = false;
  if (ts_subtree_child_count(root) && !opened_push(&opened, language, root, start, 0, 0, 0, true)) goto end;
  while (opened.size) {
    Open *open = &opened.items[opened.size - 1];
    if (open->next == open->count) {
      if (open->visible) self->entries[open->owner].after = self->count;
      opened.size--;
      continue;
    }
    Subtree child = open->children[open->next];
    if (open->next++) open->position += ts_subtree_padding(child).bytes;
    uint32_t position = open->position, size = ts_subtree_size(child).bytes;
    open->position += size;
    TSSymbol alias = 0;
    uint16_t field = 0;
    if (!ts_subtree_extra(child)) {
      if (open->aliases) alias = open->aliases[open->structural];
      for (const TSFieldMapEntry *map = open->fields; map < open->fields_end; map++) {
        if (!map->inherited && map->child_index == open->structural) {
          field = map->field_id;
          break;
        }
      }
      if (!field) field = open->inherited;
      open->structural++;
    }
    if (alias || ts_subtree_visible(child)) {
      uint32_t index = self->count, level = open->level + 1;
      bool named = alias ? ts_language_symbol_metadata(language, alias).named : ts_subtree_named(child);
      symbol = ts_language_public_symbol(language, alias ? alias : ts_subtree_symbol(child));
      if (!(entry = tree_push(self, &room))) goto end;
      entry->start = position;
      entry->end = position + size;
      entry->parent = open->owner;
      entry->after = index + 1;
      entry->kind = symbol < error ? symbol : error;
      entry->field = field;
      entry->flags = (named ? NAMED : 0) | (ts_subtree_missing(child) ? MISSING : 0);
      if (entry->kind == error || entry->flags & MISSING) self->faults++;
      if (level > self->depth) self->depth = level;
      if (ts_subtree_child_count(child)) {
        if (!opened_push(&opened, language, child, position, index, level, 0, true)) goto end;
      }
    } else if (ts_subtree_child_count(child) && ts_subtree_visible_child_count(child)) {
      if (!opened_push(&opened, language, child, position, open->owner, open->level, field, false)) goto end;
    }
  }
  self->entries[0].after = self->count;
  done = true;
end:
  PyMem_Free(opened.items);
  return done;
}

#define CHUNK 1024 /* bytes that the parser is handed at a time, as in bearings.code.languages.shared.trees */

/* A source, and how many steps are left of the budget: reports that the parser makes, and chunks that it reads. */
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

/* Grammar.parse(source, patterns, steps): the tree of some bytes; None where the parser needs more steps. */
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
  TSParser *parser = ts_parser_new();
  ts_parser_set_language(parser, self->language);
  advance_plainly(&parser->lexer);
  known_begin(self->language);
  TSTree *parsed = ts_parser_parse_with_options(parser, NULL, input, options);
  if (!parsed || text.left < 0) {
    ts_parser_set_language(parser, NULL); /* lets the scanner's state go, which is not ours */
    pool_reset();
    Py_RETURN_NONE;
  }
  Tree *tree = PyObject_New(Tree, TreeType);
  if (!tree) {
    pool_reset();
    return NULL;
  }
  tree->grammar = (Grammar *)Py_NewRef(self);
  tree->patterns = (struct Patterns *)Py_NewRef(patterns);
  tree->source = Py_NewRef(source);
  tree->entries = NULL;
  tree->rows = tree->lines = (Places){NULL, 0};
  tree->count = tree->depth = tree->faults = 0;
  bool done = tree_flatten(tree, parsed, self->language);
  pool_reset();
  if (!done) {
    Py_DECREF(tree);
    return PyErr_NoMemory();
  }
  return (PyObject *)tree;
}
