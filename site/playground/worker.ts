/** The worker of the playground: builds a program, and answers requests with it. */
import type { App } from "fw"
import { buildProgram, type Program } from "./build-program.ts"
import type { FromWorker, Problem, ProgramRequest, ToWorker } from "./messages.ts"
import { toProblem } from "./problems.ts"

let program: Program | undefined
/** The mistakes of the request that is answered. */
let problems: Problem[] = []

// The platform of workers has only a console: a request is a line in it, and a bug an error.
console.log = (...parts) => send({ type: "line", id: 0, text: parts.map(String).join(" ") })
console.error = (error) => void problems.push(program ? toProblem(error, program) : { message: String(error) })

function send(message: FromWorker): void {
  postMessage(message)
}

addEventListener("message", async ({ data }: MessageEvent<ToWorker>) => {
  if (data.type === "fetch") return answer(data)
  program = undefined
  const result = await buildProgram(data.files, data.compiler)
  if (!result.problems) program = result
  send({ type: "end", id: data.id, problems: result.problems ?? [] })
})

async function answer({ id, method, path, headers, body }: ProgramRequest): Promise<void> {
  problems = []
  try {
    if (!program) throw new Error("the program has not started")
    // A name of its own: a link to the site's own host is not a link of the program.
    const request = new Request(new URL(path, "http://localhost:3000"), {
      method,
      headers: headers ?? {},
      body: body ?? null,
    })
    await sendResponse(id, await (program.app as App).fetch(request))
  } catch (error) {
    problems.push(program ? toProblem(error, program) : { message: String(error) })
  }
  send({ type: "end", id, problems })
}

async function sendResponse(id: number, response: Response): Promise<void> {
  send({ type: "head", id, status: response.status, headers: Object.fromEntries(response.headers) })
  if (!response.body) return
  const reader = response.body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader()
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    send({ type: "text", id, text: piece.value })
  }
}
