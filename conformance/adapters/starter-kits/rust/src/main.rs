//! An adapter for dsh-conformance: JSON-RPC 2.0 over stdio, one message a line, answered in order.

mod json;

use json::{get, items, quoted, text};

const EDITIONS: &str = r#"["2026-08","0.1.0-rc.8"]"#;
// What works: "log", "surface", "request", "todo", "tasks", … The doctor tells what to add.
const CAPABILITIES: &str = "[]";
const IMPLEMENTATION: &str = r#"{"name":"my-harness","version":"0.1.0","language":"Rust"}"#;

const METHOD_NOT_FOUND: i32 = -32601;
const UNSUPPORTED: i32 = 1; // Yours cannot do this; data says why.

// 2: load_failed, a refused configuration. 3: rejected, by the log or the task registry.

/// The result as JSON, or the code and the message of an error.
type Answer = Result<String, (i32, String)>;

struct Adapter {
    now: f64,
}

impl Adapter {
    fn call(&mut self, method: &str, params: &str) -> Answer {
        match method {
            "initialize" => Ok(format!(
                r#"{{"protocolVersion":1,"implementation":{IMPLEMENTATION},"editions":{EDITIONS},"capabilities":{CAPABILITIES},"clock":"virtual"}}"#
            )),
            "reset" => self.reset(params),
            "together" => self.together(params),
            "clock.advance" => self.advance(params),
            "shutdown" => Ok("{}".into()),
            // WRITE HERE, one after the other; `dsh-conformance doctor` names the next one:
            // "agent.create", "log.append", "log.read", "tools.list", "tools.call", …
            // Let futures that are ready come to rest before you return.
            _ => Err((METHOD_NOT_FOUND, format!("method not found: {method}"))),
        }
    }

    /// Starts over: no agents, no log, the clock at 0, these plugins loaded.
    fn reset(&mut self, params: &str) -> Answer {
        self.now = 0.0;
        if let Some(plugin) = items(get(params, "plugins")).first() {
            // WRITE HERE: load yours with get(plugin, "config"); drop the old composition first.
            let name = text(get(plugin, "name"));
            return Err((UNSUPPORTED, format!("plugin {name} is not driven yet")));
        }
        Ok("{}".into())
    }

    /// Runs calls in one instant: let ready work go only after the last.
    fn together(&mut self, params: &str) -> Answer {
        let calls = items(get(params, "calls"));
        let answers = calls.iter().map(|call| format!("{{{}}}", self.answer(call)));
        Ok(format!(r#"{{"results":[{}]}}"#, answers.collect::<Vec<_>>().join(",")))
    }

    /// Moves the clock; run everything that is due by then.
    fn advance(&mut self, params: &str) -> Answer {
        self.now += get(params, "ms").parse().unwrap_or(0.0);
        Ok(format!(r#"{{"now":{}}}"#, self.now))
    }

    /// Carries out a call and returns `"result":…` or `"error":…`.
    fn answer(&mut self, call: &str) -> String {
        match self.call(&text(get(call, "method")), get(call, "params")) {
            Ok(result) => format!(r#""result":{result}"#),
            Err((code, message)) => {
                let said = quoted(&message);
                format!(r#""error":{{"code":{code},"message":{said},"data":{{"reason":{said}}}}}"#)
            }
        }
    }
}

fn main() {
    let mut adapter = Adapter { now: 0.0 };
    for line in std::io::stdin().lines().map_while(Result::ok) {
        println!(r#"{{"jsonrpc":"2.0","id":{},{}}}"#, get(&line, "id"), adapter.answer(&line));
        if text(get(&line, "method")) == "shutdown" {
            break;
        }
    }
}
