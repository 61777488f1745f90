// Prints what an assembly declares and uses, as rows with tabs, from its IL. Needs Mono.Cecil:
//   mcs -r:/usr/lib/mono-cecil/Mono.Cecil.dll Uses.cs; mono Uses.exe program.dll library.dll
// Rows: member KIND NAME | override NAME BASE | outside USER NAME | use KIND USER NAME.
// Overloads have one name. What the compiler makes of lambdas, iterators and async methods is their method's.

using System;
using System.Collections.Generic;
using System.Linq;
using Mono.Cecil;
using Mono.Cecil.Cil;

class Resolver : DefaultAssemblyResolver
{
    public void Add(AssemblyDefinition assembly)
    {
        RegisterAssembly(assembly);
    }
}

static class Uses
{
    const string Outside = "outside";
    static readonly HashSet<ModuleDefinition> modules = new HashSet<ModuleDefinition>();
    static readonly Dictionary<MethodDefinition, string[]> accessors = new Dictionary<MethodDefinition, string[]>();
    static readonly HashSet<string> members = new HashSet<string>();
    static readonly HashSet<string> rows = new HashSet<string>();

    static void Main(string[] given)
    {
        var resolver = new Resolver();
        foreach (var file in given)
        {
            resolver.AddSearchDirectory(System.IO.Path.GetDirectoryName(file));
            var options = new ReaderParameters { AssemblyResolver = resolver };
            var module = ModuleDefinition.ReadModule(file, options);
            resolver.Add(module.Assembly);
            modules.Add(module);
        }
        var types = modules.SelectMany(each => each.GetTypes()).ToList();
        foreach (var type in types) Declare(type);
        foreach (var type in types)
            foreach (var method in type.Methods)
            {
                if (!IsMade(type)) Override(method);
                if (method.HasBody) Read(method);
            }
        foreach (var row in rows) Console.WriteLine(row);
    }

    static void Row(params object[] cells)
    {
        rows.Add(string.Join("\t", cells));
    }

    // What is declared

    static void Declare(TypeDefinition type)
    {
        foreach (var property in type.Properties)
        {
            var name = property.HasParameters ? "this" : Last(property.Name);
            var kind = property.HasParameters ? "indexer" : "property";
            if (property.GetMethod != null) accessors[property.GetMethod] = new[] { kind, name, "read" };
            if (property.SetMethod != null) accessors[property.SetMethod] = new[] { kind, name, "write" };
            Member(type, kind, name);
        }
        foreach (var each in type.Events)
        {
            accessors[each.AddMethod] = accessors[each.RemoveMethod] = new[] { "event", Last(each.Name), "write" };
            Member(type, "event", Last(each.Name));
        }
        foreach (var method in type.Methods)
            if (!accessors.ContainsKey(method)) Member(type, Kind(method), Last(method.Name));
        foreach (var field in type.Fields.Where(each => !members.Contains(Join(type, each.Name)))) Member(type, field.IsLiteral ? "constant" : "field", field.Name);
        Member(type, type.IsValueType ? "struct" : type.BaseType != null && type.BaseType.Name == "MulticastDelegate"
            ? "delegate" : "class", "");
    }

    static void Member(TypeDefinition type, string kind, string name)
    {
        if (IsMade(type) || name.StartsWith("<")) return;
        members.Add(Join(type, name));
        Row("member", kind, Join(type, name));
    }

    static string Kind(MethodDefinition method)
    {
        if (method.IsConstructor) return "constructor";
        return method.IsSpecialName && method.Name.StartsWith("op_") ? "operator" : "method";
    }

    // Links an overriding method to the first declaration in a base class.
    static void Override(MethodDefinition method)
    {
        if (!method.IsVirtual || method.IsNewSlot) return;
        MethodDefinition first = null;
        var type = method.DeclaringType;
        for (var above = type.BaseType; above != null;)
        {
            type = above.Resolve();
            if (type == null) break;
            first = type.Methods.FirstOrDefault(each => each.IsVirtual && each.Name == method.Name
                && each.Parameters.Count == method.Parameters.Count) ?? first;
            above = type.BaseType;
        }
        var isOwn = first != null && modules.Contains(first.Module);
        Row("override", Named(method), isOwn ? Named(first) : Outside);
    }

    // What is used

    static void Read(MethodDefinition method)
    {
        var user = User(method);
        if (user == null) return;
        // Initializers of fields run before the constructor of the base class.
        var isBegun = !(method.Name == ".ctor" && !method.DeclaringType.IsValueType && !IsMade(method.DeclaringType));
        foreach (var each in method.Body.Instructions)
        {
            var called = each.Operand as MethodReference;
            var field = each.Operand as FieldReference;
            if (called != null) Call(each.OpCode.Code, user, called);
            if (called != null && called.Name == ".ctor" && each.OpCode.Code == Code.Call) isBegun = true;
            if (field != null) Access(each.OpCode.Code, user, field, isBegun, method.Name == ".cctor");
        }
    }

    static void Call(Code code, string user, MethodReference reference)
    {
        var called = reference.Resolve();
        if (called == null || !modules.Contains(called.Module))
        {
            Row(Outside, user, Plain(reference));
            return;
        }
        if (IsMade(called.DeclaringType) || called.Name.StartsWith("<")) return;
        string[] accessor;
        var kind = code == Code.Newobj ? "new" : code == Code.Ldftn || code == Code.Ldvirtftn ? "value" : "call";
        if (accessors.TryGetValue(called, out accessor))
            kind = accessor[0] == "indexer" ? "indexer" : accessor[2];
        else if (called.IsConstructor && kind != "new") return;
        else if (Kind(called) == "operator") return;
        Use(kind, user, called.IsConstructor ? Join(called.DeclaringType, "") : Named(called));
    }

    static void Access(Code code, string user, FieldReference reference, bool isBegun, bool isStatic)
    {
        var field = reference.Resolve();
        if (field == null || IsMade(field.DeclaringType)) return;
        var isWrite = code == Code.Stfld || code == Code.Stsfld;
        var isAddress = code == Code.Ldflda || code == Code.Ldsflda;
        var name = field.Name;
        if (name.StartsWith("<") && name.EndsWith(">k__BackingField")) name = name.Substring(1, name.IndexOf('>') - 1);
        name = Join(field.DeclaringType, name);
        if (!members.Contains(name) || user == name) return; // of what the compiler adds, or an accessor of its own
        if (isWrite && (!isBegun || isStatic)) Use("initial", user, name);
        else Use(isWrite ? "write" : isAddress ? "address" : "read", user, name);
    }

    static void Use(string kind, string user, string name)
    {
        Row("use", kind, user, name);
    }

    // Names

    static string Join(TypeDefinition type, string name)
    {
        var whole = type.FullName.Replace('/', '.');
        var parts = whole.Split('.').Select(each => each.Split('`')[0]);
        return string.Join(".", parts) + (name == "" ? "" : "." + name);
    }

    static string Plain(MethodReference method)
    {
        var name = Last(method.Name);
        foreach (var start in new[] { "get_", "set_", "add_", "remove_" })
            if (name.StartsWith(start)) return name.Substring(start.Length);
        return name;
    }

    static string Named(MethodDefinition method)
    {
        string[] accessor;
        var name = accessors.TryGetValue(method, out accessor) ? accessor[1] : Last(method.Name);
        return Join(method.DeclaringType, name);
    }

    // The last part of an explicit implementation's name: `A.IEnumerable<B.C>.Get`.
    static string Last(string name)
    {
        int depth = 0, from = 0;
        for (var at = 0; at < name.Length; at++)
        {
            if (name[at] == '<') depth++;
            if (name[at] == '>') depth--;
            if (name[at] == '.' && depth == 0 && at > 0) from = at + 1;
        }
        return name.Substring(from);
    }

    static bool IsMade(TypeDefinition type)
    {
        return type != null && (type.Name.StartsWith("<") || type.Name.StartsWith("$") || IsMade(type.DeclaringType));
    }

    // The written method that a compiled one is of; its class for constructors, initializers and conversions.
    static string User(MethodDefinition method)
    {
        var type = method.DeclaringType;
        var hint = method.Name.StartsWith("<") ? Hint(method.Name) : "";
        for (; IsMade(type); type = type.DeclaringType)
        {
            if (type.DeclaringType == null) return null;
            if (Hint(type.Name) != "") hint = Hint(type.Name);
        }
        if (hint == "" && type != method.DeclaringType) return null;
        if (hint == "" && method.IsConstructor || hint == ".ctor" || hint == ".cctor") return Join(type, "");
        if (hint == "") return Kind(method) == "operator" || method.Name == "Finalize" ? Join(type, "") : Named(method);
        var written = type.Methods.FirstOrDefault(each => each.Name == hint)
            ?? type.Methods.FirstOrDefault(each => Last(each.Name) == Last(hint));
        return written == null ? Join(type, "") : User(written);
    }

    // `Pay` of `<Pay>c__Iterator0`.
    static string Hint(string name)
    {
        if (!name.StartsWith("<")) return "";
        var depth = 0;
        for (var at = 0; at < name.Length; at++)
        {
            if (name[at] == '<') depth++;
            if (name[at] == '>' && --depth == 0) return name.Substring(1, at - 1);
        }
        return "";
    }
}
