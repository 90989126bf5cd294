/** The connection to TypeScript's language server. */

import { Connection, errorCodes, type Handlers, ResponseError } from "../rpc/connection.ts"
import type { TypeScriptProcess } from "./typescript-process.ts"

/** After this many starts, the server is not started again, because another start would not help. */
const maxStarts = 4
/** How long the server may take to end, in milliseconds. */
const stopTimeoutMs = 3000

/** Runs the server in a process, and restarts it if it ends by itself. */
export class TypeScriptServer {
  readonly #startAgain: () => TypeScriptProcess | undefined
  readonly #handlers: Handlers
  readonly #reopenDocuments: () => void
  #child: TypeScriptProcess["child"] | undefined
  #connection: Connection | undefined
  #triggerCharacters: readonly string[] = []
  #startCount = 0
  #isStopped = false

  /**
   * Creates the object. The server is not started yet.
   *
   * @param startAgain starts another process after a crash.
   * @param reopenDocuments opens all documents again after a restart.
   */
  constructor(startAgain: () => TypeScriptProcess | undefined, handlers: Handlers, reopenDocuments: () => void) {
    this.#startAgain = startAgain
    this.#handlers = handlers
    this.#reopenDocuments = reopenDocuments
  }

  /** Starts the server in a process. Returns its answer to `initialize`. */
  async start({ child }: TypeScriptProcess, params: unknown): Promise<unknown> {
    this.#startCount++
    this.#child = child
    const connection = new Connection(child.stdout, child.stdin, this.#handlers)
    this.#connection = connection
    child.once("exit", () => {
      if (this.#child === child) this.#restart(params)
    })
    const result = await connection.request("initialize", params)
    connection.notify("initialized", {})
    this.#triggerCharacters =
      (result as InitializeResult | null)?.capabilities?.completionProvider?.triggerCharacters ?? []
    return result
  }

  /** Sends a request. Resolves with null while the server is not running. */
  async request(method: string, params: unknown, signal?: AbortSignal): Promise<unknown> {
    const connection = this.#connection
    if (!connection || !this.#accepts(method, params)) return null
    try {
      return await connection.request(method, params, signal)
    } catch (error) {
      // The request failed because the server has ended. It is being restarted.
      if (connection !== this.#connection || this.#child?.exitCode !== null) return null
      // TypeScript 7 answers with this code for a method that it does not have.
      if (error instanceof ResponseError && error.code === errorCodes.invalidRequest)
        throw new ResponseError(errorCodes.unknownMethod, `there is no method ${method}`)
      throw error
    }
  }

  notify(method: string, params: unknown): void {
    this.#connection?.notify(method, params)
  }

  /** Stops the server. */
  async stop(): Promise<void> {
    this.#isStopped = true
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once("exit", resolve))
    this.notify("exit", undefined)
    child.stdin.end()
    const killTimer = setTimeout(() => child.kill(), stopTimeoutMs)
    await ended
    clearTimeout(killTimer)
  }

  /**
   * Returns false for a completion after a trigger character of another feature, because the server would answer it
   * with an error.
   */
  #accepts(method: string, params: unknown): boolean {
    const { triggerCharacter } = (params as { context?: CompletionContext } | null)?.context ?? {}
    if (method !== "textDocument/completion" || triggerCharacter === undefined) return true
    return this.#triggerCharacters.includes(triggerCharacter)
  }

  #restart(params: unknown): void {
    this.#connection = undefined
    if (this.#isStopped || this.#startCount >= maxStarts) return
    const process = this.#startAgain()
    if (!process) return
    this.start(process, params).then(
      () => this.#reopenDocuments(),
      () => {},
    )
  }
}

interface InitializeResult {
  readonly capabilities?: {
    readonly completionProvider?: { readonly triggerCharacters?: readonly string[] }
  }
}
interface CompletionContext {
  readonly triggerCharacter?: string
}
