/**
 * The ways a method of the protocol can end other than with a result.
 *
 * Each carries the code that the protocol page gives it; everything else that
 * is thrown reaches the runner as an adapter error.
 */

const UNSUPPORTED = 1;
const LOAD_FAILED = 2;
const REJECTED = 3;
const INVALID_PARAMS = -32602;
const METHOD_NOT_FOUND = -32601;
const ADAPTER_ERROR = -32000;

/** An answer with an error code of the protocol. */
export class ProtocolFailure extends Error {
  constructor(code, message, data) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** The packages have nothing that the runner asks for. */
export const unsupported = (reason) => new ProtocolFailure(UNSUPPORTED, reason, { reason });

/** The runner asks for something that the protocol does not know. */
export const invalidParams = (message) => new ProtocolFailure(INVALID_PARAMS, message);

/** No such method. */
export const methodNotFound = (method) =>
  new ProtocolFailure(METHOD_NOT_FOUND, `method not found: ${method}`);

/** The text of whatever was thrown, as the packages themselves would show it. */
export const messageOf = (error) => (error instanceof Error ? error.message : String(error));

/** Runs an operation of a package and reports its refusal as an observation. */
export function observed(operation) {
  try {
    return operation();
  } catch (error) {
    throw asRejected(error);
  }
}

const asRejected = (error) =>
  error instanceof ProtocolFailure ? error : new ProtocolFailure(REJECTED, messageOf(error));

/** Awaits the loading of a plugin and reports its refusal as an observation. */
export async function loaded(loading) {
  try {
    return await loading;
  } catch (error) {
    throw new ProtocolFailure(LOAD_FAILED, messageOf(error));
  }
}

/** The JSON-RPC error object for whatever was thrown. */
export function errorObject(error) {
  const code = error instanceof ProtocolFailure ? error.code : ADAPTER_ERROR;
  const data = error instanceof ProtocolFailure ? error.data : undefined;
  return { code, message: messageOf(error), ...(data === undefined ? {} : { data }) };
}
