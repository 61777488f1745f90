/* tree-sitter's runtime, as its own lib.c has it, with some of it done by us (the parts that come first). */

#include "counting.h"

#include "lookup.h"

#include "alloc.c"

#include "popping.h"

#include "advancing.h"

#include "get_changed_ranges.c"
#include "language.c"
#include "node.c"
#include "parser.c"
#include "point.c"
#include "subtree.c"
#include "tree.c"
#include "tree_cursor.c"
#include "wasm_store.c"
