/**
 * An editor for tests: it starts a language server, and sends requests about positions that are described by their
 * text.
 */

import { type ChildProcess, spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import * as assert from "uvu/assert"
import { Connection, ResponseError } from "../../../../bin/rpc/connection.ts"
import { type Place, type Range, toOffset, toPlace } from "./places.ts"

interface Location {
  readonly uri: string
  readonly range: Range
}

/** The error code for a valid request that the server cannot fulfil (LSP 3.17, ErrorCodes). */
const requestFailed = -32803

/** An error that a server reports: its file, the text that it marks, and its message. */
export interface Found {
  readonly text: string
  readonly message: string
  readonly source: string | undefined
  readonly line: number
}

/** Properties of an editor. */
interface Settings {
  /** False if the editor waits for diagnostics instead of requesting them. Default: true. */
  readonly asks?: boolean
  /** Members of `capabilities.textDocument` that differ from the usual ones. */
  readonly knows?: Readonly<Record<string, unknown>>
  /** The directory in which the server is started. Default: the project. */
  readonly cwd?: string
  readonly runExternalCode?: boolean
}

/** A running language server with its open documents. */
export class Editor {
  readonly root: string
  readonly #child: ChildProcess
  readonly #connection: Connection
  readonly #documents = new Map<string, { text: string; version: number }>()
  /** The latest diagnostics that the server sent by itself, by file. */
  readonly published = new Map<string, readonly Found[]>()
  readonly #waiting: (() => void)[] = []

  private constructor(root: string, command: readonly string[], cwd: string) {
    this.root = root
    this.#child = spawn(process.execPath, command, { cwd, stdio: ["pipe", "pipe", "inherit"] })
    const { stdin, stdout } = this.#child
    assert.ok(stdin && stdout)
    this.#connection = new Connection(stdout, stdin, {
      request: (method, params) => {
        if (method !== "workspace/configuration") return null
        return (params as { items: unknown[] }).items.map(() => null)
      },
      handleNotification: (method, params) => {
        if (method === "textDocument/publishDiagnostics") this.#published(params as PublishedDiagnostics)
      },
    })
  }

  /** Starts a server with Node. */
  static async start(
    root: string,
    command: readonly string[],
    { asks = true, knows = {}, cwd = root, ...options }: Settings = {},
  ): Promise<Editor> {
    const editor = new Editor(root, command, cwd)
    await editor.request("initialize", {
      processId: process.pid,
      rootUri: pathToFileURL(root).href,
      workspaceFolders: [{ uri: pathToFileURL(root).href, name: "project" }],
      capabilities: {
        general: { positionEncodings: ["utf-16"] },
        workspace: { configuration: true },
        textDocument: {
          hover: { contentFormat: ["markdown"] },
          definition: { linkSupport: true },
          completion: { completionItem: { snippetSupport: false } },
          ...(asks && { diagnostic: {} }),
          publishDiagnostics: {},
          ...knows,
        },
      },
      initializationOptions: options,
    })
    editor.#connection.notify("initialized", {})
    return editor
  }

  /** Ends the server at once. Resolves with its exit code, or null if the signal ended it. */
  async kill(signal: NodeJS.Signals = "SIGTERM"): Promise<number | null> {
    const ended = new Promise<number | null>((resolve) => this.#child.once("exit", resolve))
    this.#child.kill(signal)
    return await ended
  }

  /** Shuts the server down, and waits for its end. */
  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once("exit", resolve))
    if (this.#child.exitCode !== null) return
    await this.request("shutdown", undefined)
    this.#connection.notify("exit", undefined)
    await ended
  }

  request(method: string, params: unknown): Promise<unknown> {
    return this.#connection.request(method, params)
  }

  open(file: string, text = readFileSync(join(this.root, file), "utf8")): void {
    this.#documents.set(file, { text, version: 1 })
    const languageId = file.endsWith(".tpl") ? "tpl" : "typescript"
    const textDocument = { uri: this.#uri(file), languageId, version: 1, text }
    this.#connection.notify("textDocument/didOpen", { textDocument })
  }

  /** Replaces the text of an open file. */
  change(file: string, text: string): void {
    const version = (this.#documents.get(file)?.version ?? 0) + 1
    this.#documents.set(file, { text, version })
    this.#connection.notify("textDocument/didChange", {
      textDocument: { uri: this.#uri(file), version },
      contentChanges: [{ text }],
    })
  }

  /** Replaces a part of an open file, and sends only this part. */
  edit(file: string, start: number, end: number, inserted: string): void {
    const { text = "", version = 0 } = this.#documents.get(file) ?? {}
    const range = { start: toPlace(text, start), end: toPlace(text, end) }
    this.#documents.set(file, {
      text: text.slice(0, start) + inserted + text.slice(end),
      version: version + 1,
    })
    this.#connection.notify("textDocument/didChange", {
      textDocument: { uri: this.#uri(file), version: version + 1 },
      contentChanges: [{ range, text: inserted }],
    })
  }

  /** Returns the text of a file in the editor. */
  getText(file: string): string {
    return this.#text(file)
  }

  /** Sends a request about an offset, and accepts any answer, also that the name cannot be renamed. */
  async ask(method: string, file: string, offset: number): Promise<void> {
    const position = toPlace(this.#text(file), offset)
    const context = { includeDeclaration: true, triggerKind: 1, diagnostics: [] }
    const textDocument = { uri: this.#uri(file) }
    const params = {
      ...{ textDocument, position, positions: [position], range: { start: position, end: position } },
      ...{ newName: "renamed", options: { tabSize: 2, insertSpaces: true } },
      ...(/references|codeAction/.test(method) && { context }),
    }
    await this.request(method, params).catch((error: unknown) => {
      if (!(error instanceof ResponseError) || error.code !== requestFailed) throw error
    })
  }

  /** Sends a request about a whole file, and returns the answer as it is. */
  about(method: string, file: string, params: object = {}): Promise<unknown> {
    return this.request(`textDocument/${method}`, { textDocument: { uri: this.#uri(file) }, ...params })
  }

  /** Returns a position in a file. `¦` in `marked` shows the position. */
  at(file: string, marked: string): Place {
    return this.#at(file, marked).position
  }

  close(file: string): void {
    this.#connection.notify("textDocument/didClose", { textDocument: { uri: this.#uri(file) } })
  }

  /** Tells the server that a file on the disk is new or has changed. */
  fileChanged(file: string): void {
    const changes = [{ uri: this.#uri(file), type: 2 }]
    this.#connection.notify("workspace/didChangeWatchedFiles", { changes })
  }

  /** Returns the text that the server shows about a position. `¦` in `marked` shows the position. */
  async hover(file: string, marked: string): Promise<string> {
    const result = (await this.request("textDocument/hover", this.#at(file, marked))) as {
      contents: { value: string }
    } | null
    return result?.contents.value ?? ""
  }

  /** Returns where a name is declared, as `file: line of text`. */
  async definition(file: string, marked: string): Promise<string[]> {
    return this.#locations(await this.request("textDocument/definition", this.#at(file, marked)))
  }

  async references(file: string, marked: string): Promise<string[]> {
    const params = { ...this.#at(file, marked), context: { includeDeclaration: true } }
    return this.#locations(await this.request("textDocument/references", params))
  }

  /** Returns the names of the completions at a position, after a character was typed if one is given. */
  async completion(file: string, marked: string, triggerCharacter?: string): Promise<string[]> {
    const context = triggerCharacter === undefined ? {} : { context: { triggerKind: 2, triggerCharacter } }
    const params = { ...this.#at(file, marked), ...context }
    const result = (await this.request("textDocument/completion", params)) as
      | { items: { label: string }[] }
      | { label: string }[]
      | null
    const items = Array.isArray(result) ? result : (result?.items ?? [])
    return items.map(({ label }) => label.replace(/\?$/, ""))
  }

  /** Returns the new texts of the files that a rename changes. */
  async rename(file: string, marked: string, newName: string): Promise<Record<string, string>> {
    const result = (await this.request("textDocument/rename", { ...this.#at(file, marked), newName })) as {
      changes?: Record<string, { range: Range; newText: string }[]>
      documentChanges?: { textDocument: { uri: string }; edits: { range: Range; newText: string }[] }[]
    } | null
    const changes =
      result?.documentChanges?.map(({ textDocument, edits }) => [textDocument.uri, edits] as const) ??
      Object.entries(result?.changes ?? {})
    return Object.fromEntries(
      changes.map(([uri, edits]) => {
        const name = this.#file(uri)
        let text = this.#text(name)
        const sorted = [...edits].sort((a, b) => toOffset(text, b.range.start) - toOffset(text, a.range.start))
        const original = text
        for (const { range, newText } of sorted)
          text = text.slice(0, toOffset(original, range.start)) + newText + text.slice(toOffset(original, range.end))
        return [name, text]
      }),
    )
  }

  /** Requests the errors of a file. */
  async diagnostics(file: string): Promise<Found[]> {
    const params = { textDocument: { uri: this.#uri(file) } }
    const result = (await this.request("textDocument/diagnostic", params)) as {
      items: PublishedDiagnostics["diagnostics"]
    }
    return result.items.map((item) => this.#found(file, item))
  }

  /** Resolves when the server has sent diagnostics of a file for which `isRight` returns true. */
  async publishedWhen(file: string, isRight: (found: readonly Found[]) => boolean): Promise<readonly Found[]> {
    for (;;) {
      const found = this.published.get(file)
      if (found && isRight(found)) return found
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
  }

  #published({ uri, diagnostics }: PublishedDiagnostics): void {
    const file = this.#file(uri)
    if (this.#documents.has(file)) {
      const found = diagnostics.map((item) => this.#found(file, item))
      this.published.set(file, found)
    }
    for (const resolve of this.#waiting.splice(0)) resolve()
  }

  #found(file: string, { range, message, source }: PublishedDiagnostics["diagnostics"][number]): Found {
    return { text: this.#textAt({ uri: this.#uri(file), range }), message, source, line: range.start.line }
  }

  #locations(result: unknown): string[] {
    const all = (Array.isArray(result) ? result : result ? [result] : []) as (Location & {
      targetUri?: string
      targetSelectionRange?: Range
    })[]
    return all
      .map(({ uri, range, targetUri, targetSelectionRange }) => {
        const place = { uri: targetUri ?? uri, range: targetSelectionRange ?? range }
        return `${this.#file(place.uri)}:${place.range.start.line + 1} ${this.#textAt(place)}`
      })
      .sort()
  }

  #textAt({ uri, range }: Location): string {
    const text = this.#text(this.#file(uri))
    return text.slice(toOffset(text, range.start), toOffset(text, range.end))
  }

  #text(file: string): string {
    return this.#documents.get(file)?.text ?? readFileSync(join(this.root, file), "utf8")
  }

  #at(file: string, marked: string): { textDocument: { uri: string }; position: Place } {
    const text = this.#text(file)
    const needle = marked.replace("¦", "")
    const start = text.indexOf(needle)
    assert.ok(start >= 0 && marked.includes("¦"), `${needle} is not in ${file}`)
    return { textDocument: { uri: this.#uri(file) }, position: toPlace(text, start + marked.indexOf("¦")) }
  }

  #uri(file: string): string {
    return pathToFileURL(join(this.root, file)).href
  }

  #file(uri: string): string {
    return relative(this.root, fileURLToPath(uri)).replaceAll("\\", "/")
  }
}

interface PublishedDiagnostics {
  readonly uri: string
  readonly diagnostics: readonly { range: Range; message: string; source?: string }[]
}
