/** The worker of the playground. It builds a program and answers requests with it. */
import type { App } from "fw"
import { buildProgram, type Program } from "./build-program.ts"
import type { FromWorker, Problem, ProgramRequest, ToWorker } from "./messages.ts"
import { toProblem } from "./problems.ts"

let program: Program | undefined
/** The mistakes that were found during the current request. */
let problems: Problem[] = []

// fw on workers writes only to the console: a line with `log` for each request, and bugs with `error`.
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
    // A host name of its own, so that links to the host of the site are not taken for links of the program.
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
