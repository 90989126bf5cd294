/** Finds the code that called a method of fw, in the current stack. */
import { isAbsolute } from "node:path"
import { toFilePath } from "../../project/stack-frames.ts"
import { createFrameworkTest } from "../../system/package.ts"

/** A position in the running code, counted from 0. */
export interface GeneratedPlace {
  readonly file: string
  readonly line: number
  readonly column: number
}

const isFramework = createFrameworkTest()

/** Returns the first stack frame outside fw; undefined if it is not in a file. */
export function findCallerFrame(): GeneratedPlace | undefined {
  const caller = captureFrames().find((frame) => !isFramework(toFile(frame)))
  const file = caller && toFile(caller)
  if (!file || !isAbsolute(file)) return undefined
  return { file, line: (caller.getLineNumber() ?? 1) - 1, column: (caller.getColumnNumber() ?? 1) - 1 }
}

function toFile(frame: NodeJS.CallSite): string {
  return toFilePath(frame.getFileName() ?? "")
}

function captureFrames(): readonly NodeJS.CallSite[] {
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
    // V8 calls prepareStackTrace only when the stack is read.
    void holder.stack
  } finally {
    Error.prepareStackTrace = prepareStackTrace
    Error.stackTraceLimit = stackTraceLimit
  }
  return frames
}
