using System;
using System.IO;
using System.Linq;
using Mono.Cecil;
using Mono.Cecil.Cil;
using Mono.Cecil.Mdb;

/// Writes the calls that an assembly's methods make, with the lines of the statements they stand in; for mcs_calls.py.
///
/// A row is a file, the first line of the statement, the type and name of what is called, "made" for an object
/// that is made, "delegate" for a value that is called, else "call", and the types of the parameters; between tabs.
static class CSharpCalls {
    const int Hidden = 0xfeefee;

    static void Main(string[] arguments) {
        var settings = new ReaderParameters { ReadSymbols = true, SymbolReaderProvider = new MdbReaderProvider() };
        using (var output = new StreamWriter(arguments[1])) {
            foreach (var type in ModuleDefinition.ReadModule(arguments[0], settings).GetTypes()) {
                foreach (var method in type.Methods.Where(each => each.HasBody)) {
                    Write(method, output);
                }
            }
        }
    }

    static void Write(MethodDefinition method, TextWriter output) {
        SequencePoint at = null;
        foreach (var step in method.Body.Instructions) {
            at = step.SequencePoint != null && step.SequencePoint.StartLine != Hidden ? step.SequencePoint : at;
            var called = step.Operand as MethodReference;
            if (at == null || called == null || step.OpCode.Code == Code.Ldftn || step.OpCode.Code == Code.Ldvirtftn) {
                continue;
            }
            var kind = step.OpCode.Code == Code.Newobj ? "made" : IsDelegate(called) ? "delegate" : "call";
            var parameters = string.Join(",", called.Parameters.Select(each => each.ParameterType.FullName));
            output.WriteLine(string.Join("\t", at.Document.Url, at.StartLine, called.DeclaringType.GetElementType().FullName,
                called.Name, kind, parameters));
        }
    }

    static bool IsDelegate(MethodReference called) {
        if (called.Name != "Invoke") return false;
        try {
            var type = called.DeclaringType.Resolve();
            return type != null && type.BaseType != null && type.BaseType.FullName == "System.MulticastDelegate";
        } catch (AssemblyResolutionException) {
            return true;
        }
    }
}
