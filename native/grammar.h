/* Grammar: a language with the names of its node kinds and fields. */

static PyTypeObject *GrammarType, *PatternsType, *TreeType, *NodeType, *CapturesType;

typedef struct {
  PyObject_HEAD
  PyObject *capsule; /* keeps the language alive */
  const TSLanguage *language;
  TSParser *parser;    /* reused, so that its memory is allocated once */
  uint32_t kind_count; /* including the kind of errors, which is the last */
  PyObject **kinds;    /* the names of the kinds */
  PyObject *fields;    /* name -> number */
} Grammar;

static void grammar_dealloc(Grammar *self) {
  PyTypeObject *type = Py_TYPE(self);
  if (self->kinds) {
    for (uint32_t i = 0; i < self->kind_count; i++) Py_XDECREF(self->kinds[i]);
    PyMem_Free(self->kinds);
  }
  Py_XDECREF(self->fields);
  ts_parser_delete(self->parser);
  Py_XDECREF(self->capsule);
  type->tp_free(self);
  Py_DECREF(type);
}

static int grammar_init(Grammar *self, PyObject *args, PyObject *kwargs) {
  PyObject *capsule;
  (void)kwargs;
  if (!PyArg_ParseTuple(args, "O", &capsule)) return -1;
  if (self->capsule) {
    PyErr_SetString(PyExc_ValueError, "a grammar is made once");
    return -1;
  }
  const TSLanguage *language = PyCapsule_GetPointer(capsule, "tree_sitter.Language");
  if (!language) return -1;
  self->capsule = Py_NewRef(capsule);
  self->parser = ts_parser_new();
  if (!ts_parser_set_language(self->parser, language)) {
    PyErr_SetString(PyExc_ValueError, "a grammar of an ABI that this runtime does not read");
    return -1;
  }
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

/* Return the number of a field; 0 if the grammar has no field of that name, -1 with an exception set. */
static int grammar_field(Grammar *self, PyObject *name) {
  PyObject *number = PyDict_GetItemWithError(self->fields, name);
  if (!number) return PyErr_Occurred() ? -1 : 0;
  return (int)PyLong_AsLong(number);
}
