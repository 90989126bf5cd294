/**
 * Writes every request of an app's tests and its answer to `FW_RECORD`, one JSON text per line. Loaded with `node
 * --import`.
 */
import { appendFileSync } from "node:fs"
import { App } from "fw"

/** A request and the answer of the application. Bodies are in base64. */
export interface Exchange {
  readonly method: string
  /** The path and the query string. */
  readonly target: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
  readonly status: number
  readonly answerHeaders: readonly (readonly [name: string, value: string])[]
  readonly answerBody: string
}

const file = process.env.FW_RECORD ?? ""
const request = App.prototype.request

App.prototype.request = async function (path, init, around) {
  // The application reads the original request. A body that is a stream can only be read once.
  const sent = init?.body instanceof ReadableStream ? undefined : new Request(new URL(path, "http://localhost"), init)
  const answer = await request.call(this, path, init, around)
  if (sent) void write(sent, answer.clone())
  return answer
}

async function write(sent: Request, answer: Response): Promise<void> {
  const { pathname, search } = new URL(sent.url)
  const exchange: Exchange = {
    method: sent.method,
    target: pathname + search,
    headers: [...sent.headers],
    body: base64(await sent.arrayBuffer()),
    status: answer.status,
    answerHeaders: [...answer.headers],
    answerBody: base64(await answer.arrayBuffer()),
  }
  appendFileSync(file, `${JSON.stringify(exchange)}\n`)
}

function base64(bytes: ArrayBuffer): string {
  return Buffer.from(bytes).toString("base64")
}
