/** Finds the position of a function's code. V8 knows it, but reveals it only to a debugger. */
import { type Debugger, type Runtime, Session } from "node:inspector"

/** A position in a running script. */
export interface FunctionLocation {
  readonly url: string
  /** Counted from 0, as is the column. */
  readonly line: number
  readonly column: number
}

/** The key of the global variable through which the debugger gets the function. */
const functionKey: unique symbol = Symbol.for("fw.located")
type FunctionHolder = { [functionKey]?: object | undefined }

/**
 * Returns the position of a function; undefined if it has none, such as a bound function. Opens a debugger session
 * for a moment.
 */
export function findFunctionLocation(fn: object): FunctionLocation | undefined {
  const session = new Session()
  const urls = new Map<string, string>()
  const holder = globalThis as FunctionHolder
  try {
    session.connect()
    holder[functionKey] = fn
    session.on("Debugger.scriptParsed", ({ params }) => urls.set(params.scriptId, params.url))
    session.post("Debugger.enable")
    const location = readLocation(session)
    const url = location && urls.get(location.scriptId)
    return url ? { url, line: location.lineNumber, column: location.columnNumber ?? 0 } : undefined
  } catch {
    // If another debugger uses the process, it may refuse. The position is not shown then.
    return undefined
  } finally {
    delete holder[functionKey]
    session.disconnect()
  }
}

/**
 * Reads the internal property in which V8 keeps the position. A debugger session to its own thread answers before
 * `post` returns.
 */
function readLocation(session: Session): Debugger.Location | undefined {
  let objectId: string | undefined
  let location: Debugger.Location | undefined
  const expression = 'globalThis[Symbol.for("fw.located")]'
  session.post("Runtime.evaluate", { expression }, (_, result) => {
    objectId = result?.result.objectId
  })
  if (objectId === undefined) return undefined
  session.post("Runtime.getProperties", { objectId, ownProperties: true }, (_, result) => {
    const found = (result?.internalProperties ?? []).find(({ name }) => name === "[[FunctionLocation]]")
    location = (found?.value as Runtime.RemoteObject | undefined)?.value
  })
  return location
}
