// An adapter for dsh-conformance: JSON-RPC 2.0 over stdio, one message a line, answered in order.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
)

const protocolVersion = 1

var editions = []string{"2026-08", "0.1.0-rc.8"}

// What works: "log", "surface", "request", "todo", "tasks", … The doctor tells what to add.
var capabilities = []string{}

const (
	methodNotFound = -32601
	internalError  = -32603
	unsupported    = 1 // Yours cannot do this; data says why.
	loadFailed     = 2 // Yours refused its configuration; the message is its own text.
	rejected       = 3 // Yours refused something of the log or the task registry; its own text.
)

type object = map[string]any

// Failure is an answer with an error of the protocol.
type Failure struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

func (f *Failure) Error() string { return f.Message }

type call struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

type adapter struct {
	now    float64
	agents map[string]any
}

func (a *adapter) initialize(json.RawMessage) (any, error) {
	return object{
		"protocolVersion": protocolVersion,
		"implementation":  object{"name": "my-harness", "version": "0.1.0", "language": "Go"},
		"editions":        editions,
		"capabilities":    capabilities,
		"clock":           "virtual",
	}, nil
}

// reset starts over: no agents, no log, the clock at 0, these plugins loaded.
func (a *adapter) reset(raw json.RawMessage) (any, error) {
	var params struct {
		Plugins []struct {
			Name   string          `json:"name"`
			Config json.RawMessage `json:"config"`
		} `json:"plugins"`
		Services []string `json:"services"`
		StateDir string   `json:"stateDir"`
	}
	if err := json.Unmarshal(raw, &params); err != nil {
		return nil, err
	}
	a.now, a.agents = 0, map[string]any{}
	for _, plugin := range params.Plugins {
		// WRITE HERE: load yours with plugin.Config; drop the old composition first.
		reason := fmt.Sprintf("plugin %s is not driven yet", plugin.Name)
		return nil, &Failure{unsupported, reason, object{"reason": reason}}
	}
	return object{}, nil
}

// together runs calls in one instant: let ready work go only after the last.
func (a *adapter) together(raw json.RawMessage) (any, error) {
	var params struct {
		Calls []call `json:"calls"`
	}
	if err := json.Unmarshal(raw, &params); err != nil {
		return nil, err
	}
	results := make([]object, len(params.Calls))
	for i, one := range params.Calls {
		results[i] = a.answer(one)
	}
	return object{"results": results}, nil
}

// clockAdvance moves the clock; run everything that is due by then.
func (a *adapter) clockAdvance(raw json.RawMessage) (any, error) {
	var params struct{ Ms float64 }
	err := json.Unmarshal(raw, &params)
	a.now += params.Ms
	return object{"now": a.now}, err
}

func (a *adapter) shutdown(json.RawMessage) (any, error) { return object{}, nil }

func (a *adapter) method(name string) func(json.RawMessage) (any, error) {
	return map[string]func(json.RawMessage) (any, error){
		"initialize":    a.initialize,
		"reset":         a.reset,
		"together":      a.together,
		"clock.advance": a.clockAdvance,
		"shutdown":      a.shutdown,
		// WRITE HERE, one after the other; `dsh-conformance doctor` names the next one:
		// "agent.create", "log.append", "log.read", "tools.list", "tools.call", …
		// Let goroutines that are ready come to rest before you return.
	}[name]
}

// answer calls a method and returns {result} or {error}.
func (a *adapter) answer(one call) object {
	method := a.method(one.Method)
	if method == nil {
		return object{"error": Failure{Code: methodNotFound, Message: "method not found: " + one.Method}}
	}
	result, err := method(one.Params)
	var failure *Failure
	if errors.As(err, &failure) {
		return object{"error": failure}
	} else if err != nil {
		return object{"error": Failure{Code: internalError, Message: err.Error()}}
	}
	return object{"result": result}
}

func main() {
	driver, in, out := &adapter{}, bufio.NewReader(os.Stdin), json.NewEncoder(os.Stdout)
	for request := (call{}); request.Method != "shutdown"; {
		line, err := in.ReadBytes('\n')
		if err != nil || json.Unmarshal(line, &request) != nil {
			return
		}
		reply := driver.answer(request)
		reply["jsonrpc"], reply["id"] = "2.0", request.ID
		out.Encode(reply)
	}
}
