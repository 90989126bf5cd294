/** Decodes text and JSON in bodies, and refuses keys that are dangerous. */
import { badRequest } from "../errors.ts"

const textDecoder = new TextDecoder()
const strictDecoder = new TextDecoder("utf-8", { fatal: true })

/** Decodes UTF-8. @throws HttpError 400 for other bytes. */
export function decodeText(bytes: Uint8Array): string {
  // Decoding is faster if the runtime may insert replacement characters. Only a text that has one needs the strict
  // check.
  const text = textDecoder.decode(bytes)
  if (!text.includes("\ufffd")) return text
  try {
    return strictDecoder.decode(bytes)
  } catch {
    throw badRequest("the body is not valid UTF-8")
  }
}

/** Decodes JSON. @throws HttpError 400 for no bytes, and as {@link parseJSON} does. */
export function decodeJSON(bytes: Uint8Array): unknown {
  if (bytes.byteLength === 0) throw badRequest("the body is empty, not JSON")
  return parseJSON(decodeText(bytes))
}

/**
 * Texts in JSON that may be keys which change a prototype when objects are merged. `\u` may hide letters of such a key.
 */
const suspiciousTexts = ["__proto__", "constructor", "\\u"]

/** Parses JSON. @throws HttpError 400 for other text, and for a key that would change a prototype. */
export function parseJSON(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw badRequest(`the body is not valid JSON${describeSyntaxError(text, cause)}`, { cause })
  }
  if (suspiciousTexts.some((part) => text.includes(part))) checkPrototypeKeys(value)
  return value
}

/**
 * Returns the position of a syntax error, as V8's message states it. The message itself quotes the body, so clients
 * must not see it.
 */
function describeSyntaxError(text: string, cause: unknown): string {
  const match = /at position (\d+)/.exec(String(cause))
  if (!match || Number(match[1]) >= text.length)
    return match || /end of JSON|Unterminated string in JSON/.test(String(cause)) ? ": it ends too early" : ""
  const lines = text.slice(0, Number(match[1])).split("\n")
  return ` at line ${lines.length}, column ${(lines.at(-1) as string).length + 1}`
}

function checkPrototypeKeys(root: unknown): void {
  const queue: unknown[] = [root]
  for (let value = queue.pop(); value !== undefined; value = queue.pop()) {
    if (typeof value !== "object" || value === null) continue
    if (Object.hasOwn(value, "__proto__")) throw badRequest('the body has a key "__proto__", which is not allowed')
    for (const [key, child] of Object.entries(value)) {
      if (key === "constructor" && typeof child === "object" && child !== null && Object.hasOwn(child, "prototype")) {
        throw badRequest('the body has a key "constructor.prototype", which is not allowed')
      }
      if (typeof child === "object" && child !== null) queue.push(child)
    }
  }
}
