/**
 * A local server with AWS Lambda's Runtime API as its documentation describes it. Lambda's own Node runtime is its
 * client.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { writeFileSync } from "node:fs"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"

/** The response of a function. */
export interface Invoked {
  /** The result as JSON text, or the body of a streamed answer. */
  readonly body: string
  /** The head of a streamed answer. */
  readonly head?: {
    readonly statusCode: number
    readonly headers: Record<string, string>
    readonly cookies: string[]
  }
  /** The pieces in which a streamed body arrived. */
  readonly pieces: readonly string[]
  /** The runtime's report if the function failed, or if its stream was cut off. */
  readonly error?: string
}

/** A running function. */
export interface LambdaFunction {
  /** Invokes the function. @param onPiece is called with each piece of a streamed body when it arrives. */
  invoke(event: object, onPiece?: (piece: string) => void): Promise<Invoked>
  stop(): void
}

const base = "/2018-06-01/runtime"

/**
 * Replaces the runtime's C++ addon, which cannot be compiled everywhere, by the same three functions with
 * node:http. Everything else is Lambda's own code.
 */
const addon = `const { request } = require("node:http")
const [hostname, port] = process.env.AWS_LAMBDA_RUNTIME_API.split(":")
function ask(method, path, body = "") {
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, method, path: "${base}/" + path }, (answer) => {
      let text = ""
      answer.setEncoding("utf8").on("data", (chunk) => (text += chunk))
      answer.on("end", () => resolve({ bodyJson: text, headers: answer.headers }))
    })
    sent.on("error", reject).end(body)
  })
}
let last = Promise.resolve()
require("node:module")._extensions[".node"] = (module) => {
  module.exports = {
    next: () => last.then(() => ask("GET", "invocation/next")),
    done: (id, body) => { last = ask("POST", "invocation/" + id + "/response", body) },
    error: (id, body) => { last = ask("POST", "invocation/" + id + "/error", body) },
  }
}
`

interface Waiting {
  readonly event: object
  readonly onPiece: (piece: string) => void
  readonly resolve: (invoked: Invoked) => void
}

/**
 * Starts a function of a project that has the package `aws-lambda-ric`. @param handler such as `lambda.handler`.
 */
export async function startFunction(folder: string, handler: string): Promise<LambdaFunction> {
  const queue: Waiting[] = []
  const running = new Map<string, Waiting>()
  let idle: ServerResponse | undefined
  const hand = () => {
    if (!idle || queue.length === 0) return
    const id = `id-${running.size}`
    const waiting = queue.shift() as Waiting
    running.set(id, waiting)
    idle.setHeader("Content-Type", "application/json")
    idle.setHeader("Lambda-Runtime-Aws-Request-Id", id)
    idle.setHeader("Lambda-Runtime-Deadline-Ms", String(Date.now() + 30_000))
    idle.setHeader("Lambda-Runtime-Invoked-Function-Arn", "arn:aws:lambda:eu-west-1:1:function:test")
    idle.setHeader("Lambda-Runtime-Trace-Id", "Root=1-1;Parent=1;Sampled=0")
    idle.end(JSON.stringify(waiting.event))
    idle = undefined
  }
  const failed: { message?: string } = {}
  const server = createServer(async (incoming, outgoing) => {
    if (incoming.url === `${base}/invocation/next`) {
      idle = outgoing
      return hand()
    }
    const [, id = "", what] = /invocation\/([^/]+)\/(\w+)$/.exec(incoming.url as string) ?? []
    const waiting = running.get(id)
    const invoked = await read(incoming, waiting?.onPiece ?? (() => {})).catch(() => null)
    // The function was stopped in the middle of its answer.
    if (!invoked) return
    outgoing.writeHead(202).end("{}")
    if (!waiting) failed.message = invoked.body
    waiting?.resolve(what === "error" ? { ...invoked, error: invoked.body } : invoked)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const ric = join(folder, "node_modules/aws-lambda-ric")
  writeFileSync(join(folder, "addon.cjs"), addon)
  writeFileSync(join(ric, "dist/rapid-client.node"), "")
  const child: ChildProcess = spawn(
    process.execPath,
    ["--require", join(folder, "addon.cjs"), join(ric, "bin/index.mjs"), handler],
    {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        AWS_LAMBDA_RUNTIME_API: `127.0.0.1:${(server.address() as AddressInfo).port}`,
        FW_LOG_LEVEL: "off",
      },
      stdio: ["ignore", "ignore", "inherit"],
    },
  )
  const ended = new Promise<never>((_, reject) =>
    child.once("exit", (code) => reject(new Error(`the function ended with ${code}: ${failed.message ?? ""}`))),
  )
  ended.catch(() => {})
  return {
    invoke(event, onPiece = () => {}) {
      const invoked = new Promise<Invoked>((resolve) => queue.push({ event, onPiece, resolve }))
      hand()
      return Promise.race([invoked, ended])
    },
    stop() {
      child.kill("SIGKILL")
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Reads an answer. A streamed one is a head, eight zero bytes and the body. */
async function read(incoming: IncomingMessage, onPiece: (piece: string) => void): Promise<Invoked> {
  const isStreamed = incoming.headers["content-type"] === "application/vnd.awslambda.http-integration-response"
  const pieces: string[] = []
  let head: Invoked["head"]
  let text = ""
  for await (const chunk of incoming.setEncoding("latin1")) {
    text += chunk
    const end = text.indexOf("\0".repeat(8))
    if (isStreamed && !head) {
      if (end < 0) continue
      head = JSON.parse(Buffer.from(text.slice(0, end), "latin1").toString())
      text = text.slice(end + 8)
    }
    if (text !== "" && isStreamed) {
      const piece = Buffer.from(text, "latin1").toString()
      pieces.push(piece)
      onPiece(piece)
      text = ""
    }
  }
  const error = incoming.trailers["lambda-runtime-function-error-type"]
  const body = isStreamed ? pieces.join("") : Buffer.from(text, "latin1").toString()
  return { body, pieces, ...(head && { head }), ...(error && { error }) }
}
