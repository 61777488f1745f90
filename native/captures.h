/* Captures: the matches of patterns in a tree. */

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

typedef struct {
  PyObject_HEAD
  Tree *tree;
  uint64_t *found; /* node -> its captures, one bit each */
  uint32_t *nodes; /* all captured nodes, grouped by capture, each group in the order of the source */
  uint32_t first[MOST_CAPTURES + 1]; /* capture -> the start of its group in `nodes` */
} Captures;

static void captures_dealloc(Captures *self) {
  PyTypeObject *type = Py_TYPE(self);
  PyMem_Free(self->found);
  PyMem_Free(self->nodes);
  Py_DECREF(self->tree);
  PyObject_Free(self);
  Py_DECREF(type);
}

/* Tree.captures(): match the patterns of the tree's language. */
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

/* Return the number of a capture; -1 if no pattern has it, -2 with an exception set. */
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

/* Captures.of(name): the nodes of a capture, in the order of the source. */
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

/* Captures.spans(name, field): (start, end) of a capture's nodes, or of the first child of each in a field. */
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
    if (inside) node = child_in(self->tree, node, (uint16_t)field);
    if (node == NONE) continue;
    PyObject *span = pair_of(self->tree->entries[node].start, self->tree->entries[node].end);
    if (!span || PyList_Append(list, span) < 0) Py_CLEAR(list);
    Py_XDECREF(span);
  }
  return list;
}

/* Captures.among(name, texts): (start, text) of those nodes of a capture whose text is in a set. */
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

/* Captures.events(names): the starts, ends, ranks and nodes of several captures as four lists, outermost first. A rank
   is the index of the capture in `names`. The tree's order is already sorted except for nodes with the same span, so
   that insertion sort needs few steps. */
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
