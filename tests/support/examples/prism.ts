/** Runs Prism as a proxy that compares the exchanges of an application with its OpenAPI document. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { createServer, type IncomingMessage, request, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import type { Exchange } from "./recorder.ts"

/** A difference that Prism finds in one exchange. */
export interface Violation {
  readonly location: readonly string[]
  readonly message: string
}

/** The answer that the proxy returned. */
export interface Proxied {
  readonly status: number
  readonly violations: readonly Violation[]
}

/** Headers that belong to a connection, or that would make Prism follow a redirect. */
const ownHeaders = /^(?:host|connection|content-length|transfer-encoding|date|location)$/

/** Prism in front of a server that repeats the recorded answers of the application. */
export class Prism {
  readonly #child: ChildProcess
  readonly #upstream: Server
  readonly #port: number

  private constructor(child: ChildProcess, upstream: Server, port: number) {
    this.#child = child
    this.#upstream = upstream
    this.#port = port
  }

  /** @param packages the `node_modules` folder that contains Prism. */
  static async start(packages: string, document: string, exchanges: readonly Exchange[]): Promise<Prism> {
    const upstream = replay(exchanges).listen(0, "127.0.0.1")
    await once(upstream, "listening")
    const program = join(packages, "@stoplight/prism-cli/dist/index.js")
    const origin = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`
    const child = spawn(process.execPath, [program, "proxy", document, origin, "-p", "0"], {
      stdio: ["ignore", "pipe", "pipe"],
    })
    let output = ""
    const port = await new Promise<number>((resolve, reject) => {
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding("utf8").on("data", (text: string) => {
          output += text
          const [, port] = /Prism is listening on \S*:(\d+)/.exec(output) ?? []
          if (port !== undefined) resolve(Number(port))
        })
      }
      child.once("exit", (code) => reject(new Error(`prism ended with ${code}:\n${output}`)))
    })
    return new Prism(child, upstream, port)
  }

  /** Sends a request through the proxy. @param number the position of the exchange. */
  async send({ method, target, headers, body }: Exchange, number: number): Promise<Proxied> {
    const bytes = Buffer.from(body, "base64")
    const given = headers.filter(([name]) => !ownHeaders.test(name))
    const sent = request({
      host: "127.0.0.1",
      port: this.#port,
      method,
      path: target,
      headers: { ...Object.fromEntries(given), "x-exchange": number, "content-length": bytes.length },
    })
    sent.end(bytes)
    const [answer] = (await once(sent, "response")) as [IncomingMessage]
    await once(answer.resume(), "end")
    const violations = answer.headers["sl-violations"] as string | undefined
    return { status: answer.statusCode ?? 0, violations: violations ? JSON.parse(violations) : [] }
  }

  stop(): void {
    this.#child.kill("SIGKILL")
    this.#upstream.close()
    this.#upstream.closeAllConnections()
  }
}

function replay(exchanges: readonly Exchange[]): Server {
  return createServer((incoming, outgoing) => {
    const { status, answerHeaders, answerBody } = exchanges[Number(incoming.headers["x-exchange"])] as Exchange
    incoming.resume()
    outgoing.statusCode = status
    for (const [name, value] of answerHeaders) if (!ownHeaders.test(name)) outgoing.appendHeader(name, value)
    outgoing.end(Buffer.from(answerBody, "base64"))
  })
}
