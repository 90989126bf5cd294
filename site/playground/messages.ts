/** The messages between the page and the worker of the playground. */

/** The files of a program by path, such as `app/page.tpl`. */
export type Files = Readonly<Record<string, string>>

/** An example that the user can start with. */
export interface Example {
  readonly name: string
  readonly about: string
  /** The address that is opened first. */
  readonly path: string
  /** The files. The first one is open in the editor at first. */
  readonly files: Files
}

/** A mistake in the program, as `fw dev` shows it. */
export interface Problem {
  readonly message: string
  readonly file?: string | undefined
  /** The line number, which begins at 1, as that of the column does. */
  readonly line?: number | undefined
  readonly column?: number | undefined
  /** The lines around the mistake. */
  readonly frame?: string | undefined
  readonly fix?: string | undefined
}

/** A request that the page passes to the program. */
export interface ProgramRequest {
  readonly id: number
  readonly method: string
  /** The path with its query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** A message to the worker. `compiler` is the address of esbuild's WebAssembly file. */
export type ToWorker =
  | { readonly type: "start"; readonly id: number; readonly files: Files; readonly compiler: string }
  | ({ readonly type: "fetch" } & ProgramRequest)

/** A message from the worker. The text of an answer is sent in pieces. */
export type FromWorker = { readonly id: number } & (
  | { readonly type: "head"; readonly status: number; readonly headers: Readonly<Record<string, string>> }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "line"; readonly text: string }
  | { readonly type: "end"; readonly problems: readonly Problem[] }
)

/** What the preview shows: a piece of a page, or an answer that is not a page. */
export type PreviewContent =
  | { readonly html: string; readonly isFirst: boolean; readonly path: string }
  | { readonly text: string }
