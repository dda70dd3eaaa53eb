// Writes what go/types says every call of a tree's Go files leads to; bench_typed_edges.py compares the resolver with it.
//
// Run: go run go_calls.go ROOT OUTPUT.json, with GO111MODULE=off and CGO_ENABLED=0. GOPATH is where packages from
// outside are looked for; what is found nowhere is left open, and calls into it are "unknown".
//
// The answer is a list of [path, line, name, number, targets]: the number counts equal names on one line from left to
// right; targets are [path, line] of definitions inside ROOT, "external" for what stands elsewhere, "unknown".
// Literals and conversions call their type. A variable is a definition when it stands at the top of a file, or is made
// of a function literal; one that begins as another name of a function stands for that too; a call of another one leads to
// nothing inside.
package main

import (
	"encoding/json"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"log"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

type site struct {
	at   token.Position
	name string
	of   ast.Node
}

type tree struct {
	root    string
	files   *token.FileSet
	modules map[string]string // import path to folder
	outside types.ImporterFrom
	checked map[string]*types.Package
	made    map[token.Pos]bool         // variables made of a function literal
	same    map[token.Pos]types.Object // variables that begin as another name of a function
	rows    [][]any
}

func main() {
	root, err := filepath.Abs(os.Args[1])
	if err == nil {
		root, err = filepath.EvalSymlinks(root)
	}
	if err != nil {
		log.Fatal(err)
	}
	files := token.NewFileSet()
	t := &tree{
		root: root, files: files, modules: map[string]string{}, checked: map[string]*types.Package{},
		outside: importer.ForCompiler(files, "source", nil).(types.ImporterFrom), made: map[token.Pos]bool{}, same: map[token.Pos]types.Object{},
	}
	var folders []string
	filepath.Walk(root, func(path string, info os.FileInfo, err error) error {
		if err == nil && info.IsDir() {
			folders = append(folders, path)
		} else if err == nil && info.Name() == "go.mod" {
			t.addModule(path)
		}
		return nil
	})
	for _, folder := range folders {
		t.check(folder, t.importPath(folder))
	}
	data, err := json.Marshal(t.rows)
	if err == nil {
		err = os.WriteFile(os.Args[2], data, 0o644)
	}
	if err != nil {
		log.Fatal(err)
	}
}

func (t *tree) addModule(path string) {
	data, _ := os.ReadFile(path)
	for _, line := range strings.Split(string(data), "\n") {
		if words := strings.Fields(line); len(words) > 1 && words[0] == "module" {
			t.modules[strings.Trim(words[1], `"`)] = filepath.Dir(path)
			return
		}
	}
}

// importPath returns the path a folder is imported by: its nearest module's and the folders below.
func (t *tree) importPath(folder string) string {
	best, found := "", folder
	for module, at := range t.modules {
		if (folder == at || strings.HasPrefix(folder, at+"/")) && len(at) > len(best) {
			best, found = at, module+strings.TrimPrefix(folder, at)
		}
	}
	return found
}

func (t *tree) Import(path string) (*types.Package, error) {
	return t.ImportFrom(path, t.root, 0)
}

func (t *tree) ImportFrom(path, from string, mode types.ImportMode) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	for module, at := range t.modules {
		if folder := at + strings.TrimPrefix(path, module); path == module || strings.HasPrefix(path, module+"/") {
			if info, err := os.Stat(folder); err == nil && info.IsDir() && t.importPath(folder) == path {
				return t.check(folder, path), nil
			}
		}
	}
	if found, err := t.outside.ImportFrom(path, t.root, mode); err == nil {
		return found, nil
	}
	// Go on without: what it is asked for is then of no known type.
	name := path[strings.LastIndex(path, "/")+1:]
	empty := types.NewPackage(path, name)
	empty.MarkComplete()
	return empty, nil
}

// check types a folder's package with its tests, notes its calls, and returns it; then those of its outer test package.
func (t *tree) check(folder, path string) *types.Package {
	if found, ok := t.checked[path]; ok {
		return found
	}
	t.checked[path] = types.NewPackage(path, filepath.Base(folder))
	byPackage := map[string][]*ast.File{}
	names, _ := filepath.Glob(filepath.Join(folder, "*.go"))
	for _, name := range names {
		if matches, err := build.Default.MatchFile(folder, filepath.Base(name)); err != nil || !matches {
			continue
		}
		if file, _ := parser.ParseFile(t.files, name, nil, parser.SkipObjectResolution); file != nil {
			byPackage[file.Name.Name] = append(byPackage[file.Name.Name], file)
		}
	}
	var packages []string
	for name := range byPackage {
		packages = append(packages, name)
	}
	sort.Slice(packages, func(a, b int) bool {
		isTest, isOther := strings.HasSuffix(packages[a], "_test"), strings.HasSuffix(packages[b], "_test")
		return isTest != isOther && isOther || isTest == isOther && len(byPackage[packages[a]]) > len(byPackage[packages[b]])
	})
	for row, name := range packages {
		info := &types.Info{
			Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{},
			Types: map[ast.Expr]types.TypeAndValue{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		}
		settings := types.Config{Importer: t, Error: func(error) {}, FakeImportC: true}
		found, _ := settings.Check(path, t.files, byPackage[name], info)
		if row == 0 && found != nil {
			t.checked[path] = found
		}
		for _, file := range byPackage[name] {
			t.noteFunctions(file, info)
		}
		for _, file := range byPackage[name] {
			t.note(file, info)
		}
	}
	return t.checked[path]
}

func (t *tree) noteFunctions(file *ast.File, info *types.Info) {
	ast.Inspect(file, func(node ast.Node) bool {
		var names []ast.Expr
		var values []ast.Expr
		switch node := node.(type) {
		case *ast.AssignStmt:
			names, values = node.Lhs, node.Rhs
		case *ast.ValueSpec:
			for _, name := range node.Names {
				names = append(names, name)
			}
			values = node.Values
		}
		if len(names) == len(values) {
			for row, value := range values {
				if _, isFunction := value.(*ast.FuncLit); isFunction {
					t.made[names[row].Pos()] = true
				} else if name := nameOf(value); name != nil {
					if function, isFunction := info.Uses[name].(*types.Func); isFunction {
						t.same[names[row].Pos()] = function
					}
				}
			}
		}
		return true
	})
}

func (t *tree) note(file *ast.File, info *types.Info) {
	var sites []site
	ast.Inspect(file, func(node ast.Node) bool {
		var called ast.Expr
		switch node := node.(type) {
		case *ast.CallExpr:
			called = node.Fun
		case *ast.CompositeLit:
			called = node.Type
		}
		if name := nameOf(called); name != nil {
			sites = append(sites, site{t.files.PositionFor(name.End()-1, false), name.Name, name})
		}
		return true
	})
	sort.SliceStable(sites, func(a, b int) bool { return sites[a].at.Offset < sites[b].at.Offset })
	seen := map[string]map[int]int{}
	for _, each := range sites {
		if seen[each.name] == nil {
			seen[each.name] = map[int]int{}
		}
		path := t.inside(each.at)
		targets := t.targets(info.Uses[each.of.(*ast.Ident)])
		t.rows = append(t.rows, []any{path, each.at.Line, each.name, seen[each.name][each.at.Line], targets})
		seen[each.name][each.at.Line]++
	}
}

// nameOf returns the called name behind packages, receivers and type arguments; nil for what has none.
func nameOf(called ast.Expr) *ast.Ident {
	switch called := called.(type) {
	case *ast.Ident:
		return called
	case *ast.SelectorExpr:
		return called.Sel
	case *ast.IndexExpr:
		return nameOf(called.X)
	case *ast.IndexListExpr:
		return nameOf(called.X)
	}
	return nil
}

func (t *tree) inside(at token.Position) string {
	path, err := filepath.Rel(t.root, at.Filename)
	if err != nil || strings.HasPrefix(path, "..") {
		return ""
	}
	return filepath.ToSlash(path)
}

func (t *tree) targets(found types.Object) any {
	var places [][]any
	if found != nil {
		if function := t.same[found.Pos()]; function != nil {
			places = t.place(places, function)
		}
	}
	switch object := found.(type) {
	case nil:
		return "unknown"
	case *types.Func:
		found = object.Origin()
	case *types.Var:
		isTop := object.Pkg() != nil && object.Parent() == object.Pkg().Scope()
		if !isTop && !t.made[object.Pos()] {
			found = nil
		}
	case *types.TypeName:
		if _, isParameter := object.Type().(*types.TypeParam); isParameter {
			found = nil
		}
	}
	if found != nil {
		places = t.place(places, found)
	}
	if places == nil {
		return "external"
	}
	return places
}

// place adds where an object is defined, if that is inside.
func (t *tree) place(places [][]any, object types.Object) [][]any {
	if object.Pos().IsValid() {
		at := t.files.PositionFor(object.Pos(), false)
		if path := t.inside(at); path != "" {
			return append(places, []any{path, at.Line})
		}
	}
	return places
}
