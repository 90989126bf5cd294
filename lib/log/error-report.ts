/** Formats an error that is a bug: with causes and stacks, whatever was thrown. */

/** Most errors to format. Nesting is never that deep, but an AggregateError may contain thousands. */
const mostErrors = 50
/** Longest message to print. A message may quote a whole request body. */
const longest = 8192

/**
 * Returns the error as text: name, message, stack, fields, causes, and the members of an AggregateError.
 * Lines after the first are indented and control characters escaped, so that a message cannot look like a log
 * line.
 */
export function formatBug(error: unknown): string {
  const lines: string[] = []
  describe(error, "", "", lines, new Set())
  return lines.join("\n")
}

function describe(error: unknown, indent: string, label: string, lines: string[], seen: Set<unknown>): void {
  if (seen.has(error)) return void lines.push(`${indent}${label}[circular]`)
  if (seen.size >= mostErrors) return
  if (!isErrorLike(error)) return void pushText(`thrown: ${showValue(error)}`, indent, label, lines)
  seen.add(error)
  const name = text(read(error, "name")) || "Error"
  const message = text(read(error, "message"))
  const title = message ? `${name}: ${message}` : name
  pushText(title, indent, label, lines)
  for (const frame of framesOf(text(read(error, "stack")), title))
    lines.push(`${indent}    ${printable(frame)}`)
  for (const field of fieldsOf(error)) lines.push(`${indent}    ${field}`)
  const members = read(error, "errors")
  if (Array.isArray(members)) describeMembers(members, indent, lines, seen)
  const cause = read(error, "cause")
  if (cause !== undefined) describe(cause, `${indent}  `, "caused by ", lines, seen)
}

function describeMembers(members: unknown[], indent: string, lines: string[], seen: Set<unknown>): void {
  for (let i = 0; i < members.length; i++) {
    if (seen.size >= mostErrors) return void lines.push(`${indent}  … ${members.length - i} more`)
    describe(read(members, i), `${indent}  `, `[${i}] `, lines, seen)
  }
}

/**
 * Adds a text that may have several lines. Those after the first are indented more than any line of the log.
 */
function pushText(value: string, indent: string, label: string, lines: string[]): void {
  const [first = "", ...rest] = clip(value).split("\n")
  lines.push(`${indent}${label}${printable(first)}`)
  for (const line of rest) lines.push(`${indent}    ${printable(line)}`)
}

function isErrorLike(value: unknown): value is object {
  return typeof value === "object" && value !== null && typeof read(value, "message") === "string"
}

/**
 * Returns the frames of a stack without its title, which V8 repeats there (as it was when thrown) and
 * JavaScriptCore does not.
 */
function framesOf(stack: string, title: string): string[] {
  const body = stack.startsWith(title) ? stack.slice(title.length) : stack
  const frames = body.split("\n").map((line) => line.trim())
  const isFrame = stack.includes("\n    at ") ? /^at / : /@|:\d+/
  return frames.filter((line) => isFrame.test(line)).slice(0, mostErrors)
}

const shown = new Set(["name", "message", "stack", "cause", "errors"])

/**
 * Returns the error's own plain fields, such as `code` and `path`. Objects are left out, because they may
 * contain anything.
 */
function fieldsOf(error: object): string[] {
  const fields: string[] = []
  for (const key of keysOf(error)) {
    const value = shown.has(key) ? undefined : read(error, key)
    if (value === undefined || value === null || typeof value === "object" || typeof value === "function")
      continue
    fields.push(`${printable(key)}: ${showValue(value)}`)
  }
  return fields
}

function keysOf(value: object): string[] {
  try {
    return Object.keys(value)
  } catch {
    return []
  }
}

/** Reads a property; undefined if a getter or a proxy throws. */
function read(value: object, key: PropertyKey): unknown {
  try {
    return (value as Record<PropertyKey, unknown>)[key]
  } catch {
    return undefined
  }
}

function text(value: unknown): string {
  return typeof value === "string" ? value : ""
}

function showValue(value: unknown): string {
  try {
    const shown =
      typeof value === "object" || typeof value === "string" ? JSON.stringify(value) : String(value)
    return printable(clip(shown ?? String(value)))
  } catch {
    return "(a value that cannot be shown)"
  }
}

function clip(value: string): string {
  return value.length > longest ? `${value.slice(0, longest)}… (${value.length - longest} more)` : value
}

/** Escapes control and format characters, which could control a terminal or reorder a line. */
export function printable(value: string): string {
  // Not a constant of the module: V8 would look up the properties whenever the module is loaded.
  return value.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escapeCharacter)
}

/** Escapes a character. One beyond U+FFFF becomes two escapes, as in JSON, so that valid JSON stays valid. */
function escapeCharacter(character: string): string {
  return character.length === 1
    ? escapeUnit(character)
    : escapeUnit(character) + escapeUnit(character.slice(1))
}

/** Returns the first code unit of a text as `\u001b`. */
export function escapeUnit(text: string): string {
  return `\\u${text.charCodeAt(0).toString(16).padStart(4, "0")}`
}
