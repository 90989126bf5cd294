/** The code that called a method of fw, by the stack of the running call. */
import { isAbsolute } from "node:path"
import { filePath } from "../project/frames.ts"
import { frameworkFiles } from "../system/package.ts"

/** A position in the code that runs, counted from 0. */
export interface GeneratedPlace {
  readonly file: string
  readonly line: number
  readonly column: number
}

const isFramework = frameworkFiles()

/** Returns the frame below those of fw; undefined if it is not in a file. */
export function callerFrame(): GeneratedPlace | undefined {
  const caller = runningFrames().find((frame) => !isFramework(fileOf(frame)))
  const file = caller && fileOf(caller)
  if (!file || !isAbsolute(file)) return undefined
  return { file, line: (caller.getLineNumber() ?? 1) - 1, column: (caller.getColumnNumber() ?? 1) - 1 }
}

function fileOf(frame: NodeJS.CallSite): string {
  return filePath(frame.getFileName() ?? "")
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
