/**
 * Formats a bug for the log, with its causes and stacks. The bug may be any value, because programs can throw anything.
 */

/** Maximum number of errors in a report, and of lines of a stack. An AggregateError may contain thousands of errors. */
const maxErrors = 50
/** Maximum number of characters of a message. A message may quote a whole request body. */
const maxChars = 8192

/**
 * Returns an error as text: name, message, stack, fields, causes, and the members of an AggregateError. Lines after the
 * first are indented, and control characters are escaped, so that no message can look like another line of the log.
 *
 * @param isSecret returns true for the name of a field that is not shown.
 */
export function formatBug(error: unknown, isSecret: (field: string) => boolean = () => false): string {
  const lines: string[] = []
  const reportedErrors = new Set<unknown>()

  function addError(one: unknown, indent: string, label: string): void {
    if (reportedErrors.has(one)) return void lines.push(`${indent}${label}[circular]`)
    if (reportedErrors.size >= maxErrors) return
    if (!isErrorLike(one)) return void addText(`thrown: ${formatValue(one)}`, indent, label)
    reportedErrors.add(one)
    const name = toText(readProperty(one, "name")) || "Error"
    const message = toText(readProperty(one, "message"))
    const title = message ? `${name}: ${message}` : name
    addText(title, indent, label)
    for (const frame of listFrames(toText(readProperty(one, "stack")), title))
      lines.push(`${indent}    ${escapeControls(frame)}`)
    for (const field of listFields(one, isSecret)) lines.push(`${indent}    ${field}`)
    const members = readProperty(one, "errors")
    if (Array.isArray(members)) addMembers(members, indent)
    const cause = readProperty(one, "cause")
    if (cause !== undefined) addError(cause, `${indent}  `, "caused by ")
  }

  function addMembers(members: unknown[], indent: string): void {
    for (let i = 0; i < members.length; i++) {
      if (reportedErrors.size >= maxErrors) return void lines.push(`${indent}  … ${members.length - i} more`)
      addError(readProperty(members, i), `${indent}  `, `[${i}] `)
    }
  }

  /** Adds a text that may have several lines. Lines after the first are indented more than any other line of the log. */
  function addText(value: string, indent: string, label: string): void {
    const [first = "", ...rest] = clipText(value).split("\n")
    lines.push(`${indent}${label}${escapeControls(first)}`)
    for (const line of rest) lines.push(`${indent}    ${escapeControls(line)}`)
  }

  addError(error, "", "")
  return lines.join("\n")
}

function isErrorLike(value: unknown): value is object {
  return typeof value === "object" && value !== null && typeof readProperty(value, "message") === "string"
}

/**
 * Returns the lines of a stack after its title. V8 repeats the error's name and message there, JavaScriptCore does not.
 */
function listFrames(stack: string, title: string): string[] {
  const body = stack.startsWith(title) ? stack.slice(title.length) : stack
  const frames = body.split("\n").map((line) => line.trim())
  const framePattern = stack.includes("\n    at ") ? /^at / : /@|:\d+/
  return frames.filter((line) => framePattern.test(line)).slice(0, maxErrors)
}

const standardFields = new Set(["name", "message", "stack", "cause", "errors"])

/**
 * Returns the fields of an error with simple values, such as `code` and `path`. Objects are left out, because they may
 * contain anything.
 */
function listFields(error: object, isSecret: (field: string) => boolean): string[] {
  const fields: string[] = []
  for (const key of listKeys(error)) {
    const value = standardFields.has(key) || isSecret(key) ? undefined : readProperty(error, key)
    if (value === undefined || value === null || typeof value === "object" || typeof value === "function") continue
    fields.push(`${escapeControls(key)}: ${formatValue(value)}`)
  }
  return fields
}

function listKeys(value: object): string[] {
  try {
    return Object.keys(value)
  } catch {
    return []
  }
}

/** Reads a property. Returns undefined if a getter or a proxy throws. */
function readProperty(value: object, key: PropertyKey): unknown {
  try {
    return (value as Record<PropertyKey, unknown>)[key]
  } catch {
    return undefined
  }
}

/** Returns the message of an error, or another value that was thrown as text. Never throws. */
export function readErrorMessage(error: unknown): string {
  if (typeof error === "string") return error
  return isErrorLike(error) ? toText(readProperty(error, "message")) : formatValue(error)
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : ""
}

function formatValue(value: unknown): string {
  try {
    const valueText = typeof value === "object" || typeof value === "string" ? JSON.stringify(value) : String(value)
    return escapeControls(clipText(valueText ?? String(value)))
  } catch {
    return "(a value that cannot be shown)"
  }
}

/** Returns a text, cut if it is very long. */
export function clipText(value: string): string {
  return value.length > maxChars ? `${value.slice(0, maxChars)}… (${value.length - maxChars} more)` : value
}

/** Escapes control and format characters. They could control a terminal, or reorder a line. */
export function escapeControls(value: string): string {
  // The expression is not a constant of the module, because V8 would then look up the Unicode properties at every
  // start.
  return value.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escapeCharacter)
}

/** Escapes a character. A character beyond U+FFFF becomes two escapes, as in JSON, so that JSON stays valid. */
function escapeCharacter(character: string): string {
  return character.length === 1 ? escapeUnit(character) : escapeUnit(character) + escapeUnit(character.slice(1))
}

/** Returns the first code unit of a text as an escape, such as `\u001b`. */
export function escapeUnit(text: string): string {
  return `\\u${text.charCodeAt(0).toString(16).padStart(4, "0")}`
}
