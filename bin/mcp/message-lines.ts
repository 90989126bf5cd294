/** Checks the lines of MCP over stdio: one message each (MCP 2025-11-25, Transports, stdio). */
import { Transform, type TransformCallback } from "node:stream"
import { StringDecoder } from "node:string_decoder"
import {
  codes,
  errorAnswer,
  idOf,
  type Message,
  MessageError,
  parseBody,
  toMessage,
} from "../../lib/mcp/message.ts"

/** The texts that methods need. The SDK would answer that it failed itself. */
const needed: Readonly<Record<string, string>> = { "resources/read": "uri", "tools/call": "name" }

/** Checks the parameters of a request. @throws MessageError for those that are missing, or have another type. */
function checkParams(message: Message | undefined): void {
  const { id, method = "", params = {} } = message ?? {}
  const name = Object.hasOwn(needed, method) ? needed[method] : undefined
  if (id === undefined || name === undefined) return
  if (typeof params[name] !== "string")
    throw new MessageError(codes.params, `params.${name} is not a text`, 200)
  const { arguments: given = {} } = params
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw new MessageError(codes.params, "arguments is not an object", 200)
}

/** Passes messages on. A line that is not one is answered with an error: the SDK would leave its client without an answer. */
export class MessageLines extends Transform {
  readonly #decoder = new StringDecoder("utf8")
  readonly #answer: (line: string) => void
  /** The parts of a line whose end has not arrived. */
  #parts: string[] = []

  /** Creates it. @param answer sends an answer, with its line break. */
  constructor(answer: (line: string) => void) {
    super()
    this.#answer = answer
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const [first = "", ...rest] = this.#decoder.write(chunk).split("\n")
    this.#parts.push(first)
    for (const next of rest) {
      this.#take(this.#parts.join(""))
      this.#parts = [next]
    }
    done()
  }

  override _flush(done: TransformCallback): void {
    this.#take(this.#parts.join(""))
    done()
  }

  #take(line: string): void {
    if (line.trim() === "") return
    let given: unknown
    try {
      given = parseBody(line)
      checkParams(toMessage(given))
    } catch (error) {
      if (!(error instanceof MessageError)) throw error
      this.#answer(`${JSON.stringify(errorAnswer(idOf(given), error).response)}\n`)
      return
    }
    this.push(`${line}\n`)
  }
}
