/** What the page and the worker of the playground tell each other. */

/** The files of a program, by their path: `app/page.tpl`. */
export type Files = Readonly<Record<string, string>>

/** An example to start with. */
export interface Example {
  readonly name: string
  readonly about: string
  /** The address of the page that is shown. */
  readonly path: string
  /** The first one is open at first. */
  readonly files: Files
}

/** A mistake, as `fw dev` shows it. */
export interface Problem {
  readonly message: string
  readonly file?: string | undefined
  /** Counted from 1, like the column. */
  readonly line?: number | undefined
  readonly column?: number | undefined
  /** The lines around the place. */
  readonly frame?: string | undefined
  readonly fix?: string | undefined
}

/** A request that the page passes to the program. */
export interface ProgramRequest {
  readonly id: number
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** What the worker receives: `compiler` is the address of the file of esbuild. */
export type ToWorker =
  | { readonly type: "start"; readonly id: number; readonly files: Files; readonly compiler: string }
  | ({ readonly type: "fetch" } & ProgramRequest)

/** What the worker sends. The text of an answer comes in pieces. */
export type FromWorker = { readonly id: number } & (
  | { readonly type: "head"; readonly status: number; readonly headers: Readonly<Record<string, string>> }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "line"; readonly text: string }
  | { readonly type: "end"; readonly problems: readonly Problem[] }
)

/** What the preview shows: a piece of a page, or an answer that is not a page. */
export type Shown =
  | { readonly html: string; readonly isFirst: boolean; readonly path: string }
  | { readonly text: string }
