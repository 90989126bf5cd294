/**
 * The hooks of development: what `fw dev` and `fw test` add to a program, such as explanations and warnings. They set one object with
 * their functions; in production there is none. The functions are in the command, so no program imports them. An `app` is an App
 * and a `c` is a Context: this file does not import their types, because modules that know no context have hooks, too.
 */
import type { HttpError } from "../errors.ts"
import type { Exchange } from "../exchange.ts"
import type { Pattern } from "../pattern.ts"
import type { StandardSchema } from "../request/schema.ts"

/** The functions of a development program. Each is called at one place of the framework. */
export interface DevHooks {
  /** Returns the connection on which an app listens instead of its own address; undefined if it uses its own. */
  onServe?(app: object): ParentConnection | undefined
  /** Takes the error of a request, `c.error`, before it is answered. @param isBug false for an answer that the program chose. */
  onError?(c: object, isBug: boolean): void
  /** Returns true if {@link onError} has shown the bug of a request, so that no logger needs to. */
  isShown?(c: object): boolean
  /** Returns the response to send in place of one. */
  onResponse?(c: object, response: Response, exchange: Exchange): Response
  /** Takes a bug that is not the error of a request. */
  onBug?(bug: unknown): void
  /** Takes the error about a wrong result, and the function that returned the result, because the stack does not show it. */
  onWrongResult?(error: Error, culprit: object): void
  /** Takes an error, and the handler that threw it. */
  onThrow?(error: unknown, handler: object): void
  /** Takes the error about data that a schema refused, and the data. */
  onInvalid?(error: HttpError, data: unknown): void
  /** Takes a promise that a client can make reject. The hook reports it if it rejects and nothing awaits it. */
  onPromise?(promise: Promise<unknown>): void
  /** Takes an answer of `c.json()` while the call runs, so that the stack has the call. What it throws is thrown by the call. */
  onAnswer?(answer: JSONResponse): void
  /** Takes a name that the pattern of a request's route does not have. What it throws is thrown by `c.param()`. */
  onUnknownParam?(name: string, pattern: Pattern): void
  /** Returns the call of the program that runs, such as `main.ts:7 app.use(csrf())`: a name for functions that have none. */
  findCall?(): string | undefined
  /** Returns the handler of a route whose answers a build makes as one that cannot use what is not there then. */
  limitHandler?(handler: object): object
  /** Takes a URL that the program redirects to. */
  onRedirect?(url: string): void
  /** Takes a URL that the program prints in an attribute. */
  onURL?(url: string): void
  /** Takes a value that the filter of an attribute does not let through. */
  onBlocked?(attribute: string, value: string): void
  /**
   * Finds the validator of the call that runs, by its stack: it is called before anything is awaited.
   *
   * @param call such as `c.bind()`.
   * @returns a promise of it, which rejects if the types cannot be read; of undefined if the call's type accepts any JSON.
   */
  findValidator?(call: string): Promise<StandardSchema | undefined>
  /** Finds the validator of the payload of a job file in the same way. @param file relative to the project. */
  findPayloadValidator?(file: string): Promise<StandardSchema | undefined>
}

/** The connection of an app to a parent process that owns the port. */
export interface ParentConnection {
  /** Path of the Unix socket or named pipe through which the parent passes requests. Only the parent can use it. */
  readonly socket: string
  /** Address that clients see: the parent's, `host:port`. */
  readonly addr: string
  /** Gives a request of node:http the address of the client. */
  adopt(incoming: object): void
}

/** An answer of `c.json()`. */
export interface JSONResponse {
  readonly method: string
  /** Pattern of the route; `""` if none was matched. */
  readonly pattern: string
  readonly status: number
  /** The body. */
  readonly text: string
  /** The value of which the body was made. */
  readonly data: unknown
}

/**
 * The key under which every copy of fw in the process finds the hooks. The command, which sets them, has another copy
 * than the project.
 */
const hooksKey: unique symbol = Symbol.for("fw.dev")

type HooksHolder = { [hooksKey]?: DevHooks }

/** Returns the hooks of the program; undefined in production. */
export function devHooks(): DevHooks | undefined {
  return (globalThis as HooksHolder)[hooksKey]
}

/** Sets the hooks; undefined removes them. Only development programs call it. */
export function setDevHooks(hooks: DevHooks | undefined): void {
  const scope = globalThis as HooksHolder
  if (hooks) scope[hooksKey] = hooks
  else delete scope[hooksKey]
}
