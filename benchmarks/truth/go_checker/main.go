// Command truth prints what Go's own type checker says of the packages below a folder, one JSON object a line.
//
//	truth ROOT SOURCES FOLDER…
//
// Files are named relative to ROOT. Imports are looked for in SOURCES (a list of folders, as GOPATH's `src`), then in
// Go's own sources and what these vendor. Each FOLDER, relative to ROOT, is a package; its tests are checked with it.
// Positions stand for declarations: the file and line of a name.
package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
)

type row struct {
	Row        string `json:"row"` // def, call, field, import
	File       string `json:"file"`
	Line       int    `json:"line"`
	Name       string `json:"name,omitempty"`
	Kind       string `json:"kind,omitempty"` // of a call: call, interface, new, conversion, dynamic
	Caller     string `json:"caller,omitempty"`
	CallerLine int    `json:"caller_line,omitempty"`
	ToFile     string `json:"to_file,omitempty"`
	ToLine     int    `json:"to_line,omitempty"`
}

type checker struct {
	fset    *token.FileSet
	context build.Context
	root    string
	sources []string
	known   map[string]*types.Package
	tested  map[string]*types.Package // packages with their tests, while those that test from outside are checked
	out     *json.Encoder
	faults  int
}

func (c *checker) find(path string) string {
	goroot := filepath.Join(c.context.GOROOT, "src")
	for _, source := range append(append([]string{}, c.sources...), goroot, filepath.Join(goroot, "vendor"), filepath.Join(goroot, "cmd", "vendor")) {
		folder := filepath.Join(source, filepath.FromSlash(path))
		if entries, err := os.ReadDir(folder); err == nil {
			for _, entry := range entries {
				if strings.HasSuffix(entry.Name(), ".go") {
					return folder
				}
			}
		}
	}
	return ""
}

func (c *checker) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if pkg := c.tested[path]; pkg != nil {
		return pkg, nil
	}
	if pkg := c.known[path]; pkg != nil {
		return pkg, nil
	}
	folder := c.find(path)
	if folder == "" {
		return nil, fmt.Errorf("no package %q", path)
	}
	listed, err := c.context.ImportDir(folder, 0)
	if err != nil {
		return nil, err
	}
	config := types.Config{Importer: c, IgnoreFuncBodies: true, FakeImportC: true, Error: func(error) {}}
	pkg, _ := config.Check(path, c.fset, c.parse(folder, listed.GoFiles, listed.CgoFiles), nil)
	c.known[path] = pkg
	return pkg, nil
}

func (c *checker) parse(folder string, lists ...[]string) []*ast.File {
	var files []*ast.File
	for _, list := range lists {
		for _, name := range list {
			file, _ := parser.ParseFile(c.fset, filepath.Join(folder, name), nil, parser.SkipObjectResolution)
			if file != nil {
				files = append(files, file)
			}
		}
	}
	return files
}

func (c *checker) check(path string, files []*ast.File) (*types.Package, *types.Info) {
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, Instances: map[*ast.Ident]types.Instance{},
	}
	config := types.Config{Importer: c, FakeImportC: true, Error: func(error) { c.faults++ }}
	pkg, _ := config.Check(path, c.fset, files, info)
	return pkg, info
}

func (c *checker) folder(folder string) {
	whole := filepath.Join(c.root, folder)
	listed, err := c.context.ImportDir(whole, 0)
	if err != nil && len(listed.GoFiles) == 0 && len(listed.TestGoFiles) == 0 {
		fmt.Fprintln(os.Stderr, folder, err)
		return
	}
	path := filepath.ToSlash(folder)
	for _, source := range append(append([]string{}, c.sources...), filepath.Join(c.context.GOROOT, "src")) {
		if relative, err := filepath.Rel(source, whole); err == nil && !strings.HasPrefix(relative, "..") {
			path = filepath.ToSlash(relative)
			break
		}
	}
	files := c.parse(whole, listed.GoFiles, listed.CgoFiles, listed.TestGoFiles)
	pkg, info := c.check(path, files)
	c.rows(files, info)
	if len(listed.XTestGoFiles) > 0 {
		c.tested = map[string]*types.Package{path: pkg}
		files = c.parse(whole, listed.XTestGoFiles)
		_, info = c.check(path+"_test", files)
		c.rows(files, info)
		c.tested = nil
	}
}

func (c *checker) place(pos token.Pos) (string, int) {
	position := c.fset.Position(pos)
	relative, err := filepath.Rel(c.root, position.Filename)
	if err != nil || strings.HasPrefix(relative, "..") || !pos.IsValid() {
		return "", 0
	}
	return filepath.ToSlash(relative), position.Line
}

func (c *checker) rows(files []*ast.File, info *types.Info) {
	for _, file := range files {
		name, _ := c.place(file.Package)
		for _, spec := range file.Imports {
			path := strings.Trim(spec.Path.Value, "\"`")
			if folder, err := filepath.Rel(c.root, c.find(path)); err == nil && c.find(path) != "" && !strings.HasPrefix(folder, "..") {
				c.emit(row{Row: "import", File: name, Line: c.fset.Position(spec.Pos()).Line, Name: path, ToFile: filepath.ToSlash(folder)})
			}
		}
		for _, declaration := range file.Decls {
			caller, line := "", 0
			if function, ok := declaration.(*ast.FuncDecl); ok {
				caller = function.Name.Name
				_, line = c.place(function.Name.Pos())
				c.emit(row{Row: "def", File: name, Line: line, Name: caller, Kind: "function"})
			}
			c.definitions(name, declaration)
			ast.Inspect(declaration, func(node ast.Node) bool {
				switch node := node.(type) {
				case *ast.CallExpr:
					c.call(info, node, name, caller, line)
				case *ast.Ident:
					c.field(info.Uses[node], node.Pos(), name)
				case *ast.CompositeLit:
					if node.Type != nil {
						c.made(info.TypeOf(node.Type), node.Pos(), name, caller, line)
					}
				}
				return true
			})
		}
	}
}

func (c *checker) definitions(file string, declaration ast.Decl) {
	general, ok := declaration.(*ast.GenDecl)
	if !ok {
		return
	}
	for _, spec := range general.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			_, line := c.place(spec.Name.Pos())
			c.emit(row{Row: "def", File: file, Line: line, Name: spec.Name.Name, Kind: "type"})
			var fields *ast.FieldList
			switch inside := spec.Type.(type) {
			case *ast.StructType:
				fields = inside.Fields
			case *ast.InterfaceType:
				fields = inside.Methods
			}
			if fields != nil {
				for _, field := range fields.List {
					for _, name := range field.Names {
						_, line := c.place(name.Pos())
						c.emit(row{Row: "def", File: file, Line: line, Name: name.Name, Kind: "member"})
					}
				}
			}
		case *ast.ValueSpec:
			for _, name := range spec.Names {
				_, line := c.place(name.Pos())
				c.emit(row{Row: "def", File: file, Line: line, Name: name.Name, Kind: "value"})
			}
		}
	}
}

func (c *checker) call(info *types.Info, call *ast.CallExpr, file, caller string, callerLine int) {
	if value, ok := info.Types[call.Fun]; ok && value.IsType() {
		return
	}
	function := ast.Unparen(call.Fun)
	switch indexed := function.(type) {
	case *ast.IndexExpr:
		function = indexed.X
	case *ast.IndexListExpr:
		function = indexed.X
	}
	var object types.Object
	switch function := ast.Unparen(function).(type) {
	case *ast.Ident:
		object = info.Uses[function]
	case *ast.SelectorExpr:
		if selection := info.Selections[function]; selection != nil {
			object = selection.Obj()
		} else {
			object = info.Uses[function.Sel]
		}
	}
	_, line := c.place(call.Pos())
	if selector, ok := function.(*ast.SelectorExpr); ok {
		_, line = c.place(selector.Pos())
	}
	switch object := object.(type) {
	case *types.Builtin:
		if object.Name() == "new" && len(call.Args) == 1 && info.Types[call.Args[0]].IsType() {
			c.made(info.TypeOf(call.Args[0]), call.Pos(), file, caller, callerLine)
		}
	case *types.Func:
		object = object.Origin()
		to, toLine := c.place(object.Pos())
		if to == "" {
			return
		}
		kind := "call"
		if receiver := object.Signature().Recv(); receiver != nil && types.IsInterface(receiver.Type()) {
			kind = "interface"
		}
		c.emit(row{Row: "call", File: file, Line: line, Name: object.Name(), Kind: kind, Caller: caller, CallerLine: callerLine, ToFile: to, ToLine: toLine})
	case *types.Var:
		to, toLine := c.place(object.Pos())
		c.emit(row{Row: "call", File: file, Line: line, Name: object.Name(), Kind: "dynamic", Caller: caller, CallerLine: callerLine, ToFile: to, ToLine: toLine})
	}
}

// field reports the use of a struct's field, also as a key of a literal.
func (c *checker) field(used types.Object, pos token.Pos, file string) {
	field, ok := used.(*types.Var)
	if !ok || !field.IsField() {
		return
	}
	to, toLine := c.place(field.Origin().Pos())
	if to != "" {
		_, line := c.place(pos)
		c.emit(row{Row: "field", File: file, Line: line, Name: field.Name(), ToFile: to, ToLine: toLine})
	}
}

// made reports an object of a named type that is made by a literal or `new`.
func (c *checker) made(made types.Type, pos token.Pos, file, caller string, callerLine int) {
	named, ok := types.Unalias(made).(*types.Named)
	if !ok {
		return
	}
	object := named.Origin().Obj()
	to, toLine := c.place(object.Pos())
	if to == "" || object.Pkg() == nil {
		return
	}
	_, line := c.place(pos)
	c.emit(row{Row: "call", File: file, Line: line, Name: object.Name(), Kind: "new", Caller: caller, CallerLine: callerLine, ToFile: to, ToLine: toLine})
}

func (c *checker) emit(found row) {
	if err := c.out.Encode(found); err != nil {
		panic(err)
	}
}

func main() {
	if len(os.Args) < 4 {
		fmt.Fprintln(os.Stderr, "truth ROOT SOURCES FOLDER…")
		os.Exit(2)
	}
	context := build.Default
	context.GOOS, context.GOARCH, context.CgoEnabled, context.Compiler = "linux", "amd64", true, "gc"
	c := &checker{
		fset: token.NewFileSet(), context: context, root: os.Args[1], known: map[string]*types.Package{}, out: json.NewEncoder(os.Stdout),
	}
	if os.Args[2] != "" {
		c.sources = filepath.SplitList(os.Args[2])
	}
	for _, folder := range os.Args[3:] {
		c.folder(folder)
	}
	fmt.Fprintln(os.Stderr, "errors:", c.faults)
}
