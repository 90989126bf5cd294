/**
 * The language server. It answers for templates by its features, and passes what the editor says about other files on to
 * TypeScript's server, so that names in both are one.
 */

import type { Program } from "../project/find-typescript.ts"
import { type Connection, codes, type Handlers, ResponseError } from "../rpc/connection.ts"
import { initializeResult, typescriptParams } from "./capabilities.ts"
import { ConventionFeature } from "./convention-feature.ts"
import { Diagnostics } from "./diagnostics.ts"
import { type Document, Documents, isTemplate, pathOf } from "./documents.ts"
import { type Feature, joined, type OpenTemplate } from "./feature.ts"
import { FormatFeature } from "./format-feature.ts"
import { markupFeatures } from "./html/features.ts"
import { ResultMapper } from "./map-results.ts"
import type { ContentChange, DocumentParams } from "./protocol.ts"
import { Templates, templatesBelow } from "./templates.ts"
import { CompilerFeature, TypeScriptFeature } from "./typescript-feature.ts"
import { TypeScriptServer } from "./typescript-server.ts"

/** Messages of TypeScript's server, which no user of an editor reads. */
const dropped = new Set(["window/logMessage", "telemetry/event", "$/logTrace"])
/** The error that content mappers may not run: this server does their work. */
const mapperNotRun = 18068

/** A language server for one project. */
export class LanguageServer implements Handlers {
  #root: string
  readonly #findProgram: (root: string) => Promise<Program | null>
  readonly #documents = new Documents()
  readonly #templates = new Templates()
  readonly #results = new ResultMapper(this.#templates, this.#documents)
  readonly #conventions = new ConventionFeature(() => this.#root, this.#documents)
  readonly #features: Feature[] = [new CompilerFeature(), this.#conventions]
  #typescript: TypeScriptServer | undefined
  readonly #diagnostics: Diagnostics
  /** The editor. */
  editor: Pick<Connection, "request" | "notify"> | undefined
  /** Resolves when all files are read that the next answer needs. */
  #ready: Promise<void> = Promise.resolve()
  #isInitialized = false
  #exit: () => void = () => {}
  /** Resolves when the editor says that the server should end. */
  readonly exited = new Promise<void>((resolve) => {
    this.#exit = resolve
  })
  readonly #notifications: Readonly<Record<string, (params: unknown) => void>> = {
    "textDocument/didOpen": (params) => this.#didOpen(params as DidOpen),
    "textDocument/didChange": (params) => this.#didChange(params as DidChange),
    "textDocument/didClose": (params) => this.#didClose(params as DocumentParams),
    "workspace/didChangeWatchedFiles": (params) =>
      this.#later(() => this.#didChangeFiles(params as WatchedFiles)),
    initialized: () => {},
    exit: () => this.#exit(),
  }

  /**
   * Creates a server.
   *
   * @param root the project's directory, if the editor names none.
   * @param findProgram finds the project's TypeScript; without it there are no types.
   */
  constructor(root: string, findProgram: (root: string) => Promise<Program | null>) {
    this.#root = root
    this.#findProgram = findProgram
    this.#features.push(new FormatFeature(() => this.#root), ...markupFeatures(() => this.#root))
    this.#diagnostics = new Diagnostics(
      () => [...this.#documents.all()],
      (document, signal) => this.#found(document, signal),
      (params) => this.editor?.notify("textDocument/publishDiagnostics", params),
    )
  }

  /** Answers a request of the editor. */
  async request(method: string, params: unknown, signal: AbortSignal): Promise<unknown> {
    if (method === "initialize") return await this.#initialize(params)
    if (!this.#isInitialized) throw new ResponseError(codes.notInitialized, "the first request is initialize")
    if (method === "shutdown") return await this.stop()
    await this.#ready
    const document = this.#documents.get(pathOf(uriIn(params)))
    if (method === "textDocument/diagnostic" && document)
      return { kind: "full", items: await this.#found(document, signal) }
    const open = document && this.#openTemplate(document)
    if (!open) return await this.#forward(method, params, signal, document)
    const asked = this.#features.map((feature) =>
      feature.answer?.(method, params as DocumentParams, open, signal),
    )
    return joined(method, await Promise.all(asked))
  }

  /** Takes a notification of the editor. */
  notification(method: string, params: unknown): void {
    const take = this.#notifications[method]
    if (take) take(params)
    else if (!isTemplate(pathOf(uriIn(params)))) this.#typescript?.notify(method, params)
  }

  /** Ends TypeScript's server. */
  async stop(): Promise<null> {
    this.#diagnostics.stop()
    await this.#typescript?.stop()
    return null
  }

  async #initialize(params: unknown): Promise<unknown> {
    this.#isInitialized = true
    this.#diagnostics.start(params)
    for (const feature of this.#features) feature.start?.(params)
    this.#root = rootIn(params) ?? this.#root
    const program = await this.#findProgram(this.#root)
    const known = program && (await this.#startTypeScript(program, params))
    this.#ready = this.#openTemplates()
    return initializeResult(known, this.#features)
  }

  /** Starts TypeScript's server. Returns its answer to `initialize`; undefined if it does not start. */
  #startTypeScript(program: Program, params: unknown): Promise<unknown> {
    const handlers = {
      request: (method: string, asked: unknown) => this.editor?.request(method, asked) ?? null,
      notification: (method: string, said: unknown) => this.#fromTypeScript(method, said),
    }
    this.#typescript = new TypeScriptServer(program, this.#root, handlers, () => this.#openAll())
    this.#features.push(new TypeScriptFeature(this.#typescript, this.#results))
    return this.#typescript.start(typescriptParams(params, this.#root)).catch(() => undefined)
  }

  /** Does work that reads files before the next request is answered. */
  #later(work: () => Promise<void>): void {
    this.#ready = this.#ready.then(work).catch(() => {})
  }

  /** Opens every template in TypeScript's server, because other modules import them. */
  async #openTemplates(): Promise<void> {
    for (const path of await templatesBelow(this.#root)) {
      if (this.#templates.get(path)) continue
      if (await this.#templates.read(path)) this.#openModule(path)
    }
  }

  /** Opens everything again, in a server that has just started again. */
  #openAll(): void {
    for (const [path] of this.#templates.all()) this.#openModule(path)
    for (const { uri, languageID: languageId, version, text, path } of this.#documents.all()) {
      if (isTemplate(path)) continue
      const textDocument = { uri, languageId, version, text: text.value }
      this.#typescript?.notify("textDocument/didOpen", { textDocument })
    }
  }

  #openModule(path: string): void {
    const file = this.#templates.get(path)
    if (!file) return
    const uri = this.#results.moduleURI(path)
    const textDocument = { uri, languageId: "typescript", version: 0, text: file.code.value }
    this.#typescript?.notify("textDocument/didOpen", { textDocument })
  }

  /** Compiles a template, and passes its code on. */
  #compile(document: Pick<Document, "path" | "text" | "version">): void {
    const { path, text, version } = document
    const known = this.#templates.get(path)
    const file = this.#templates.set(path, text)
    if (!known) this.#openModule(path)
    if (!known || known === file) return
    const textDocument = { uri: this.#results.moduleURI(path), version }
    const contentChanges = [{ text: file.code.value }]
    this.#typescript?.notify("textDocument/didChange", { textDocument, contentChanges })
  }

  #filesChanged(): void {
    for (const feature of this.#features) feature.changed?.()
  }

  #didOpen(params: DidOpen): void {
    this.#filesChanged()
    const document = this.#documents.open(params.textDocument)
    if (document && isTemplate(document.path)) this.#compile(document)
    else this.#typescript?.notify("textDocument/didOpen", params)
    this.#diagnostics.refresh(document)
  }

  #didChange(params: DidChange): void {
    const { textDocument, contentChanges } = params
    const document = this.#documents.change(textDocument.uri, textDocument.version, contentChanges)
    if (document && isTemplate(document.path)) this.#compile(document)
    else this.#typescript?.notify("textDocument/didChange", params)
    this.#diagnostics.refresh(document)
  }

  #didClose(params: DocumentParams): void {
    this.#filesChanged()
    const document = this.#documents.close(params.textDocument.uri)
    if (!document || !isTemplate(document.path)) this.#typescript?.notify("textDocument/didClose", params)
    // The file may have another text than the editor had.
    else this.#later(() => this.#reread(document.path))
    if (document) this.#diagnostics.clear(document.uri)
  }

  async #didChangeFiles({ changes }: WatchedFiles): Promise<void> {
    this.#filesChanged()
    for (const { uri } of changes) {
      const path = pathOf(uri)
      if (isTemplate(path) && !this.#documents.get(path)) await this.#reread(path)
    }
    const others = changes.filter(({ uri }) => !isTemplate(pathOf(uri)))
    if (others.length > 0) this.#typescript?.notify("workspace/didChangeWatchedFiles", { changes: others })
    this.#diagnostics.refresh(undefined)
  }

  /** Reads a template that is not open from the disk. */
  async #reread(path: string): Promise<void> {
    const before = this.#templates.get(path)
    const file = await this.#templates.read(path)
    const uri = this.#results.moduleURI(path)
    if (file && before && file !== before) {
      const contentChanges = [{ text: file.code.value }]
      const textDocument = { uri, version: 0 }
      this.#typescript?.notify("textDocument/didChange", { textDocument, contentChanges })
    } else if (file && !before) this.#openModule(path)
    else if (!file && before) {
      this.#templates.delete(path)
      this.#typescript?.notify("textDocument/didClose", { textDocument: { uri } })
    }
  }

  /** Asks TypeScript's server about a file that is not a template. */
  async #forward(method: string, params: unknown, signal: AbortSignal, open?: Document): Promise<unknown> {
    const own = open && (await this.#conventions.answer(method, params as DocumentParams, open))
    if (own || !this.#typescript) return own ?? null
    const uri = uriIn(params)
    if (isTemplate(pathOf(uri))) return null
    return this.#results.map(await this.#typescript.request(method, params, signal), uri)
  }

  #openTemplate(document: Document): OpenTemplate | undefined {
    const template = this.#templates.get(document.path)
    return template && isTemplate(document.path) ? { ...document, template } : undefined
  }

  /** Returns what is wrong in an open document. */
  async #found(document: Document, signal: AbortSignal): Promise<unknown[]> {
    await this.#ready
    const open = this.#openTemplate(document)
    if (open) {
      const all = this.#features.map((feature) => feature.diagnostics?.(open, signal) ?? [])
      return (await Promise.all(all)).flat()
    }
    const params = { textDocument: { uri: document.uri } }
    const report = (await this.#forward("textDocument/diagnostic", params, signal)) as {
      items?: unknown[]
    } | null
    return [...(report?.items ?? []), ...(await this.#conventions.diagnostics(document))]
  }

  #fromTypeScript(method: string, params: unknown): void {
    if (dropped.has(method)) return
    if (method !== "textDocument/publishDiagnostics") {
      this.editor?.notify(method, params)
      return
    }
    const { uri, diagnostics } = params as { uri: string; diagnostics: readonly { code?: unknown }[] }
    if (this.#templates.ofModule(pathOf(uri)) !== undefined) return
    const others = diagnostics.filter(({ code }) => code !== mapperNotRun)
    this.editor?.notify(method, { uri, diagnostics: others })
  }
}

/** Returns the directory that the editor has open; undefined if it names none. */
function rootIn(params: unknown): string | undefined {
  const { workspaceFolders, rootUri } = (params ?? {}) as {
    workspaceFolders?: readonly { uri: string }[] | null
    rootUri?: string | null
  }
  return pathOf(workspaceFolders?.[0]?.uri ?? rootUri ?? "")
}

/** Returns the document of a request or a notification; "" without one. */
function uriIn(params: unknown): string {
  return (params as DocumentParams | null)?.textDocument?.uri ?? ""
}

interface DidOpen {
  readonly textDocument: { uri: string; languageId: string; version: number; text: string }
}
interface DidChange {
  readonly textDocument: { uri: string; version: number }
  readonly contentChanges: readonly ContentChange[]
}
interface WatchedFiles {
  readonly changes: readonly { uri: string }[]
}
