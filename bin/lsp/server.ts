/**
 * The language server. Its features answer for templates, and TypeScript's server answers for other files. TypeScript's
 * server knows the compiled templates too, so names are the same everywhere.
 */

import { type Connection, errorCodes, type Handlers, ResponseError } from "../rpc/connection.ts"
import { toInitializeResult, toTypeScriptParams } from "./capabilities.ts"
import { featureCapabilities } from "./features.ts"
import { toPath } from "./paths.ts"
import { Session } from "./session.ts"
import type { TypeScriptProcess } from "./typescript-process.ts"
import { TypeScriptServer } from "./typescript-server.ts"

/** A language server for one project. */
export class LanguageServer implements Handlers {
  #root: string
  readonly #startProcess: (root: string) => TypeScriptProcess | undefined
  readonly #appDir: string
  #typescript: TypeScriptServer | undefined
  #session: Session | undefined
  /** The connection to the editor. */
  editor: Pick<Connection, "request" | "notify"> | undefined
  #exit: () => void = () => {}
  /** Resolves when the editor asks the server to exit. */
  readonly exited = new Promise<void>((resolve) => {
    this.#exit = resolve
  })

  /**
   * Creates a server.
   *
   * @param root the directory of the project, if the editor does not name one.
   * @param startProcess starts the project's TypeScript. If it returns undefined, there are no types.
   * @param appDir the route directory, relative to the project.
   */
  constructor(root: string, startProcess: (root: string) => TypeScriptProcess | undefined, appDir = "app") {
    this.#appDir = appDir
    this.#root = root
    this.#startProcess = startProcess
  }

  /** Answers a request of the editor. */
  async request(method: string, params: unknown, signal: AbortSignal): Promise<unknown> {
    if (method === "initialize") return await this.#initialize(params)
    if (!this.#session) throw new ResponseError(errorCodes.notInitialized, "the first request is initialize")
    if (method === "shutdown") return await this.stop()
    return await this.#session.request(method, params, signal)
  }

  /** Handles a notification of the editor. */
  handleNotification(method: string, params: unknown): void {
    if (method === "exit") this.#exit()
    else if (method !== "initialized") this.#session?.handleNotification(method, params)
  }

  /** Stops TypeScript's server. */
  async stop(): Promise<null> {
    this.#session?.stop()
    await this.#typescript?.stop()
    return null
  }

  async #initialize(params: unknown): Promise<unknown> {
    this.#root = findRoot(params) ?? this.#root
    const typeScriptResult = await this.#startTypeScript(params)
    const project = { root: () => this.#root, appDir: this.#appDir }
    const peers = { editor: () => this.editor, typescript: this.#typescript }
    this.#session = new Session(project, params, peers)
    return toInitializeResult(typeScriptResult, featureCapabilities)
  }

  /** Starts TypeScript's server. Returns its answer to `initialize`; undefined if it does not start. */
  async #startTypeScript(params: unknown): Promise<unknown> {
    const handlers = {
      request: (method: string, requestParams: unknown) => this.editor?.request(method, requestParams) ?? null,
      handleNotification: (method: string, notificationParams: unknown) =>
        this.#session?.passToEditor(method, notificationParams),
    }
    const reopen = () => this.#session?.openAgain()
    const process = this.#startProcess(this.#root)
    if (!process) return undefined
    const startAgain = () => this.#startProcess(this.#root)
    this.#typescript = new TypeScriptServer(startAgain, handlers, reopen)
    return this.#typescript.start(process, toTypeScriptParams(params, this.#root)).catch(() => undefined)
  }
}

/** Returns the directory that is open in the editor; undefined if the editor does not name one. */
function findRoot(params: unknown): string | undefined {
  const { workspaceFolders, rootUri } = (params ?? {}) as {
    workspaceFolders?: readonly { uri: string }[] | null
    rootUri?: string | null
  }
  return toPath(workspaceFolders?.[0]?.uri ?? rootUri ?? "")
}
