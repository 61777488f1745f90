/* Syntax trees as flat arrays. bearings.code.languages.shared.trees uses this module if it is installed.

   tree-sitter's parser builds a tree. One walk copies its visible nodes into an array, in the order of the source, and
   the tree is freed. A node is then an index: its parent, siblings, fields and kind are array lookups, while
   tree-sitter has to search. Patterns are matched against the same array, each only at nodes of its own kind.

   The module uses only the public API of tree-sitter; the unmodified lib.c of the runtime is compiled and linked with
   it. Each header below is a part that uses the parts before it; this file defines the Python types and the module. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <tree_sitter/api.h>

#define INTERFACE 4 /* must equal INTERFACE in bearings.code.languages.shared.trees, which rejects older builds */

#include "grammar.h"

#include "patterns.h"

#include "tree.h"

#include "flatten.h"

#include "matching.h"

#include "captures.h"

#include "source.h"

#include "node.h"

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
    {"named_child", (PyCFunction)node_named_child, METH_O, "A named child by its place."},
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
  if (PyModule_AddIntMacro(module, INTERFACE) < 0) return -1;
  return PyModule_AddStringConstant(module, "__doc__", "Syntax trees as flat arrays.");
}

static PyModuleDef_Slot syntax_slots[] = {
    {Py_mod_exec, syntax_exec},
#ifdef Py_mod_multiple_interpreters /* all interpreters would share the types and the list of free nodes */
    {Py_mod_multiple_interpreters, Py_MOD_MULTIPLE_INTERPRETERS_NOT_SUPPORTED},
#endif
    {0, NULL},
};

static struct PyModuleDef syntax_module = {PyModuleDef_HEAD_INIT, "syntax", NULL, 0, NULL, syntax_slots, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit_syntax(void) { return PyModuleDef_Init(&syntax_module); }
