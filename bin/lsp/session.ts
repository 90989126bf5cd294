/** A session of the server after `initialize`: the documents, the templates and the features. */

import { pathToFileURL } from "node:url"
import type { Connection } from "../rpc/connection.ts"
import { DiagnosticsPublisher } from "./diagnostics-publisher.ts"
import { type Document, Documents } from "./documents.ts"
import { type Feature, joinAnswers, type OpenTemplate } from "./feature.ts"
import { createFeatures } from "./features.ts"
import { isTemplate, toPath } from "./paths.ts"
import type { Project, ProjectDirectories } from "./project.ts"
import type { ContentChange, DocumentParams } from "./protocol.ts"
import { TemplateModules } from "./template-modules.ts"
import { TypeScriptFeature } from "./typescript-feature.ts"
import type { TypeScriptServer } from "./typescript-server.ts"

/** Messages of TypeScript's server that users of an editor do not read. */
const ignoredMethods = new Set(["window/logMessage", "telemetry/event", "$/logTrace"])
/** TypeScript's error that content mappers may not run. It is ignored, because this server does their work. */
const mapperNotRunCode = 18068

/** The programs that the session talks to. */
export interface Peers {
  readonly editor: () => Pick<Connection, "notify"> | undefined
  readonly typescript: TypeScriptServer | undefined
}

/** Answers the requests of an editor. */
export class Session {
  readonly #project: Project
  readonly #peers: Peers
  readonly #modules: TemplateModules
  readonly #features: readonly Feature[]
  readonly #diagnostics: DiagnosticsPublisher
  /** Resolves when the files that the next answer needs have been read. */
  #ready: Promise<void>
  readonly #notificationHandlers: Readonly<Record<string, (params: unknown) => void>> = {
    "textDocument/didOpen": (params) => this.#didOpen(params as DidOpen),
    "textDocument/didChange": (params) => this.#didChange(params as DidChange),
    "textDocument/didClose": (params) => this.#didClose(params as DocumentParams),
    "workspace/didChangeWatchedFiles": (params) => this.#queue(() => this.#didChangeFiles(params as WatchedFiles)),
  }

  /**
   * Creates the features.
   *
   * @param params the parameters of `initialize`.
   */
  constructor(directories: ProjectDirectories, params: unknown, peers: Peers) {
    const project = { ...directories, documents: new Documents() }
    this.#project = project
    this.#peers = peers
    this.#modules = new TemplateModules(project.documents, peers.typescript)
    const types = peers.typescript && new TypeScriptFeature(peers.typescript, this.#modules.results)
    this.#features = [...createFeatures(project), ...(types ? [types] : [])]
    this.#diagnostics = new DiagnosticsPublisher(
      () => [...project.documents.list()],
      (document, signal) => this.#findDiagnostics(document, signal),
      (params) => peers.editor()?.notify("textDocument/publishDiagnostics", params),
    )
    this.#diagnostics.initialize(params)
    for (const feature of this.#features) feature.initialize?.(params)
    this.#ready = this.#modules.openBelow(project.root())
  }

  async request(method: string, params: unknown, signal: AbortSignal): Promise<unknown> {
    await this.#ready
    const document = this.#project.documents.get(toPath(readURI(params)))
    if (method === "textDocument/diagnostic" && document)
      return { kind: "full", items: await this.#findDiagnostics(document, signal) }
    const open = document && this.#findOpenTemplate(document)
    if (!open) return await this.#forward(method, params, signal, document)
    const answers = startFromLast(this.#features, (feature) =>
      feature.answer?.(method, params as DocumentParams, open, signal),
    )
    return joinAnswers(method, await Promise.all(answers))
  }

  /** Handles a notification. */
  handleNotification(method: string, params: unknown): void {
    const handler = this.#notificationHandlers[method]
    if (handler) handler(params)
    else if (!isTemplate(toPath(readURI(params)))) this.#peers.typescript?.notify(method, params)
  }

  /** Opens all documents again, after TypeScript's server was restarted. */
  openAgain(): void {
    this.#modules.openAgain()
    for (const { uri, languageID: languageId, version, text, path } of this.#project.documents.list()) {
      if (isTemplate(path)) continue
      const textDocument = { uri, languageId, version, text: text.value }
      this.#peers.typescript?.notify("textDocument/didOpen", { textDocument })
    }
  }

  /** Passes a notification of TypeScript's server to the editor. */
  passToEditor(method: string, params: unknown): void {
    if (ignoredMethods.has(method)) return
    const editor = this.#peers.editor()
    if (method !== "textDocument/publishDiagnostics") {
      editor?.notify(method, params)
      return
    }
    const { uri, diagnostics } = params as { uri: string; diagnostics: readonly { code?: unknown }[] }
    if (this.#modules.templates.findByModule(toPath(uri)) !== undefined) return
    const others = diagnostics.filter(({ code }) => code !== mapperNotRunCode)
    editor?.notify(method, { uri, diagnostics: others })
  }

  /** Stops sending diagnostics. */
  stop(): void {
    this.#diagnostics.stop()
  }

  /** Queues work that reads files. The next request waits for it. */
  #queue(work: () => Promise<void>): void {
    this.#ready = this.#ready.then(work).catch(() => {})
  }

  #notifyFilesChanged(): void {
    for (const feature of this.#features) feature.handleFilesChanged?.()
  }

  #didOpen(params: DidOpen): void {
    this.#notifyFilesChanged()
    const document = this.#project.documents.open(params.textDocument)
    if (document && isTemplate(document.path)) this.#modules.compile(document)
    else this.#peers.typescript?.notify("textDocument/didOpen", params)
    this.#diagnostics.refresh(document)
  }

  #didChange(params: DidChange): void {
    const { textDocument, contentChanges } = params
    const { documents } = this.#project
    const document = documents.change(textDocument.uri, textDocument.version, contentChanges)
    if (document && isTemplate(document.path)) this.#modules.compile(document)
    else this.#peers.typescript?.notify("textDocument/didChange", params)
    this.#diagnostics.refresh(document)
  }

  #didClose(params: DocumentParams): void {
    this.#notifyFilesChanged()
    const document = this.#project.documents.close(params.textDocument.uri)
    if (!document || !isTemplate(document.path)) this.#peers.typescript?.notify("textDocument/didClose", params)
    // The file on the disk may differ from the text that was in the editor.
    else this.#queue(() => this.#modules.reread(document.path))
    if (document) this.#diagnostics.clear(document.uri)
  }

  async #didChangeFiles({ changes }: WatchedFiles): Promise<void> {
    this.#notifyFilesChanged()
    for (const { uri } of changes) {
      const path = toPath(uri)
      if (isTemplate(path) && !this.#project.documents.get(path)) await this.#modules.reread(path)
    }
    const others = changes.filter(({ uri }) => !isTemplate(toPath(uri)))
    if (others.length > 0) this.#peers.typescript?.notify("workspace/didChangeWatchedFiles", { changes: others })
    this.#diagnostics.refresh(undefined)
  }

  /**
   * Answers a request about a file that is not a template: first the features are asked, then TypeScript's server.
   */
  async #forward(method: string, params: unknown, signal: AbortSignal, open?: Document): Promise<unknown> {
    for (const feature of open ? this.#features : []) {
      const answer = open && (await feature.answerAboutFile?.(method, params as DocumentParams, open))
      if (answer) return answer
    }
    const { typescript } = this.#peers
    const uri = readURI(params)
    if (!typescript || isTemplate(toPath(uri))) return null
    const resultURI = uri || readModuleURI(params)
    return this.#modules.results.map(await typescript.request(method, params, signal), resultURI)
  }

  #findOpenTemplate(document: Document): OpenTemplate | undefined {
    const template = this.#modules.templates.get(document.path)
    return template && isTemplate(document.path) ? { ...document, template } : undefined
  }

  /** Returns the diagnostics of an open document. */
  async #findDiagnostics(document: Document, signal: AbortSignal): Promise<unknown[]> {
    await this.#ready
    const open = this.#findOpenTemplate(document)
    const found = startFromLast(
      this.#features,
      (feature) => feature.findFileDiagnostics?.(document) ?? (open && feature.findDiagnostics?.(open, signal)) ?? [],
    )
    const diagnostics = (await Promise.all(found)).flat()
    if (open) return diagnostics
    const params = { textDocument: { uri: document.uri } }
    const report = (await this.#forward("textDocument/diagnostic", params, signal)) as {
      items?: unknown[]
    } | null
    return [...(report?.items ?? []), ...diagnostics]
  }
}

/**
 * Asks each feature. The last one, TypeScript, is asked first, because it works in another process at the same
 * time.
 */
function startFromLast<T>(features: readonly Feature[], ask: (feature: Feature) => T): T[] {
  return features.toReversed().map(ask).reverse()
}

/** Returns the URI of the document of a request or notification; "" if there is none. */
function readURI(params: unknown): string {
  return (params as DocumentParams | null)?.textDocument?.uri ?? ""
}

/** Returns the module of a completion whose details are requested; "" if there is none. */
function readModuleURI(params: unknown): string {
  const { data } = (params ?? {}) as { data?: { fileName?: unknown } }
  return typeof data?.fileName === "string" ? pathToFileURL(data.fileName).href : ""
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
