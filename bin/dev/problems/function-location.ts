/** The position of a function's code, which V8 knows and only a debugger can ask for. */
import { type Debugger, type Runtime, Session } from "node:inspector"

/** A position in a script that runs. */
export interface FunctionLocation {
  readonly url: string
  /** Counted from 0, like the column. */
  readonly line: number
  readonly column: number
}

/** The name of the global variable that hands the function to the debugger for the time of the question. */
const functionKey: unique symbol = Symbol.for("fw.located")
type FunctionHolder = { [functionKey]?: object | undefined }

/** Returns the position of a function; undefined if it has none, such as a bound function. Debugs the process for a moment. */
export function findFunctionLocation(fn: object): FunctionLocation | undefined {
  const session = new Session()
  const urls = new Map<string, string>()
  const holder = globalThis as FunctionHolder
  try {
    session.connect()
    holder[functionKey] = fn
    session.on("Debugger.scriptParsed", ({ params }) => urls.set(params.scriptId, params.url))
    session.post("Debugger.enable")
    const location = askForLocation(session)
    const url = location && urls.get(location.scriptId)
    return url ? { url, line: location.lineNumber, column: location.columnNumber ?? 0 } : undefined
  } catch {
    // A process that another debugger is using may refuse this. Then the position is not shown.
    return undefined
  } finally {
    delete holder[functionKey]
    session.disconnect()
  }
}

/**
 * Asks for the internal property in which V8 keeps the position. Messages of a session to its own thread are answered
 * before `post` returns.
 */
function askForLocation(session: Session): Debugger.Location | undefined {
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
