/**
 * A client of a language server over standard input and output (Language Server Protocol 3.17, "Base Protocol").
 */
import { spawn } from "node:child_process"

/** A running server. */
export interface LanguageServer {
  request(method: string, params: unknown): Promise<unknown>
  notify(method: string, params: unknown): void
  /** Ends the server. Resolves when it has ended. */
  stop(): Promise<void>
}

interface Message {
  readonly id?: number
  readonly method?: string
  readonly result?: unknown
  readonly error?: { readonly message: string }
}

/** Starts a server in a directory. The caller has to initialize it. */
export function startServer(program: string, args: readonly string[], cwd: string): LanguageServer {
  const child = spawn(program, args, { cwd, stdio: ["pipe", "pipe", "inherit"] })
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()))
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  let pending: Buffer = Buffer.alloc(0)
  let last = 0
  const send = (message: object) => {
    const text = JSON.stringify({ jsonrpc: "2.0", ...message })
    child.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
  }
  const take = ({ id, method, result, error }: Message) => {
    // The server also sends requests, such as for settings. The answer is null.
    if (id !== undefined && method !== undefined) send({ id, result: null })
    else if (id !== undefined) {
      const waiter = waiting.get(id)
      waiting.delete(id)
      if (error) waiter?.reject(new Error(error.message))
      else waiter?.resolve(result)
    }
  }
  child.stdout.on("data", (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk])
    for (;;) {
      const head = pending.indexOf("\r\n\r\n")
      const length = Number(/Content-Length: (\d+)/i.exec(pending.toString("latin1", 0, Math.max(head, 0)))?.[1])
      if (head < 0 || pending.length < head + 4 + length) return
      take(JSON.parse(pending.toString("utf8", head + 4, head + 4 + length)) as Message)
      pending = pending.subarray(head + 4 + length)
    }
  })
  void ended.then(() => {
    for (const { reject } of waiting.values()) reject(new Error("the language server ended"))
  })
  return {
    request(method, params) {
      last += 1
      send({ id: last, method, params })
      return new Promise((resolve, reject) => waiting.set(last, { resolve, reject }))
    },
    notify: (method, params) => send({ method, params }),
    stop() {
      child.kill()
      return ended
    },
  }
}
