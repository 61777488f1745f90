/* Patterns: the compiled patterns of a query for one grammar (see bearings.code.languages.shared.patterns). */

#define MOST_CAPTURES 64
#define ANY (-1)

typedef struct {
  int32_t kind;      /* ANY, or a kind */
  bool named;        /* if the kind is ANY: named nodes only */
  bool ends;         /* the last item must match the last named child */
  uint64_t captures; /* one bit each */
  uint32_t item, item_count; /* the first of its items, and their number */
} Shape;

typedef struct {
  uint16_t field; /* 0: any field, or none */
  bool follows;   /* no named sibling may stand between it and the item before, or the start of the node */
  uint32_t shape, shape_count; /* the first of its alternatives, and their number */
} Item;

typedef struct Patterns {
  PyObject_HEAD
  Grammar *grammar;
  Shape *shapes;
  Item *items;
  uint32_t shape_count, shape_room, item_count, item_room;
  uint32_t *roots; /* the shapes that are whole patterns, grouped by kind */
  uint32_t *first; /* kind -> the start of its group in `roots`; one more item marks the end of the last group */
  PyObject *names; /* list of the captures' names, by number */
} Patterns;

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

/* Compile an item: (field or "", follows, (shape, …)). */
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

/* Compile a shape: (kind or "" for any, is_named, (capture, …), (item, …), ends). */
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

/* Patterns(grammar, (shape, …)). Raises ValueError if the grammar lacks a kind or a field. */
static int patterns_init(Patterns *self, PyObject *args, PyObject *kwargs) {
  PyObject *grammar, *shapes;
  (void)kwargs;
  if (!PyArg_ParseTuple(args, "O!O!", GrammarType, &grammar, &PyTuple_Type, &shapes)) return -1;
  if (self->grammar) {
    PyErr_SetString(PyExc_ValueError, "patterns are made once");
    return -1;
  }
  if (!((Grammar *)grammar)->language) {
    PyErr_SetString(PyExc_ValueError, "a grammar that was not made");
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
