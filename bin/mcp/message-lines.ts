/**
 * Checks the lines that a client sends to MCP over stdio. Each must be one message (MCP 2025-11-25, Transports,
 * stdio).
 */
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

/** The text parameters that methods require. Without this check, the SDK would answer with an internal error. */
const requiredTexts: Readonly<Record<string, string>> = { "resources/read": "uri", "tools/call": "name" }

/**
 * Checks the parameters of a request.
 *
 * @throws MessageError if a parameter is missing or has another type.
 */
function checkParams(message: RPCMessage | undefined): void {
  const { id, method = "", params = {} } = message ?? {}
  const name = Object.hasOwn(requiredTexts, method) ? requiredTexts[method] : undefined
  if (id === undefined || name === undefined) return
  if (typeof params[name] !== "string") throw new MessageError(errorCodes.params, `params.${name} is not a text`, 200)
  const { arguments: toolArguments = {} } = params
  if (typeof toolArguments !== "object" || toolArguments === null || Array.isArray(toolArguments))
    throw new MessageError(errorCodes.params, "arguments is not an object", 200)
}

/**
 * Passes valid messages on. A line that is not a message is answered with an error, because the SDK would not
 * answer it at all.
 */
export class MessageLines extends Transform {
  readonly #decoder = new StringDecoder("utf8")
  readonly #answer: (line: string) => void
  /** The parts of a line that has not ended yet. */
  #lineParts: string[] = []

  /**
   * Creates the transform.
   *
   * @param answer sends an answer, which ends with a line break.
   */
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
    let message: unknown
    try {
      message = parseBody(line)
      checkParams(toMessage(message))
    } catch (error) {
      if (!(error instanceof MessageError)) throw error
      this.#answer(`${JSON.stringify(createErrorAnswer(readID(message), error).response)}\n`)
      return
    }
    this.push(`${line}\n`)
  }
}
