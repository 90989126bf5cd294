/** Checks the lines of MCP over stdio: one message each (MCP 2025-11-25, Transports, stdio). */
import { Transform, type TransformCallback } from "node:stream"
import { StringDecoder } from "node:string_decoder"
import {
  createErrorAnswer,
  errorCodes,
  MessageError,
  parseBody,
  type RPCMessage,
  readID,
  toMessage,
} from "../../lib/mcp/message.ts"

/** The texts that methods need. The SDK would answer that it failed itself. */
const requiredTexts: Readonly<Record<string, string>> = { "resources/read": "uri", "tools/call": "name" }

/** Checks the parameters of a request. @throws MessageError for those that are missing, or have another type. */
function checkParams(message: RPCMessage | undefined): void {
  const { id, method = "", params = {} } = message ?? {}
  const name = Object.hasOwn(requiredTexts, method) ? requiredTexts[method] : undefined
  if (id === undefined || name === undefined) return
  if (typeof params[name] !== "string") throw new MessageError(errorCodes.params, `params.${name} is not a text`, 200)
  const { arguments: given = {} } = params
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw new MessageError(errorCodes.params, "arguments is not an object", 200)
}

/** Passes messages on. A line that is not one is answered with an error: the SDK would leave its client without an answer. */
export class MessageLines extends Transform {
  readonly #decoder = new StringDecoder("utf8")
  readonly #answer: (line: string) => void
  /** The parts of a line whose end has not arrived. */
  #lineParts: string[] = []

  /** Creates it. @param answer sends an answer, with its line break. */
  constructor(answer: (line: string) => void) {
    super()
    this.#answer = answer
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const [first = "", ...rest] = this.#decoder.write(chunk).split("\n")
    this.#lineParts.push(first)
    for (const next of rest) {
      this.#handleLine(this.#lineParts.join(""))
      this.#lineParts = [next]
    }
    done()
  }

  override _flush(done: TransformCallback): void {
    this.#handleLine(this.#lineParts.join(""))
    done()
  }

  #handleLine(line: string): void {
    if (line.trim() === "") return
    let given: unknown
    try {
      given = parseBody(line)
      checkParams(toMessage(given))
    } catch (error) {
      if (!(error instanceof MessageError)) throw error
      this.#answer(`${JSON.stringify(createErrorAnswer(readID(given), error).response)}\n`)
      return
    }
    this.push(`${line}\n`)
  }
}
