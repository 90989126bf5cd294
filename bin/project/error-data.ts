/** Converts errors of a program to plain data, which another process can show. */
import { inspect } from "node:util"

/** An error, as plain data. */
export interface ErrorData {
  readonly message: string
  readonly stack: string
  /** The `code` of errors of the system and of fw. */
  readonly code?: string
  /** The fix of an FwError. */
  readonly fix?: string
  /** The source lines around the position, as they were when they ran. Without them, the current file is read. */
  readonly frame?: string
}

const throwFix = "Throw an Error, as in throw new Error(message): other values have no stack."

const objectFix =
  'Throw an error of fw, as in throw notFound("no contact"), or an Error: other objects are answered with 500 and have no stack.'

function formatValue(value: unknown): string {
  return typeof value === "string" ? value : inspect(value, { depth: 1, breakLength: 80, maxStringLength: 200 })
}

/** Returns the data of any thrown value. */
export function toErrorData(error: unknown): ErrorData {
  if (typeof error !== "object" || error === null || !("message" in error))
    return { message: `thrown: ${formatValue(error)}`, stack: "", fix: throwFix }
  const { name, message, stack, code, fix } = error as Record<string, unknown>
  const title = name && name !== "FwError" && name !== "Error" ? `${name}: ${message}` : String(message)
  return {
    message: title,
    stack: typeof stack === "string" ? stack : "",
    ...(typeof code === "string" && { code }),
    // An FwError is recognized by its members and not by its class, because the project may have its own copy of
    // fw.
    ...(typeof fix === "string" ? { fix } : stack === undefined && { fix: objectFix }),
  }
}
