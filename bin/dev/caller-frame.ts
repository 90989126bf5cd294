/** The code that called a method of fw, by the stack of the running call. */
import { isAbsolute } from "node:path"
import { fileURLToPath } from "node:url"

/** A position in the code that runs, counted from 0. */
export interface GeneratedPlace {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** Returns the frame below those of a module; undefined if it is not in a file. @param module a pattern of its file name. */
export function callerFrame(module: RegExp): GeneratedPlace | undefined {
  const frames = runningFrames()
  const isOfModule = (frame: NodeJS.CallSite | undefined) => module.test(frame?.getFileName() ?? "")
  let at = frames.findIndex(isOfModule)
  if (at < 0) return undefined
  while (isOfModule(frames[at])) at += 1
  const caller = frames[at]
  const name = caller?.getFileName()
  if (!caller || !name) return undefined
  const isURL = name.startsWith("file:")
  if (!isURL && !isAbsolute(name)) return undefined
  const line = (caller.getLineNumber() ?? 1) - 1
  return { file: isURL ? fileURLToPath(name) : name, line, column: (caller.getColumnNumber() ?? 1) - 1 }
}

function runningFrames(): readonly NodeJS.CallSite[] {
  const { prepareStackTrace, stackTraceLimit } = Error
  let frames: readonly NodeJS.CallSite[] = []
  const holder: { stack?: string } = {}
  try {
    Error.stackTraceLimit = 30
    Error.prepareStackTrace = (_, sites) => {
      frames = sites
      return ""
    }
    Error.captureStackTrace(holder)
    // The stack is made when it is read.
    void holder.stack
  } finally {
    Error.prepareStackTrace = prepareStackTrace
    Error.stackTraceLimit = stackTraceLimit
  }
  return frames
}
