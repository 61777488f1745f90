/* Reads lines, text and dotted names from a source. */

#define LONGEST_LINE 2048 /* bytes of the buffer for one_line; longer text is joined by Python */

static bool places_of_breaks(Tree *tree, Places *places, bool returns) {
  const char *text = PyBytes_AS_STRING(tree->source);
  uint32_t size = (uint32_t)PyBytes_GET_SIZE(tree->source), room = size / 24 + 16;
  places->items = PyMem_Malloc(room * sizeof(uint32_t));
  returns = returns && memchr(text, '\r', size);
  for (uint32_t i = 0; i < size && places->items; i++) {
    if (!returns) { /* no \r: jump to the next \n */
      const char *found = memchr(text + i, '\n', size - i);
      if (!found) break;
      i = (uint32_t)(found - text);
    }
    bool alone = returns && text[i] == '\r' && i + 1 < size && text[i + 1] != '\n'; /* no line starts after the end */
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

/* Return the number of places up to and including a byte, like bisect_right. */
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

/* Tree.rows: the number of lines after the first. */
static PyObject *tree_rows(Tree *self, void *closure) {
  (void)closure;
  return tree_has_lines(self) ? PyLong_FromUnsignedLong(self->lines.count) : NULL;
}

/* Tree.row(byte): the line of a byte, from 0. */
static PyObject *tree_row(Tree *self, PyObject *byte) {
  unsigned long at = PyLong_AsUnsignedLong(byte);
  if ((at == (unsigned long)-1 && PyErr_Occurred()) || !tree_has_lines(self)) return NULL;
  return PyLong_FromUnsignedLong(places_upto(&self->lines, at < UINT32_MAX ? (uint32_t)at : UINT32_MAX));
}

/* Tree.blank_rows: the lines, from 0, with only white space, without the first and the last line. */
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

/* Tree.text(node): the source of a node. */
static PyObject *tree_text(Tree *self, PyObject *node) {
  Entry *entry = entry_given(self, node);
  return entry ? text_of(self, entry->start, entry->end) : NULL;
}

/* Read two offsets of a source. If they are not in order, the span is empty. */
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

/* Whether an ASCII character is white space for str.split(). */
static inline bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r') || (c >= '\x1c' && c <= '\x1f'); }

/* Join the words of a text with spaces, for text that is not ASCII. Steals the reference to the text. */
static PyObject *words_joined(PyObject *text) {
  PyObject *words = text ? PyUnicode_Split(text, NULL, -1) : NULL, *space = PyUnicode_FromString(" ");
  PyObject *line = words && space ? PyUnicode_Join(space, words) : NULL;
  Py_XDECREF(text);
  Py_XDECREF(words);
  Py_XDECREF(space);
  return line;
}

/* Tree.one_line(start, end): the source from one byte to another, with each run of white space as one space. */
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

/* Tree.line(node): the first line of a node, from 1. */
static PyObject *tree_line(Tree *self, PyObject *node) {
  Entry *entry = entry_given(self, node);
  if (!entry || !tree_has_lines(self)) return NULL;
  return PyLong_FromUnsignedLong(places_upto(&self->lines, entry->start) + 1);
}

/* Tree.end_line(node): the last line of a node, from 1. A node that ends at a line's start ends on the line before. */
static PyObject *tree_end_line(Tree *self, PyObject *node) {
  Entry *entry = entry_given(self, node);
  if (!entry || !tree_has_lines(self)) return NULL;
  uint32_t last = entry->end ? places_upto(&self->lines, entry->end - 1) : 0;
  uint32_t first = places_upto(&self->lines, entry->start);
  return PyLong_FromUnsignedLong((last > first ? last : first) + 1);
}

static inline bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$'; }
static inline bool goes_on(char c) { return begins_name(c) || (c >= '0' && c <= '9'); }

/* Words that are keywords in one of the languages. */
static const char *const NO_NAMES[] = {"None", "True", "False", "true", "false", "null", "undefined", "yield", "await",
                                       "async", "function", "class", "lambda", "not", "new", "import"};

/* Return the end of the dotted chain of at most 24 plain names that starts at a byte, or that byte if there is none. */
static uint32_t chain_end(const char *text, uint32_t start, uint32_t size) {
  uint32_t at = start;
  for (int names = 0; names < 24; names++) {
    uint32_t name = names ? at + 1 : at; /* skip the dot */
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

/* Tree.chain(node): the source of a node if it is a short dotted chain of plain names; else empty. */
static PyObject *tree_chain(Tree *self, PyObject *node) {
  Entry *entry = entry_given(self, node);
  if (!entry) return NULL;
  uint32_t end = chain_end(PyBytes_AS_STRING(self->source), entry->start, entry->end);
  return text_of(self, entry->start, end == entry->end ? end : entry->start);
}

/* Tree.called(start): the dotted chain of plain names that starts at a byte if `(` follows it; else empty. */
static PyObject *tree_called(Tree *self, PyObject *start) {
  const char *text = PyBytes_AS_STRING(self->source);
  uint32_t size = (uint32_t)PyBytes_GET_SIZE(self->source);
  unsigned long at = PyLong_AsUnsignedLong(start);
  if (at == (unsigned long)-1 && PyErr_Occurred()) return NULL;
  uint32_t end = at < size ? chain_end(text, (uint32_t)at, size) : (uint32_t)at;
  bool called = end > at && end < size && text[end] == '(';
  return called ? text_of(self, (uint32_t)at, end) : PyUnicode_FromStringAndSize(NULL, 0);
}
