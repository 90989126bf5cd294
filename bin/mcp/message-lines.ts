/** Checks the lines of MCP over stdio: one message each (MCP 2025-11-25, Transports, stdio). */
import { Transform, type TransformCallback } from "node:stream"
import { StringDecoder } from "node:string_decoder"
import { errorAnswer, idOf, MessageError, parseBody, toMessage } from "../../lib/mcp/message.ts"

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
      toMessage(given)
    } catch (error) {
      if (!(error instanceof MessageError)) throw error
      this.#answer(`${JSON.stringify(errorAnswer(idOf(given), error).response)}\n`)
      return
    }
    this.push(`${line}\n`)
  }
}
