/**
 * The hooks of development: functions with which `fw dev` and `fw test` add explanations and warnings to a program. The
 * command sets them as one object; in production there is none. `app` and `c` are an App and a Context. Their types are
 * not imported here, because modules that do not know the context call hooks too.
 */
import type { HttpError } from "../errors.ts"
import type { Exchange } from "../exchange.ts"
import type { Pattern } from "../pattern.ts"
import type { StandardSchema } from "../request/schema.ts"

/** The functions that a development program has. The framework calls each of them at one place. */
export interface DevHooks {
  /** Returns the connection on which an app listens in place of its own address; undefined if the app uses its own. */
  onServe?(app: object): ParentConnection | undefined
  /**
   * Takes the error of a request before it is answered. @param isBug false for an error that the program meant as an
   * answer.
   */
  onError?(c: object, isBug: boolean): void
  /** Returns true if {@link onError} has printed the bug of a request. Then no logger prints it again. */
  hasPrinted?(c: object): boolean
  /** Takes the response to a request, and returns the response to send. */
  onResponse?(c: object, response: Response, exchange: Exchange): Response
  /** Takes a bug that is not the error of a request. */
  onBug?(bug: unknown): void
  /**
   * Takes the error about a wrong result. `culprit` is the function that returned the result; it is not in the stack.
   */
  onWrongResult?(error: Error, culprit: object): void
  /** Takes an error, and the handler that threw it. */
  onThrow?(error: unknown, handler: object): void
  /** Takes the error about data that a schema refused, and the data. */
  onInvalid?(error: HttpError, data: unknown): void
  /**
   * Takes a promise that rejects if a client sends something wrong. The hook reports the rejection if nothing awaits
   * the promise.
   */
  onPromise?(promise: Promise<unknown>): void
  /**
   * Takes an answer of `c.json()` during the call, so that the caller is in the stack. If the hook throws, `c.json()`
   * throws the same error.
   */
  onAnswer?(answer: JSONResponse): void
  /**
   * Takes the name of a parameter that the pattern of the route does not have. If the hook throws, `c.param()` throws
   * the same error.
   */
  onUnknownParam?(name: string, pattern: Pattern): void
  /**
   * Returns the call that the program is making now, such as `main.ts:7 app.use(csrf())`. It serves as a name for
   * functions without one.
   */
  findCall?(): string | undefined
  /**
   * Wraps the handler of a route that a build answers in advance. The result throws if it uses what a build does not
   * have, such as a cookie.
   */
  limitHandler?(handler: object): object
  /** Takes a URL that the program redirects to. */
  onRedirect?(url: string): void
  /** Takes a URL that the program prints in an attribute. */
  onURL?(url: string): void
  /** Takes a value that was blocked in an attribute, because it could run code. */
  onBlocked?(attribute: string, value: string): void
  /**
   * Finds the validator of the call that the program is making. It looks at the stack, so it must be called before
   * anything is awaited.
   *
   * @param call such as `c.bind()`.
   * @returns a promise of the validator, or of undefined if the call's type accepts any JSON. It rejects if the types
   * cannot be read.
   */
  findValidator?(call: string): Promise<StandardSchema | undefined>
  /** Keeps an OutgoingMail if the program has no transport that could send it. */
  onMail?(mail: object): Promise<void>
  /**
   * Finds the validator for the payload of a job file, as {@link findValidator} does. @param file relative to the
   * project.
   */
  findPayloadValidator?(file: string): Promise<StandardSchema | undefined>
}

/** The connection of an app to a parent process that owns the port. */
export interface ParentConnection {
  /** Path of the Unix socket or named pipe through which the parent passes requests. Nobody else may connect to it. */
  readonly socket: string
  /** The address of the parent, `host:port`, which clients see. */
  readonly addr: string
  /** Gives a request of node:http the address of the client. */
  adopt(incoming: object): void
}

/** An answer of `c.json()`. */
export interface JSONResponse {
  readonly method: string
  /** Pattern of the route; `""` if no route matched. */
  readonly pattern: string
  readonly status: number
  /** The body as it is sent. */
  readonly text: string
  /** The value that the body was made from. */
  readonly data: unknown
}

/**
 * The key of the hooks in `globalThis`. It is the same in every copy of fw, because the command, which sets the hooks,
 * and the project do not have the same copy.
 */
const hooksKey: unique symbol = Symbol.for("fw.dev")

type HooksHolder = { [hooksKey]?: DevHooks }

/** Returns the hooks of the program; undefined in production. */
export function getDevHooks(): DevHooks | undefined {
  return (globalThis as HooksHolder)[hooksKey]
}

/** Sets the hooks; undefined removes them. Only development programs call it. */
export function setDevHooks(hooks: DevHooks | undefined): void {
  const scope = globalThis as HooksHolder
  if (hooks) scope[hooksKey] = hooks
  else delete scope[hooksKey]
}
