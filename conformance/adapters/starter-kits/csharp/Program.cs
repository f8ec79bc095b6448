// An adapter for dsh-conformance: JSON-RPC 2.0 over stdio, one message a line, answered in order.
using System.Text;
using System.Text.Json.Nodes;

var utf8 = new UTF8Encoding(encoderShouldEmitUTF8Identifier: false);
using var input = new StreamReader(Console.OpenStandardInput(), utf8);
using var output = new StreamWriter(Console.OpenStandardOutput(), utf8) { AutoFlush = true, NewLine = "\n" };
// Standard output belongs to the protocol.
Console.SetOut(Console.Error);

var adapter = new Adapter();
while (await input.ReadLineAsync() is { } line)
{
    var request = JsonNode.Parse(line)!.AsObject();
    var method = (string)request["method"]!;
    var answer = await adapter.Answer(method, request["params"]?.AsObject() ?? new JsonObject());
    answer["jsonrpc"] = "2.0";
    answer["id"] = request["id"]!.DeepClone();
    await output.WriteLineAsync(answer.ToJsonString());
    if (method == "shutdown") break;
}

/// <summary>An answer with an error of the protocol.</summary>
sealed class Failure(int code, string message, JsonNode? data = null) : Exception(message)
{
    public const int MethodNotFound = -32601;
    public const int InternalError = -32603;
    public const int Unsupported = 1; // Yours cannot do this; data says why.
    public const int LoadFailed = 2; // Yours refused its configuration; the message is its own text.
    public const int Rejected = 3; // Yours refused something of the log or the task registry.

    public static Failure NotThere(string reason) =>
        new(Unsupported, reason, new JsonObject { ["reason"] = reason });

    public JsonObject ToJson()
    {
        var error = new JsonObject { ["code"] = code, ["message"] = Message };
        if (data is not null) error["data"] = data.DeepClone();
        return error;
    }
}

/// <summary>Drives the implementation.</summary>
sealed class Adapter
{
    const int ProtocolVersion = 1;
    static readonly string[] Editions = ["2026-08", "0.1.0-rc.8"];

    // What works: "log", "surface", "request", "todo", "tasks", … The doctor tells what to add.
    static readonly string[] Capabilities = [];

    readonly Dictionary<string, Func<JsonObject, Task<JsonObject>>> methods;
    double now;

    public Adapter() => methods = new()
    {
        ["initialize"] = Initialize,
        ["reset"] = Reset,
        ["together"] = Together,
        ["clock.advance"] = ClockAdvance,
        ["shutdown"] = _ => Task.FromResult(new JsonObject()),
        // WRITE HERE, one after the other; `dsh-conformance doctor` names the next one:
        // ["agent.create"], ["log.append"], ["log.read"], ["tools.list"], ["tools.call"], …
        // Let tasks that are ready come to rest before you return.
    };

    Task<JsonObject> Initialize(JsonObject parameters) => Task.FromResult(new JsonObject
    {
        ["protocolVersion"] = ProtocolVersion,
        ["implementation"] = new JsonObject
        {
            ["name"] = "my-harness",
            ["version"] = "0.1.0",
            ["language"] = "C#",
        },
        ["editions"] = ListOf(Editions.Select(name => JsonValue.Create(name))),
        ["capabilities"] = ListOf(Capabilities.Select(name => JsonValue.Create(name))),
        ["clock"] = "virtual",
    });

    /// <summary>Starts over: no agents, no log, the clock at 0, these plugins loaded.</summary>
    Task<JsonObject> Reset(JsonObject parameters)
    {
        now = 0;
        foreach (var plugin in parameters["plugins"]!.AsArray())
        {
            // WRITE HERE: load yours with plugin["config"]; drop the old composition first.
            throw Failure.NotThere($"plugin {plugin!["name"]} is not driven yet");
        }
        return Task.FromResult(new JsonObject());
    }

    /// <summary>Runs calls in one instant: let ready work go only after the last.</summary>
    async Task<JsonObject> Together(JsonObject parameters)
    {
        var answers = parameters["calls"]!.AsArray().Select(
            call => Answer((string)call!["method"]!, call["params"]!.AsObject())).ToArray();
        return new JsonObject { ["results"] = ListOf(await Task.WhenAll(answers)) };
    }

    /// <summary>Moves the clock; run everything that is due by then.</summary>
    Task<JsonObject> ClockAdvance(JsonObject parameters)
    {
        now += (double)parameters["ms"]!;
        return Task.FromResult(new JsonObject { ["now"] = now });
    }

    /// <summary>Calls a method and returns {result} or {error}.</summary>
    public async Task<JsonObject> Answer(string method, JsonObject parameters)
    {
        if (!methods.TryGetValue(method, out var function))
        {
            var unknown = new Failure(Failure.MethodNotFound, $"method not found: {method}");
            return new JsonObject { ["error"] = unknown.ToJson() };
        }
        try
        {
            return new JsonObject { ["result"] = await function(parameters) };
        }
        catch (Failure failure)
        {
            return new JsonObject { ["error"] = failure.ToJson() };
        }
        catch (Exception error)
        {
            Console.Error.WriteLine(error);
            var failure = new Failure(Failure.InternalError, error.Message);
            return new JsonObject { ["error"] = failure.ToJson() };
        }
    }

    static JsonArray ListOf(IEnumerable<JsonNode?> items) => new(items.ToArray());
}
