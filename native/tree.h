/* Tree: the visible nodes of a source, in the order of the source. Node: a node of a tree, by its index. */

#define NONE UINT32_MAX
#define NAMED 1
#define FREE_NODES 512

typedef struct {
  uint32_t start, end; /* bytes */
  uint32_t parent;
  uint32_t after; /* the first later node outside this one: its next sibling, unless it is the parent's last child */
  const void *id; /* the node in `Tree.parsed` */
  uint16_t kind;  /* an index of `Grammar.kinds`, whose last item is the kind of errors */
  uint16_t field; /* 0: none */
  uint8_t flags;
} Entry;

/* Ascending offsets in a source, computed on first use. */
typedef struct {
  uint32_t *items;
  uint32_t count;
} Places;

typedef struct {
  PyObject_HEAD
  Grammar *grammar;
  struct Patterns *patterns;
  PyObject *source; /* bytes */
  TSTree *parsed;
  Entry *entries;
  uint32_t count;
  uint32_t depth; /* the depth of the deepest node; the root's depth is 0 */
  uint32_t faults;
  bool has_error;
  Places rows;  /* the starts of all rows but the first, as tree-sitter counts them: after each \n */
  Places lines; /* the starts of all lines but the first, as Python counts them: also after a lone \r */
} Tree;

typedef struct {
  PyObject_HEAD
  Tree *tree;
  uint32_t index;
} Node;

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
  ts_tree_delete(self->parsed);
  PyMem_Free(self->entries);
  PyMem_Free(self->rows.items);
  PyMem_Free(self->lines.items);
  Py_XDECREF(self->grammar);
  Py_XDECREF(self->patterns);
  Py_XDECREF(self->source);
  type->tp_free(self);
  Py_DECREF(type);
}

/* Tree.is_steep(levels): whether nodes and brackets are nested to this depth; brackets in strings count. */
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

/* Return the first node that tree-sitter finds in a field of a node, or NONE. It also finds children in fields of a
   hidden node around them, and some that are deeper: `Entry.field` is only the innermost field of a child. */
static uint32_t child_in(const Tree *tree, uint32_t node, uint16_t field) {
  const Entry *entries = tree->entries;
  TSNode parent = {{entries[node].start, 0, 0, 0}, entries[node].id, tree->parsed};
  const void *id = ts_node_child_by_field_id(parent, field).id;
  if (!id) return NONE;
  uint32_t end = entries[node].after, child = node + 1;
  while (child < end && entries[child].id != id) child = entries[child].after;
  if (child < end) return child;
  for (child = node + 1; child < end && entries[child].id != id;) child++;
  return child < end ? child : NONE;
}
