/** JSON of a body: its text, its values, and the keys that it must not have. */
import { badRequest } from "../errors.ts"

const textDecoder = new TextDecoder()
const strictDecoder = new TextDecoder("utf-8", { fatal: true })

/** Decodes text. @throws HttpError 400 for bytes that are not UTF-8. */
export function decodeText(bytes: Uint8Array): string {
  // Runtimes decode faster if they may insert replacement characters. Only text that has one can come from bytes that
  // are not UTF-8.
  const text = textDecoder.decode(bytes)
  if (!text.includes("\ufffd")) return text
  try {
    return strictDecoder.decode(bytes)
  } catch {
    throw badRequest("the body is not valid UTF-8")
  }
}

/** Decodes JSON. @throws HttpError 400 as {@link parseJSON} does, and without bytes. */
export function decodeJSON(bytes: Uint8Array): unknown {
  if (bytes.byteLength === 0) throw badRequest("the body is empty, not JSON")
  return parseJSON(decodeText(bytes))
}

/** Keys that change a prototype when they are merged. Escapes for some letters can spell them in another way. */
const suspiciousTexts = ["__proto__", "constructor", "\\u"]

/** Parses JSON. @throws HttpError 400, also for a key that would change a prototype. */
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
 * Returns the place of a syntax error from V8's message, which is not sent itself because it quotes the body.
 */
function describeSyntaxError(text: string, cause: unknown): string {
  const at = /at position (\d+)/.exec(String(cause))
  if (!at || Number(at[1]) >= text.length)
    return at || /end of JSON|Unterminated string in JSON/.test(String(cause)) ? ": it ends too early" : ""
  const before = text.slice(0, Number(at[1])).split("\n")
  return ` at line ${before.length}, column ${(before.at(-1) as string).length + 1}`
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
