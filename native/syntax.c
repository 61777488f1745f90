/* Syntax trees as flat arrays: what bearings.code.languages.trees uses where it is there.

   tree-sitter's parser makes a tree; one walk turns that into an array of its visible nodes in the order of the source,
   and the tree is let go of. A node is then an index: its parent, siblings, fields and kind are looked up, where
   tree-sitter has to search. Patterns are matched against the same array, each at the nodes of its own kind.

   Compiled as one unit with tree-sitter's runtime (lib.c), whose inner structures the walk reads. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <limits.h>

#include "memory.h"

#include "lookup.h"

#include "lib.c"

#ifdef _MSC_VER
#include <intrin.h>
static inline int lowest_bit(uint64_t bits) {
  unsigned long place;
  _BitScanForward64(&place, bits);
  return (int)place;
}
#else
static inline int lowest_bit(uint64_t bits) { return __builtin_ctzll(bits); }
#endif

#define NONE UINT32_MAX
#define NAMED 1
#define MISSING 2
#define MOST_CAPTURES 64
#define ANY (-1)
#define FREE_NODES 512
#define LONGEST_LINE 2048 /* bytes that are put on one line at once */

typedef struct {
  uint32_t start, end; /* bytes */
  uint32_t parent;
  uint32_t after; /* the first node that is not inside this one: its next sibling, where that is inside the parent */
  uint16_t kind;  /* as `Grammar.kinds` has them; the last of those is an error */
  uint16_t field; /* 0: none */
  uint8_t flags;
} Entry;

/* ---------------------------------------------------------------- Grammar */

typedef struct {
  PyObject_HEAD
  PyObject *capsule; /* keeps the language */
  const TSLanguage *language;
  uint32_t kind_count; /* error included */
  PyObject **kinds;    /* their names */
  PyObject *fields;    /* name -> number */
} Grammar;

static void grammar_dealloc(Grammar *self) {
  PyTypeObject *type = Py_TYPE(self);
  if (self->kinds) {
    for (uint32_t i = 0; i < self->kind_count; i++) Py_XDECREF(self->kinds[i]);
    PyMem_Free(self->kinds);
  }
  Py_XDECREF(self->fields);
  Py_XDECREF(self->capsule);
  type->tp_free(self);
  Py_DECREF(type);
}

static int grammar_init(Grammar *self, PyObject *args, PyObject *kwargs) {
  PyObject *capsule;
  (void)kwargs;
  if (!PyArg_ParseTuple(args, "O", &capsule)) return -1;
  if (self->language) {
    PyErr_SetString(PyExc_ValueError, "a grammar is made once");
    return -1;
  }
  const TSLanguage *language = PyCapsule_GetPointer(capsule, "tree_sitter.Language");
  if (!language) return -1;
  bool fits = ts_parser_set_language(ts_parser_new(), language);
  pool_reset();
  if (!fits) {
    PyErr_SetString(PyExc_ValueError, "a grammar of an ABI that this runtime does not read");
    return -1;
  }
  self->capsule = Py_NewRef(capsule);
  self->language = language;
  uint32_t count = ts_language_symbol_count(language);
  self->kinds = PyMem_Calloc(count + 1, sizeof(PyObject *));
  if (!self->kinds) {
    PyErr_NoMemory();
    return -1;
  }
  self->kind_count = count + 1;
  for (uint32_t i = 0; i <= count; i++) {
    const char *name = i < count ? ts_language_symbol_name(language, (TSSymbol)i) : "ERROR";
    if (!(self->kinds[i] = PyUnicode_InternFromString(name ? name : ""))) return -1;
  }
  if (!(self->fields = PyDict_New())) return -1;
  for (uint32_t i = 1; i <= ts_language_field_count(language); i++) {
    PyObject *name = PyUnicode_InternFromString(ts_language_field_name_for_id(language, (TSFieldId)i));
    PyObject *number = PyLong_FromUnsignedLong(i);
    int failed = !name || !number || PyDict_SetItem(self->fields, name, number) < 0;
    Py_XDECREF(name);
    Py_XDECREF(number);
    if (failed) return -1;
  }
  return 0;
}

/* The number of a field; 0 where the grammar has none of that name, -1 with an exception set. */
static int grammar_field(Grammar *self, PyObject *name) {
  PyObject *number = PyDict_GetItemWithError(self->fields, name);
  if (!number) return PyErr_Occurred() ? -1 : 0;
  return (int)PyLong_AsLong(number);
}

/* ---------------------------------------------------------------- what is looked for */

typedef struct {
  int32_t kind;      /* ANY, or a kind */
  bool named;        /* of ANY: named nodes only */
  bool ends;         /* its last item is its last named child */
  uint64_t captures; /* a bit each */
  uint32_t item, item_count;
} Shape;

typedef struct {
  uint16_t field; /* 0: in any, or in none */
  bool follows;   /* no named sibling between it and the item before, or the beginning */
  uint32_t shape, shape_count;
} Item;

typedef struct Patterns {
  PyObject_HEAD
  Grammar *grammar;
  Shape *shapes;
  Item *items;
  uint32_t shape_count, shape_room, item_count, item_room;
  uint32_t *roots; /* the shapes that are patterns, by their kinds */
  uint32_t *first; /* for each kind, where its begin among `roots`; one more at the end */
  PyObject *names; /* list of the captures' names */
} Patterns;

/* ---------------------------------------------------------------- Tree */

/* Places in a source, ascending; made when first asked for. */
typedef struct {
  uint32_t *items;
  uint32_t count;
} Places;

typedef struct {
  PyObject_HEAD
  Grammar *grammar;
  struct Patterns *patterns;
  PyObject *source; /* bytes */
  Entry *entries;
  uint32_t count;
  uint32_t depth; /* of the deepest node; the root's is 0 */
  uint32_t faults;
  bool has_error;
  Places rows;  /* where each row begins, as tree-sitter counts them: after each \n */
  Places lines; /* where each line but the first begins, as Python counts them: also after a \r alone */
} Tree;

typedef struct {
  PyObject_HEAD
  Tree *tree;
  uint32_t index;
} Node;

static PyTypeObject *GrammarType, *PatternsType, *TreeType, *NodeType, *CapturesType;
static Node *free_nodes[FREE_NODES];
static int free_count;

static PyObject *node_new(Tree *tree, uint32_t index) {
  Node *node;
  if (free_count) {
    node = free_nodes[--free_count];
    Py_SET_REFCNT(node, 1);
  } else {
    node = PyObject_New(Node, NodeType);
    if (!node) return NULL;
  }
  Py_INCREF(tree);
  node->tree = tree;
  node->index = index;
  return (PyObject *)node;
}

static void node_dealloc(Node *self) {
  Py_DECREF(self->tree);
  if (free_count < FREE_NODES) {
    free_nodes[free_count++] = self;
    return;
  }
  PyTypeObject *type = Py_TYPE(self);
  PyObject_Free(self);
  Py_DECREF(type);
}

static void tree_dealloc(Tree *self) {
  PyTypeObject *type = Py_TYPE(self);
  PyMem_Free(self->entries);
  PyMem_Free(self->rows.items);
  PyMem_Free(self->lines.items);
  Py_XDECREF(self->grammar);
  Py_XDECREF(self->patterns);
  Py_XDECREF(self->source);
  type->tp_free(self);
  Py_DECREF(type);
}

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

/* A budget of steps, counted by the reports that the parser makes. */
static bool budget_is_spent(TSParseState *state) {
  int64_t *left = state->payload;
  return --*left < 0;
}

typedef struct {
  const char *data;
  uint32_t size;
} Text;

static const char *text_read(void *payload, uint32_t offset, TSPoint point, uint32_t *read) {
  Text *text = payload;
  (void)point;
  *read = offset < text->size ? text->size - offset : 0;
  return *read ? text->data + offset : "";
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
  Text text = {PyBytes_AS_STRING(source), (uint32_t)PyBytes_GET_SIZE(source)};
  int64_t left = steps;
  TSInput input = {&text, text_read, TSInputEncodingUTF8, NULL};
  TSParseOptions options = {&left, budget_is_spent};
  TSParser *parser = ts_parser_new();
  ts_parser_set_language(parser, self->language);
  known_begin(self->language);
  TSTree *parsed = ts_parser_parse_with_options(parser, NULL, input, options);
  if (!parsed) {
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

/* Tree.is_steep(levels): whether nodes are nested so deep, and brackets with them, those in strings among these. */
static PyObject *tree_is_steep(Tree *self, PyObject *levels) {
  long wanted = PyLong_AsLong(levels);
  if (wanted == -1 && PyErr_Occurred()) return NULL;
  if ((long)self->depth < wanted) Py_RETURN_FALSE;
  const char *text = PyBytes_AS_STRING(self->source);
  Py_ssize_t size = PyBytes_GET_SIZE(self->source);
  long level = 0, lowest = LONG_MAX, rise = 0;
  for (Py_ssize_t i = 0; i < size; i++) {
    char c = text[i];
    if (c == '(' || c == '[' || c == '{') level++;
    else if (c == ')' || c == ']' || c == '}') level--;
    else continue;
    if (level < lowest) lowest = level;
    if (level - lowest > rise) rise = level - lowest;
  }
  return PyBool_FromLong(rise >= wanted);
}

static PyObject *tree_errors(Tree *self, void *closure) {
  (void)closure;
  return PyLong_FromUnsignedLong(self->has_error && !self->faults ? 1 : self->has_error ? self->faults : 0);
}

static PyObject *text_of(Tree *tree, uint32_t start, uint32_t end);

static PyObject *pair_of(uint32_t first, uint32_t second) {
  PyObject *pair = PyTuple_New(2);
  if (!pair) return NULL;
  PyObject *a = PyLong_FromUnsignedLong(first), *b = PyLong_FromUnsignedLong(second);
  PyTuple_SET_ITEM(pair, 0, a);
  PyTuple_SET_ITEM(pair, 1, b);
  if (!a || !b) Py_CLEAR(pair);
  return pair;
}

/* The first child of a node that is in a field. */
static uint32_t child_in(const Entry *entries, uint32_t node, uint16_t field) {
  uint32_t end = entries[node].after;
  for (uint32_t child = node + 1; child < end; child = entries[child].after) {
    if (entries[child].field == field) return child;
  }
  return NONE;
}

/* ---------------------------------------------------------------- Patterns */

static void patterns_dealloc(Patterns *self) {
  PyTypeObject *type = Py_TYPE(self);
  PyMem_Free(self->shapes);
  PyMem_Free(self->items);
  PyMem_Free(self->roots);
  PyMem_Free(self->first);
  Py_XDECREF(self->names);
  Py_XDECREF(self->grammar);
  type->tp_free(self);
  Py_DECREF(type);
}

static int64_t patterns_room(void **array, uint32_t *count, uint32_t *room, uint32_t wanted, size_t size) {
  while (*count + wanted > *room) {
    uint32_t more = *room ? *room * 2 : 64;
    void *items = PyMem_Realloc(*array, more * size);
    if (!items) {
      PyErr_NoMemory();
      return -1;
    }
    *array = items;
    *room = more;
  }
  *count += wanted;
  return *count - wanted;
}

static int patterns_capture(Patterns *self, PyObject *name, uint64_t *captures) {
  Py_ssize_t index, size = PyList_GET_SIZE(self->names);
  for (index = 0; index < size; index++) {
    int same = PyObject_RichCompareBool(PyList_GET_ITEM(self->names, index), name, Py_EQ);
    if (same < 0) return -1;
    if (same) break;
  }
  if (index == size) {
    if (size == MOST_CAPTURES) {
      PyErr_SetString(PyExc_ValueError, "more captures than there are bits");
      return -1;
    }
    Py_INCREF(name);
    PyUnicode_InternInPlace(&name);
    int failed = PyList_Append(self->names, name);
    Py_DECREF(name);
    if (failed < 0) return -1;
  }
  *captures |= (uint64_t)1 << index;
  return 0;
}

static int patterns_shape(Patterns *self, PyObject *given, uint32_t at);

/* An item: (field or "", whether it follows right after, (shape, …)). */
static int patterns_item(Patterns *self, PyObject *given, uint32_t at) {
  PyObject *field, *shapes;
  int follows;
  if (!PyArg_ParseTuple(given, "UpO!", &field, &follows, &PyTuple_Type, &shapes)) return -1;
  int number = 0;
  if (PyUnicode_GET_LENGTH(field)) {
    number = grammar_field(self->grammar, field);
    if (number < 0) return -1;
    if (!number) {
      PyErr_Format(PyExc_ValueError, "the grammar has no field %R", field);
      return -1;
    }
  }
  uint32_t count = (uint32_t)PyTuple_GET_SIZE(shapes);
  int64_t first = patterns_room((void **)&self->shapes, &self->shape_count, &self->shape_room, count, sizeof(Shape));
  if (first < 0) return -1;
  self->items[at] = (Item){(uint16_t)number, follows != 0, (uint32_t)first, count};
  for (uint32_t i = 0; i < count; i++) {
    if (patterns_shape(self, PyTuple_GET_ITEM(shapes, i), (uint32_t)first + i) < 0) return -1;
  }
  return 0;
}

/* A shape: (kind or "" for any, whether it is named, (capture, …), (item, …), whether the last item is the last child). */
static int patterns_shape(Patterns *self, PyObject *given, uint32_t at) {
  const char *kind;
  Py_ssize_t length;
  PyObject *captures, *items;
  int named, ends;
  if (!PyArg_ParseTuple(given, "s#pO!O!p", &kind, &length, &named, &PyTuple_Type, &captures, &PyTuple_Type, &items, &ends))
    return -1;
  Shape shape = {ANY, named != 0, ends != 0, 0, 0, (uint32_t)PyTuple_GET_SIZE(items)};
  if (length) {
    shape.kind = ts_language_symbol_for_name(self->grammar->language, kind, (uint32_t)length, named != 0);
    if (!shape.kind) {
      PyErr_Format(PyExc_ValueError, "the grammar has no kind %s", kind);
      return -1;
    }
  }
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(captures); i++) {
    if (patterns_capture(self, PyTuple_GET_ITEM(captures, i), &shape.captures) < 0) return -1;
  }
  int64_t first =
      patterns_room((void **)&self->items, &self->item_count, &self->item_room, shape.item_count, sizeof(Item));
  if (first < 0) return -1;
  shape.item = (uint32_t)first;
  self->shapes[at] = shape;
  for (uint32_t i = 0; i < shape.item_count; i++) {
    if (patterns_item(self, PyTuple_GET_ITEM(items, i), (uint32_t)first + i) < 0) return -1;
  }
  return 0;
}

/* Patterns(grammar, (shape, …)). Raises ValueError for a kind or a field that the grammar does not have. */
static int patterns_init(Patterns *self, PyObject *args, PyObject *kwargs) {
  PyObject *grammar, *shapes;
  (void)kwargs;
  if (!PyArg_ParseTuple(args, "O!O!", GrammarType, &grammar, &PyTuple_Type, &shapes)) return -1;
  if (self->grammar) {
    PyErr_SetString(PyExc_ValueError, "patterns are made once");
    return -1;
  }
  self->grammar = (Grammar *)Py_NewRef(grammar);
  if (!(self->names = PyList_New(0))) return -1;
  uint32_t count = (uint32_t)PyTuple_GET_SIZE(shapes), kinds = self->grammar->kind_count;
  int64_t first = patterns_room((void **)&self->shapes, &self->shape_count, &self->shape_room, count, sizeof(Shape));
  if (first < 0) return -1;
  for (uint32_t i = 0; i < count; i++) {
    if (patterns_shape(self, PyTuple_GET_ITEM(shapes, i), i) < 0) return -1;
    if (self->shapes[i].kind == ANY) {
      PyErr_SetString(PyExc_ValueError, "a pattern begins with a kind");
      return -1;
    }
  }
  self->roots = PyMem_Calloc(count + 1, sizeof(uint32_t));
  self->first = PyMem_Calloc(kinds + 1, sizeof(uint32_t));
  if (!self->roots || !self->first) {
    PyErr_NoMemory();
    return -1;
  }
  for (uint32_t i = 0; i < count; i++) self->first[self->shapes[i].kind + 1]++;
  for (uint32_t kind = 0; kind < kinds; kind++) self->first[kind + 1] += self->first[kind];
  for (uint32_t i = count; i-- > 0;) {
    uint32_t *place = &self->first[self->shapes[i].kind + 1];
    self->roots[--*place] = i;
  }
  for (uint32_t kind = 0; kind < kinds; kind++) self->first[kind] = self->first[kind + 1];
  self->first[kinds] = count;
  return 0;
}

typedef struct {
  const Patterns *patterns;
  const Entry *entries;
  uint64_t *found; /* for each node its captures */
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

/* A shape of one item: any child that is like it, if it is where it must be. */
static bool match_one(const Matching *m, const Shape *shape, uint32_t node, bool record) {
  const Item *item = &m->patterns->items[shape->item];
  uint32_t end = m->entries[node].after, child;
  uint32_t last = NONE; /* the last named child */
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

/* A shape of several items, in their order: which children can stand for which, given those before and after. */
static bool match_several(const Matching *m, const Shape *shape, uint32_t node, bool record) {
  const Item *items = &m->patterns->items[shape->item];
  uint32_t end = m->entries[node].after, size = shape->item_count, count = 0, child;
  for (child = node + 1; child < end; child = m->entries[child].after) count++;
  if (count < size) return false;
  uint32_t *children = PyMem_Malloc(count * sizeof(uint32_t));
  uint8_t *can = PyMem_Calloc((size_t)count * size, 1); /* row by row, an item each */
  bool any = false;
  if (!children || !can) goto end;
  for (child = node + 1, count = 0; child < end; child = m->entries[child].after) children[count++] = child;
  for (uint32_t i = 0; i < size; i++) {
    uint8_t *row = can + (size_t)i * count, *before = row - count;
    bool open = i == 0; /* whether the item before can stand somewhere before, and near enough */
    for (uint32_t c = 0; c < count; c++) {
      bool named = m->entries[children[c]].flags & NAMED;
      if (open && match_item(m, &items[i], children[c], false)) row[c] = 1;
      if (items[i].follows && named) open = false;
      if (i > 0 && before[c]) open = true;
    }
  }
  for (uint32_t i = size; i-- > 0;) { /* and backwards: only what leads to a whole match */
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

/* The captures of each node, bit by bit; NULL with an exception set. To be freed. */
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
  }
  return found;
}

typedef struct {
  PyObject_HEAD
  Tree *tree;
  uint64_t *found; /* of each node its captures, a bit each */
  uint32_t *nodes; /* by capture, in the order of the source */
  uint32_t first[MOST_CAPTURES + 1];
} Captures;

static void captures_dealloc(Captures *self) {
  PyTypeObject *type = Py_TYPE(self);
  PyMem_Free(self->found);
  PyMem_Free(self->nodes);
  Py_DECREF(self->tree);
  PyObject_Free(self);
  Py_DECREF(type);
}

/* Tree.captures(): what the patterns find. */
static PyObject *tree_captures(Tree *self, PyObject *unused) {
  (void)unused;
  Captures *captures = PyObject_New(Captures, CapturesType);
  if (!captures) return NULL;
  captures->tree = (Tree *)Py_NewRef(self);
  captures->nodes = NULL;
  memset(captures->first, 0, sizeof(captures->first));
  uint32_t next[MOST_CAPTURES];
  if (!(captures->found = patterns_match(self->patterns, self))) goto failed;
  for (uint32_t node = 0; node < self->count; node++) {
    for (uint64_t bits = captures->found[node]; bits; bits &= bits - 1) captures->first[lowest_bit(bits) + 1]++;
  }
  for (int bit = 0; bit < MOST_CAPTURES; bit++) {
    captures->first[bit + 1] += captures->first[bit];
    next[bit] = captures->first[bit];
  }
  if (!(captures->nodes = PyMem_Malloc((captures->first[MOST_CAPTURES] + 1) * sizeof(uint32_t)))) goto failed;
  for (uint32_t node = 0; node < self->count; node++) {
    for (uint64_t bits = captures->found[node]; bits; bits &= bits - 1) captures->nodes[next[lowest_bit(bits)]++] = node;
  }
  return (PyObject *)captures;
failed:
  Py_DECREF(captures);
  return PyErr_Occurred() ? NULL : PyErr_NoMemory();
}

/* The number of a capture; -1 for one that no pattern has, -2 with an exception set. */
static int captures_bit(Captures *self, PyObject *name) {
  PyObject *names = self->tree->patterns->names;
  Py_ssize_t size = PyList_GET_SIZE(names);
  for (Py_ssize_t bit = 0; bit < size; bit++) {
    if (PyList_GET_ITEM(names, bit) == name) return (int)bit;
  }
  for (Py_ssize_t bit = 0; bit < size; bit++) {
    int same = PyObject_RichCompareBool(PyList_GET_ITEM(names, bit), name, Py_EQ);
    if (same) return same < 0 ? -2 : (int)bit;
  }
  return -1;
}

/* Captures.of(name): its nodes, in the order of the source. */
static PyObject *captures_of(Captures *self, PyObject *name) {
  int bit = captures_bit(self, name);
  if (bit == -2) return NULL;
  uint32_t first = bit < 0 ? 0 : self->first[bit], count = bit < 0 ? 0 : self->first[bit + 1] - first;
  PyObject *list = PyList_New(count);
  for (uint32_t i = 0; list && i < count; i++) {
    PyObject *node = node_new(self->tree, self->nodes[first + i]);
    if (!node) Py_CLEAR(list);
    else PyList_SET_ITEM(list, i, node);
  }
  return list;
}

/* Captures.spans(name, field): (start, end) of its nodes, or of the first child of each in a field. */
static PyObject *captures_spans(Captures *self, PyObject *const *args, Py_ssize_t count) {
  if (count < 1 || count > 2) {
    PyErr_SetString(PyExc_TypeError, "spans(name, field)");
    return NULL;
  }
  int bit = captures_bit(self, args[0]);
  bool inside = count == 2 && PyUnicode_Check(args[1]) && PyUnicode_GET_LENGTH(args[1]);
  int field = inside ? grammar_field(self->tree->grammar, args[1]) : 0;
  if (bit == -2 || field < 0) return NULL;
  PyObject *list = PyList_New(0);
  if (bit < 0 || (inside && !field)) return list;
  for (uint32_t i = self->first[bit]; list && i < self->first[bit + 1]; i++) {
    uint32_t node = self->nodes[i];
    if (inside) node = child_in(self->tree->entries, node, (uint16_t)field);
    if (node == NONE) continue;
    PyObject *span = pair_of(self->tree->entries[node].start, self->tree->entries[node].end);
    if (!span || PyList_Append(list, span) < 0) Py_CLEAR(list);
    Py_XDECREF(span);
  }
  return list;
}

/* Captures.among(name, texts): (start, text) of those of its nodes whose text is among some. */
static PyObject *captures_among(Captures *self, PyObject *const *args, Py_ssize_t count) {
  if (count != 2 || !PyAnySet_Check(args[1])) {
    PyErr_SetString(PyExc_TypeError, "among(name, set)");
    return NULL;
  }
  int bit = captures_bit(self, args[0]);
  if (bit == -2) return NULL;
  PyObject *list = PyList_New(0);
  for (uint32_t i = bit < 0 ? 0 : self->first[bit]; list && bit >= 0 && i < self->first[bit + 1]; i++) {
    const Entry *entry = &self->tree->entries[self->nodes[i]];
    PyObject *text = text_of(self->tree, entry->start, entry->end);
    int known = text ? PySet_Contains(args[1], text) : -1;
    if (known > 0) {
      PyObject *row = Py_BuildValue("(IO)", entry->start, text);
      if (!row || PyList_Append(list, row) < 0) known = -1;
      Py_XDECREF(row);
    }
    Py_XDECREF(text);
    if (known < 0) Py_CLEAR(list);
  }
  return list;
}

typedef struct {
  uint32_t start, end, node;
  int rank;
} Event;

static inline bool event_before(const Event *a, const Event *b) {
  if (a->start != b->start) return a->start < b->start;
  if (a->end != b->end) return a->end > b->end;
  return a->rank < b->rank;
}

/* Captures.events(names): starts, ends, ranks and nodes of some captures, ranked by their place among these, the
   outermost first: a list each. They come sorted from the tree but for those of one extent: few steps are left to insertion. */
static PyObject *captures_events(Captures *self, PyObject *names) {
  if (!PyTuple_Check(names)) {
    PyErr_SetString(PyExc_TypeError, "events(tuple)");
    return NULL;
  }
  int ranks[MOST_CAPTURES];
  uint64_t wanted = 0;
  uint32_t room = 0, count = 0;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(names); i++) {
    int bit = captures_bit(self, PyTuple_GET_ITEM(names, i));
    if (bit == -2) return NULL;
    if (bit < 0) continue;
    ranks[bit] = (int)i;
    wanted |= (uint64_t)1 << bit;
    room += self->first[bit + 1] - self->first[bit];
  }
  Event *events = PyMem_Malloc((room + 1) * sizeof(Event));
  if (!events) return PyErr_NoMemory();
  for (uint32_t node = 0; node < self->tree->count; node++) {
    const Entry *entry = &self->tree->entries[node];
    for (uint64_t bits = self->found[node] & wanted; bits; bits &= bits - 1) {
      Event event = {entry->start, entry->end, node, ranks[lowest_bit(bits)]};
      uint32_t at = count++;
      for (; at && event_before(&event, &events[at - 1]); at--) events[at] = events[at - 1];
      events[at] = event;
    }
  }
  PyObject *lists[] = {PyList_New(count), PyList_New(count), PyList_New(count), PyList_New(count)};
  bool whole = lists[0] && lists[1] && lists[2] && lists[3];
  for (uint32_t i = 0; whole && i < count; i++) {
    PyObject *parts[] = {PyLong_FromUnsignedLong(events[i].start), PyLong_FromUnsignedLong(events[i].end),
                         PyLong_FromLong(events[i].rank), node_new(self->tree, events[i].node)};
    for (int part = 0; part < 4; part++) {
      whole = whole && parts[part];
      PyList_SET_ITEM(lists[part], i, parts[part]);
    }
  }
  PyMem_Free(events);
  PyObject *given = whole ? PyTuple_Pack(4, lists[0], lists[1], lists[2], lists[3]) : NULL;
  for (int part = 0; part < 4; part++) Py_XDECREF(lists[part]);
  return given;
}

/* ---------------------------------------------------------------- the source */

static bool places_of_breaks(Tree *tree, Places *places, bool returns) {
  const char *text = PyBytes_AS_STRING(tree->source);
  uint32_t size = (uint32_t)PyBytes_GET_SIZE(tree->source), room = size / 24 + 16;
  places->items = PyMem_Malloc(room * sizeof(uint32_t));
  returns = returns && memchr(text, '\r', size);
  for (uint32_t i = 0; i < size && places->items; i++) {
    if (!returns) { /* nothing else to be found */
      const char *found = memchr(text + i, '\n', size - i);
      if (!found) break;
      i = (uint32_t)(found - text);
    }
    bool alone = returns && text[i] == '\r' && i + 1 < size && text[i + 1] != '\n'; /* the last byte is no line's start */
    if (text[i] != '\n' && !alone) continue;
    if (places->count == room) {
      uint32_t *items = PyMem_Realloc(places->items, (room *= 2) * sizeof(uint32_t));
      if (!items) PyMem_Free(places->items);
      if (!(places->items = items)) break;
    }
    places->items[places->count++] = i + 1;
  }
  if (!places->items) PyErr_NoMemory();
  return places->items != NULL;
}

/* How many places are not after a byte: bisect_right. */
static uint32_t places_upto(const Places *places, uint32_t byte) {
  uint32_t low = 0, high = places->count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (places->items[middle] <= byte) low = middle + 1;
    else high = middle;
  }
  return low;
}

static bool tree_has_lines(Tree *self) { return self->lines.items || places_of_breaks(self, &self->lines, true); }

static PyObject *list_of(const uint32_t *items, uint32_t count) {
  PyObject *list = PyList_New(count);
  for (uint32_t i = 0; list && i < count; i++) {
    PyObject *number = PyLong_FromUnsignedLong(items[i]);
    if (!number) Py_CLEAR(list);
    else PyList_SET_ITEM(list, i, number);
  }
  return list;
}

/* Tree.rows: how many lines begin after the first. */
static PyObject *tree_rows(Tree *self, void *closure) {
  (void)closure;
  return tree_has_lines(self) ? PyLong_FromUnsignedLong(self->lines.count) : NULL;
}

/* Tree.row(byte): the line that it is in, from 0. */
static PyObject *tree_row(Tree *self, PyObject *byte) {
  unsigned long at = PyLong_AsUnsignedLong(byte);
  if ((at == (unsigned long)-1 && PyErr_Occurred()) || !tree_has_lines(self)) return NULL;
  return PyLong_FromUnsignedLong(places_upto(&self->lines, at < UINT32_MAX ? (uint32_t)at : UINT32_MAX));
}

/* Tree.blank_rows: the lines, from 0, with nothing but space; neither the first nor the last counts as one. */
static PyObject *tree_blank_rows(Tree *self, void *closure) {
  (void)closure;
  if (!tree_has_lines(self)) return NULL;
  const char *text = PyBytes_AS_STRING(self->source);
  uint32_t size = (uint32_t)PyBytes_GET_SIZE(self->source), count = 0;
  uint32_t *rows = PyMem_Malloc((self->lines.count + 1) * sizeof(uint32_t));
  if (!rows) return PyErr_NoMemory();
  for (uint32_t line = 0; line < self->lines.count; line++) {
    uint32_t at = self->lines.items[line];
    if (text[at - 1] != '\n') continue;
    while (at < size && (text[at] == ' ' || text[at] == '\t' || text[at] == '\r' || text[at] == '\f')) at++;
    if (at < size && text[at] == '\n') rows[count++] = line + 1;
  }
  PyObject *list = list_of(rows, count);
  PyMem_Free(rows);
  return list;
}

static PyObject *text_of(Tree *tree, uint32_t start, uint32_t end) {
  return PyUnicode_DecodeUTF8(PyBytes_AS_STRING(tree->source) + start, end - start, "replace");
}

static Entry *entry_given(Tree *self, PyObject *node) {
  if (Py_IS_TYPE(node, NodeType) && ((Node *)node)->tree == self) return &self->entries[((Node *)node)->index];
  PyErr_SetString(PyExc_TypeError, "a node of this tree is wanted");
  return NULL;
}

/* Tree.text(node): its source. */
static PyObject *tree_text(Tree *self, PyObject *node) {
  Entry *entry = entry_given(self, node);
  return entry ? text_of(self, entry->start, entry->end) : NULL;
}

/* Two places in a source; nothing is between them where they are in no order. */
static bool tree_extent(Tree *self, PyObject *const *args, Py_ssize_t count, uint32_t *start, uint32_t *end) {
  if (count != 2) {
    PyErr_SetString(PyExc_TypeError, "(start, end)");
    return false;
  }
  Py_ssize_t size = PyBytes_GET_SIZE(self->source), from = PyLong_AsSsize_t(args[0]), to = PyLong_AsSsize_t(args[1]);
  if (PyErr_Occurred()) return false;
  if (to > size) to = size;
  bool ordered = from >= 0 && from <= to;
  *start = ordered ? (uint32_t)from : 0;
  *end = ordered ? (uint32_t)to : 0;
  return true;
}

/* Tree.between(start, end): the source from one byte to another. */
static PyObject *tree_between(Tree *self, PyObject *const *args, Py_ssize_t count) {
  uint32_t start, end;
  return tree_extent(self, args, count, &start, &end) ? text_of(self, start, end) : NULL;
}

/* What str.split() takes for space, of ASCII. */
static inline bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r') || (c >= '\x1c' && c <= '\x1f'); }

/* The same for text that is not ASCII. */
static PyObject *words_joined(PyObject *text) {
  PyObject *words = text ? PyUnicode_Split(text, NULL, -1) : NULL, *space = PyUnicode_FromString(" ");
  PyObject *line = words && space ? PyUnicode_Join(space, words) : NULL;
  Py_XDECREF(text);
  Py_XDECREF(words);
  Py_XDECREF(space);
  return line;
}

/* Tree.one_line(start, end): the source from one byte to another, a space for each space between words. */
static PyObject *tree_one_line(Tree *self, PyObject *const *args, Py_ssize_t count) {
  uint32_t start, end;
  if (!tree_extent(self, args, count, &start, &end)) return NULL;
  const char *text = PyBytes_AS_STRING(self->source);
  char line[LONGEST_LINE];
  if (end - start > sizeof(line)) return words_joined(text_of(self, start, end));
  uint32_t size = 0;
  for (uint32_t at = start; at < end; at++) {
    if ((unsigned char)text[at] >= 0x80) return words_joined(text_of(self, start, end));
    if (!is_space(text[at])) line[size++] = text[at];
    else if (size && line[size - 1] != ' ') line[size++] = ' ';
  }
  if (size && line[size - 1] == ' ') size--;
  return PyUnicode_FromStringAndSize(line, size);
}

/* Tree.line(node): its first line, from 1. */
static PyObject *tree_line(Tree *self, PyObject *node) {
  Entry *entry = entry_given(self, node);
  if (!entry || !tree_has_lines(self)) return NULL;
  return PyLong_FromUnsignedLong(places_upto(&self->lines, entry->start) + 1);
}

/* Tree.end_line(node): its last line, from 1; one that ends at the start of a line ends on the one before. */
static PyObject *tree_end_line(Tree *self, PyObject *node) {
  Entry *entry = entry_given(self, node);
  if (!entry || !tree_has_lines(self)) return NULL;
  uint32_t last = entry->end ? places_upto(&self->lines, entry->end - 1) : 0;
  uint32_t first = places_upto(&self->lines, entry->start);
  return PyLong_FromUnsignedLong((last > first ? last : first) + 1);
}

static inline bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$'; }
static inline bool goes_on(char c) { return begins_name(c) || (c >= '0' && c <= '9'); }

/* Words that are no names in one language or another. */
static const char *const NO_NAMES[] = {"None", "True", "False", "true", "false", "null", "undefined", "yield", "await",
                                       "async", "function", "class", "lambda", "not", "new", "import"};

/* Where a dotted chain of at most 24 plain names ends that begins at a byte; that byte itself where there is none. */
static uint32_t chain_end(const char *text, uint32_t start, uint32_t size) {
  uint32_t at = start;
  for (int names = 0; names < 24; names++) {
    uint32_t name = names ? at + 1 : at; /* behind the dot */
    if (names && (at >= size || text[at] != '.')) break;
    if (name >= size || !begins_name(text[name])) break;
    uint32_t end = name + 1;
    while (end < size && goes_on(text[end])) end++;
    if (!names) {
      for (size_t i = 0; i < sizeof(NO_NAMES) / sizeof(*NO_NAMES); i++) {
        if (strlen(NO_NAMES[i]) == end - name && !memcmp(NO_NAMES[i], text + name, end - name)) return start;
      }
    }
    at = end;
  }
  return at;
}

/* Tree.chain(node): the source of a node that is a dotted chain of plain names, and short; else empty. */
static PyObject *tree_chain(Tree *self, PyObject *node) {
  Entry *entry = entry_given(self, node);
  if (!entry) return NULL;
  uint32_t end = chain_end(PyBytes_AS_STRING(self->source), entry->start, entry->end);
  return text_of(self, entry->start, end == entry->end ? end : entry->start);
}

/* Tree.called(start): such a chain that begins at a byte, right before `(`; else empty. */
static PyObject *tree_called(Tree *self, PyObject *start) {
  const char *text = PyBytes_AS_STRING(self->source);
  uint32_t size = (uint32_t)PyBytes_GET_SIZE(self->source);
  unsigned long at = PyLong_AsUnsignedLong(start);
  if (at == (unsigned long)-1 && PyErr_Occurred()) return NULL;
  uint32_t end = at < size ? chain_end(text, (uint32_t)at, size) : (uint32_t)at;
  bool called = end > at && end < size && text[end] == '(';
  return called ? text_of(self, (uint32_t)at, end) : PyUnicode_FromStringAndSize(NULL, 0);
}

/* ---------------------------------------------------------------- Node */

static inline Entry *entry_of(Node *self) { return &self->tree->entries[self->index]; }

static PyObject *node_type(Node *self, void *closure) {
  (void)closure;
  return Py_NewRef(self->tree->grammar->kinds[entry_of(self)->kind]);
}

static PyObject *node_start_byte(Node *self, void *closure) {
  (void)closure;
  return PyLong_FromUnsignedLong(entry_of(self)->start);
}

static PyObject *node_end_byte(Node *self, void *closure) {
  (void)closure;
  return PyLong_FromUnsignedLong(entry_of(self)->end);
}

static PyObject *node_byte_range(Node *self, void *closure) {
  (void)closure;
  return pair_of(entry_of(self)->start, entry_of(self)->end);
}

/* Where a byte is: (row, column in bytes), both from 0. */
static PyObject *point_of(Tree *tree, uint32_t byte) {
  if (!tree->rows.items && !places_of_breaks(tree, &tree->rows, false)) return NULL;
  uint32_t row = places_upto(&tree->rows, byte);
  return pair_of(row, byte - (row ? tree->rows.items[row - 1] : 0));
}

static PyObject *node_start_point(Node *self, void *closure) {
  (void)closure;
  return point_of(self->tree, entry_of(self)->start);
}

static PyObject *node_end_point(Node *self, void *closure) {
  (void)closure;
  return point_of(self->tree, entry_of(self)->end);
}

static PyObject *node_text(Node *self, void *closure) {
  (void)closure;
  Entry *entry = entry_of(self);
  return PyBytes_FromStringAndSize(PyBytes_AS_STRING(self->tree->source) + entry->start, entry->end - entry->start);
}

static PyObject *node_is_named(Node *self, void *closure) {
  (void)closure;
  return PyBool_FromLong(entry_of(self)->flags & NAMED);
}

static PyObject *node_parent(Node *self, void *closure) {
  (void)closure;
  uint32_t parent = entry_of(self)->parent;
  if (parent == NONE) Py_RETURN_NONE;
  return node_new(self->tree, parent);
}

static PyObject *node_prev_sibling(Node *self, void *closure) {
  (void)closure;
  Entry *entries = self->tree->entries;
  uint32_t parent = entries[self->index].parent;
  if (parent == NONE || parent + 1 == self->index) Py_RETURN_NONE;
  uint32_t before = self->index - 1; /* the last node inside the sibling, or the sibling itself */
  while (entries[before].parent != parent) before = entries[before].parent;
  return node_new(self->tree, before);
}

static PyObject *children_of(Node *self, uint8_t flags, uint16_t field) {
  Entry *entries = self->tree->entries;
  PyObject *children = PyList_New(0);
  if (!children) return NULL;
  uint32_t end = entries[self->index].after;
  for (uint32_t child = self->index + 1; child < end; child = entries[child].after) {
    if ((entries[child].flags & flags) != flags || (field && entries[child].field != field)) continue;
    PyObject *node = node_new(self->tree, child);
    if (!node || PyList_Append(children, node) < 0) {
      Py_XDECREF(node);
      Py_DECREF(children);
      return NULL;
    }
    Py_DECREF(node);
  }
  return children;
}

static PyObject *node_children(Node *self, void *closure) {
  (void)closure;
  return children_of(self, 0, 0);
}

static PyObject *node_named_children(Node *self, void *closure) {
  (void)closure;
  return children_of(self, NAMED, 0);
}

static uint32_t named_child(Node *self, Py_ssize_t place, Py_ssize_t *count) {
  Entry *entries = self->tree->entries;
  uint32_t end = entries[self->index].after;
  *count = 0;
  for (uint32_t child = self->index + 1; child < end; child = entries[child].after) {
    if (entries[child].flags & NAMED && (*count)++ == place) return child;
  }
  return NONE;
}

static PyObject *node_named_child_count(Node *self, void *closure) {
  (void)closure;
  Py_ssize_t count;
  named_child(self, -1, &count);
  return PyLong_FromSsize_t(count);
}

static PyObject *node_named_child(Node *self, PyObject *place) {
  Py_ssize_t count, wanted = PyLong_AsSsize_t(place);
  if (wanted == -1 && PyErr_Occurred()) return NULL;
  uint32_t child = wanted < 0 ? NONE : named_child(self, wanted, &count);
  if (child == NONE) Py_RETURN_NONE;
  return node_new(self->tree, child);
}

static PyObject *node_child_by_field_name(Node *self, PyObject *name) {
  int field = grammar_field(self->tree->grammar, name);
  if (field < 0) return NULL;
  uint32_t child = field ? child_in(self->tree->entries, self->index, (uint16_t)field) : NONE;
  if (child == NONE) Py_RETURN_NONE;
  return node_new(self->tree, child);
}

static PyObject *node_children_by_field_name(Node *self, PyObject *name) {
  int field = grammar_field(self->tree->grammar, name);
  if (field < 0) return NULL;
  if (!field) return PyList_New(0);
  return children_of(self, 0, (uint16_t)field);
}

static PyObject *node_compare(PyObject *self, PyObject *other, int op) {
  if ((op != Py_EQ && op != Py_NE) || !Py_IS_TYPE(other, NodeType)) Py_RETURN_NOTIMPLEMENTED;
  bool same = ((Node *)self)->tree == ((Node *)other)->tree && ((Node *)self)->index == ((Node *)other)->index;
  return PyBool_FromLong(same == (op == Py_EQ));
}

static Py_hash_t node_hash(Node *self) { return (Py_hash_t)self->index; }

static PyObject *node_repr(Node *self) {
  Entry *entry = entry_of(self);
  return PyUnicode_FromFormat("<Node type=%U, bytes %u to %u>", self->tree->grammar->kinds[entry->kind], entry->start,
                              entry->end);
}

/* ---------------------------------------------------------------- the module */

static PyMethodDef grammar_methods[] = {
    {"parse", (PyCFunction)grammar_parse, METH_VARARGS,
     "parse(source, patterns, steps)\n--\n\nThe tree of some bytes; None where the parser needs more steps."},
    {NULL},
};
static PyType_Slot grammar_slots[] = {
    {Py_tp_doc, "Grammar(capsule)\n--\n\nA grammar, as a grammar's package hands it out."},
    {Py_tp_init, grammar_init},
    {Py_tp_new, PyType_GenericNew},
    {Py_tp_dealloc, grammar_dealloc},
    {Py_tp_methods, grammar_methods},
    {0},
};
static PyType_Spec grammar_spec = {"bearings.code.languages.syntax.Grammar", sizeof(Grammar), 0, Py_TPFLAGS_DEFAULT,
                                   grammar_slots};

static PyType_Slot patterns_slots[] = {
    {Py_tp_doc, "Patterns(grammar, shapes)\n--\n\nWhat to look for in trees of a grammar."},
    {Py_tp_init, patterns_init},
    {Py_tp_new, PyType_GenericNew},
    {Py_tp_dealloc, patterns_dealloc},
    {0},
};
static PyType_Spec patterns_spec = {"bearings.code.languages.syntax.Patterns", sizeof(Patterns), 0, Py_TPFLAGS_DEFAULT,
                                    patterns_slots};

static PyMethodDef tree_methods[] = {
    {"captures", (PyCFunction)tree_captures, METH_NOARGS,
     "captures()\n--\n\nWhat the patterns find."},
    {"is_steep", (PyCFunction)tree_is_steep, METH_O, "Whether nodes are nested so deep, and brackets with them."},
    {"row", (PyCFunction)tree_row, METH_O, "The line that a byte is in, from 0."},
    {"text", (PyCFunction)tree_text, METH_O, "The source of a node."},
    {"between", (PyCFunction)(void (*)(void))tree_between, METH_FASTCALL, "The source from one byte to another."},
    {"one_line", (PyCFunction)(void (*)(void))tree_one_line, METH_FASTCALL, "The same on one line."},
    {"line", (PyCFunction)tree_line, METH_O, "The first line of a node, from 1."},
    {"end_line", (PyCFunction)tree_end_line, METH_O, "The last line of a node, from 1."},
    {"chain", (PyCFunction)tree_chain, METH_O, "The source of a node that is a dotted chain of plain names; else empty."},
    {"called", (PyCFunction)tree_called, METH_O, "A dotted chain of plain names that begins at a byte, before `(`."},
    {NULL},
};
static PyGetSetDef tree_getset[] = {
    {"errors", (getter)tree_errors, NULL, "How many nodes are errors, or made up.", NULL},
    {"rows", (getter)tree_rows, NULL, "How many lines begin after the first.", NULL},
    {"blank_rows", (getter)tree_blank_rows, NULL, "The lines, from 0, with nothing but space.", NULL},
    {NULL},
};
static PyType_Slot tree_slots[] = {
    {Py_tp_doc, "The nodes of a source, in its order, the outermost first."},
    {Py_tp_dealloc, tree_dealloc},
    {Py_tp_methods, tree_methods},
    {Py_tp_getset, tree_getset},
    {0},
};
static PyType_Spec tree_spec = {"bearings.code.languages.syntax.Tree", sizeof(Tree), 0,
                                Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, tree_slots};

static PyMethodDef node_methods[] = {
    {"child_by_field_name", (PyCFunction)node_child_by_field_name, METH_O, "The first child in a field, or None."},
    {"children_by_field_name", (PyCFunction)node_children_by_field_name, METH_O, "The children in a field."},
    {"named_child", (PyCFunction)node_named_child, METH_O, "A named child by its place, or None."},
    {NULL},
};
static PyGetSetDef node_getset[] = {
    {"type", (getter)node_type, NULL, "What kind of node it is.", NULL},
    {"start_byte", (getter)node_start_byte, NULL, "Where it begins.", NULL},
    {"end_byte", (getter)node_end_byte, NULL, "Where it ends.", NULL},
    {"byte_range", (getter)node_byte_range, NULL, "Both.", NULL},
    {"start_point", (getter)node_start_point, NULL, "Row and column in bytes, from 0.", NULL},
    {"end_point", (getter)node_end_point, NULL, "Row and column in bytes, from 0.", NULL},
    {"text", (getter)node_text, NULL, "Its source.", NULL},
    {"is_named", (getter)node_is_named, NULL, "Whether it has a name in the grammar.", NULL},
    {"parent", (getter)node_parent, NULL, "The node around it, or None.", NULL},
    {"prev_sibling", (getter)node_prev_sibling, NULL, "The node before it, or None.", NULL},
    {"children", (getter)node_children, NULL, "All children.", NULL},
    {"named_children", (getter)node_named_children, NULL, "The named ones.", NULL},
    {"named_child_count", (getter)node_named_child_count, NULL, "How many these are.", NULL},
    {NULL},
};
static PyType_Slot node_slots[] = {
    {Py_tp_doc, "A node: what tree_sitter.Node of the same names gives."},
    {Py_tp_dealloc, node_dealloc},
    {Py_tp_methods, node_methods},
    {Py_tp_getset, node_getset},
    {Py_tp_richcompare, node_compare},
    {Py_tp_hash, node_hash},
    {Py_tp_repr, node_repr},
    {0},
};
static PyType_Spec node_spec = {"bearings.code.languages.syntax.Node", sizeof(Node), 0,
                                Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, node_slots};

static PyMethodDef captures_methods[] = {
    {"of", (PyCFunction)captures_of, METH_O, "The nodes of a capture, in the order of the source."},
    {"spans", (PyCFunction)(void (*)(void))captures_spans, METH_FASTCALL, "(start, end) of its nodes, or in a field."},
    {"among", (PyCFunction)(void (*)(void))captures_among, METH_FASTCALL, "(start, text) of its nodes of some texts."},
    {"events", (PyCFunction)captures_events, METH_O, "Starts, ends, ranks and nodes of some captures."},
    {NULL},
};
static PyType_Slot captures_slots[] = {
    {Py_tp_doc, "What patterns found in a tree."},
    {Py_tp_dealloc, captures_dealloc},
    {Py_tp_methods, captures_methods},
    {0},
};
static PyType_Spec captures_spec = {"bearings.code.languages.syntax.Captures", sizeof(Captures), 0,
                                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, captures_slots};

static int syntax_exec(PyObject *module) {
  struct {
    PyTypeObject **type;
    PyType_Spec *spec;
  } types[] = {{&GrammarType, &grammar_spec}, {&PatternsType, &patterns_spec}, {&TreeType, &tree_spec},
               {&NodeType, &node_spec}, {&CapturesType, &captures_spec}};
  for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
    if (!*types[i].type && !(*types[i].type = (PyTypeObject *)PyType_FromSpec(types[i].spec))) return -1;
    if (PyModule_AddType(module, *types[i].type) < 0) return -1;
  }
  return PyModule_AddStringConstant(module, "__doc__", "Syntax trees as flat arrays.");
}

static PyModuleDef_Slot syntax_slots[] = {
    {Py_mod_exec, syntax_exec},
#ifdef Py_mod_multiple_interpreters /* types and free nodes are one for all */
    {Py_mod_multiple_interpreters, Py_MOD_MULTIPLE_INTERPRETERS_NOT_SUPPORTED},
#endif
    {0, NULL},
};

static struct PyModuleDef syntax_module = {PyModuleDef_HEAD_INIT, "syntax", NULL, 0, NULL, syntax_slots, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit_syntax(void) { return PyModuleDef_Init(&syntax_module); }
