/* Node: attributes and methods with the same names and results as those of tree_sitter.Node. */

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

/* Return the position of a byte: (row, column in bytes), both from 0. */
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
  if (wanted < 0) {
    PyErr_SetString(PyExc_ValueError, "child index must be positive");
    return NULL;
  }
  uint32_t child = named_child(self, wanted, &count);
  if (child == NONE) {
    PyErr_SetString(PyExc_IndexError, "child index out of range");
    return NULL;
  }
  return node_new(self->tree, child);
}

static PyObject *node_child_by_field_name(Node *self, PyObject *name) {
  int field = grammar_field(self->tree->grammar, name);
  if (field < 0) return NULL;
  uint32_t child = field ? child_in(self->tree, self->index, (uint16_t)field) : NONE;
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
