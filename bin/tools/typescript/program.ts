/**
 * A program with a project's files and types, read by the project's own TypeScript. Other code gets nodes and types
 * only through this class.
 */
import { join } from "node:path"
import type * as AST from "typescript/unstable/ast"
import type * as Sync from "typescript/unstable/sync"
import { findTypeModule, type TypeModule } from "../../system/framework-files.ts"
import type { SourceLocation } from "../../system/source-location.ts"
import {
  describeFailure,
  type FileChanges,
  loadTypeScript,
  type ParsedConfig,
  type TypeScriptAPI,
  type TypeScriptSession,
  type Untyped,
} from "./api.ts"
import {
  configFile,
  createTypesConfig,
  findFrameworkDist,
  findOwnConfig,
  isInstalled,
  type ProgramFiles,
  toRelative,
  toSlashes,
} from "./config.ts"
import { findSyntaxErrors, type LineError, locateErrors, type ProgramError } from "./errors.ts"

export type { CallExpression, Node, SourceFile } from "typescript/unstable/ast"
export type {
  InterfaceType,
  Signature,
  Symbol as TypeSymbol,
  Type,
  TypeReference,
} from "typescript/unstable/sync"
export type { LineError, ProgramError } from "./errors.ts"

/** The files of the program to open. */
type OpenOptions = Pick<ProgramFiles, "files"> & Partial<ProgramFiles>

/**
 * Opens a program with some files and everything that they import, with the compiler options of the project's
 * `tsconfig.json`. Does not run the project's code. Callers must call `close()` to end TypeScript's process.
 */
export async function openTypes(root: string, options: OpenOptions): Promise<TypeProgram | Untyped> {
  const api = await loadTypeScript(root)
  if ("untyped" in api) return api
  const texts = new Map<string, string>()
  let session: TypeScriptSession | undefined
  try {
    session = api.start(root, texts, (options.virtual?.size ?? 0) > 0)
    return new TypeProgram(root, api, session, texts, options)
  } catch (error) {
    session?.close()
    return describeFailure(api.version, error)
  }
}

/** A program: the syntax and types of its files. */
export class TypeProgram {
  readonly kinds: typeof AST.SyntaxKind
  readonly flags: typeof Sync.TypeFlags
  readonly symbolFlags: typeof Sync.SymbolFlags
  readonly objectFlags: typeof Sync.ObjectFlags
  readonly elementFlags: typeof Sync.ElementFlags
  readonly root: string
  readonly #session: TypeScriptSession
  readonly #config: string
  #project: Sync.Project
  #generation = 0
  /** The nodes of handles that were resolved before. */
  #nodes = new WeakMap<Sync.NodeHandle, AST.Node>()
  readonly #files = new Map<string, AST.SourceFile>()
  /** The texts of the files that are not on the disk, by absolute path. */
  readonly #texts: Map<string, string>
  readonly #parsed: ParsedConfig | null
  /** The directory of fw's declarations. */
  readonly #framework: string

  /**
   * Writes the configuration and opens the program.
   *
   * @throws Error if TypeScript does not open it.
   */
  constructor(
    root: string,
    api: TypeScriptAPI,
    session: TypeScriptSession,
    texts: Map<string, string>,
    { files, virtual = new Map() }: OpenOptions,
  ) {
    this.root = root
    this.kinds = api.kinds
    this.flags = api.flags
    this.symbolFlags = api.symbolFlags
    this.objectFlags = api.objectFlags
    this.elementFlags = api.elementFlags
    this.#framework = findFrameworkDist(root)
    this.#session = session
    this.#texts = texts
    this.#config = toSlashes(join(root, configFile))
    const ownConfig = findOwnConfig(root)
    this.#parsed = ownConfig === null ? null : session.parse(ownConfig)
    for (const [file, content] of virtual) texts.set(toSlashes(join(root, file)), content)
    texts.set(this.#config, createTypesConfig(root, this.#parsed, { files, virtual }))
    this.#project = session.open(this.#config)
  }

  /** The type checker. After an update, it is another object. */
  get checker(): Sync.Checker {
    return this.#project.checker
  }

  /** The number of updates. */
  get generation(): number {
    return this.#generation
  }

  /**
   * Reads the files that changed. Nodes, symbols and types from before must not be used any more.
   *
   * @param changes absolute paths with forward slashes.
   * @param files the files whose types are needed from now on.
   * @throws Error if TypeScript's process has ended.
   */
  update({ changed = [], created = [], deleted = [] }: FileChanges, files: readonly string[]): void {
    const config = this.#config
    const text = createTypesConfig(this.root, this.#parsed, { files, virtual: new Map() })
    const isSame = text === this.#texts.get(config)
    this.#texts.set(config, text)
    this.#project = this.#session.update(config, {
      changed: isSame ? changed : [...changed, config],
      created,
      deleted,
    })
    this.#nodes = new WeakMap()
    this.#files.clear()
    this.#generation += 1
  }

  /** Returns true if TypeScript's process is running. It ends early only if the system kills it. */
  isAlive(): boolean {
    try {
      return this.#project.program.getSourceFileNames().length > 0
    } catch {
      return false
    }
  }

  /** The modules of the program that are outside the project and not in packages. */
  get outside(): readonly string[] {
    const names = this.#project.program.getSourceFileNames()
    return names.filter((path) => this.isOwn(path) && !this.#isInside(path))
  }

  get #writesDeclarations(): boolean {
    const { declaration, composite } = this.#parsed?.options ?? {}
    return declaration === true || composite === true
  }

  /** Ends TypeScript's process. */
  close(): void {
    this.#session.close()
  }

  /** Returns the syntax of a file; undefined if the file is not part of the program. */
  getFile(file: string): AST.SourceFile | undefined {
    const known = this.#files.get(file)
    if (known) return known
    const source = this.#project.program.getSourceFile(toSlashes(join(this.root, file)))
    if (source) this.#files.set(file, source)
    return source
  }

  /** Returns the type errors of a file, which need not be on the disk. */
  findErrors(file: string): LineError[] {
    return this.#locate(this.#project.program.getSemanticDiagnostics(toSlashes(join(this.root, file))))
  }

  /**
   * Returns all errors in the project's own files, as `tsc --noEmit` reports them. Errors in packages, declaration
   * files and generated files are left out.
   *
   * @returns the errors and the number of checked files, which is 0 if fw is not installed in the project.
   */
  findProjectErrors(): { readonly errors: readonly ProgramError[]; readonly files: number } {
    const ownConfig = findOwnConfig(this.root)
    // If fw is not installed, every import of it is an error.
    if (!isInstalled(this.root)) return { errors: [], files: 0 }
    const { program } = ownConfig === null ? this.#project : this.#session.open(ownConfig)
    const names = program.getSourceFileNames().filter((path) => this.isOwn(path) && this.#isInside(path))
    const diagnostics = [
      ...program.getConfigFileParsingDiagnostics(),
      ...program.getProgramDiagnostics(),
      ...program.getGlobalDiagnostics(),
      ...program.getSyntacticDiagnostics(),
      ...program.getSemanticDiagnostics(),
      // In projects that write declarations, these may have errors too.
      ...(this.#writesDeclarations ? program.getDeclarationDiagnostics() : []),
    ]
    const errors = this.#locate(diagnostics.filter(({ category }) => category === 1))
    const uniqueErrors = new Map(
      errors.map((error) => [`${error.file}:${error.line}:${error.column}:${error.message}`, error]),
    )
    return { errors: [...uniqueErrors.values()].filter(({ file }) => this.isOwn(file)), files: names.length }
  }

  /**
   * Returns the syntax errors in the project's files. TypeScript reads types without the parts that it cannot
   * parse.
   */
  listSyntaxErrors(): ProgramError[] {
    return this.#locate(findSyntaxErrors(this.#project.program))
  }

  #isInside(path: string): boolean {
    return !this.toRelativePath(path).startsWith("../")
  }

  #locate(diagnostics: readonly Sync.Diagnostic[]): ProgramError[] {
    return locateErrors(diagnostics, {
      isConfig: (path) => path === this.#config,
      text: (path) => this.#texts.get(path),
      toRelativePath: (path) => this.toRelativePath(path),
    })
  }

  /** Returns the node that declares a symbol or signature. */
  resolveNode(handle: Sync.NodeHandle | undefined): AST.Node | undefined {
    if (!handle) return undefined
    const known = this.#nodes.get(handle)
    if (known) return known
    const node = handle.resolve(this.#project)
    if (!node) return undefined
    this.#nodes.set(handle, node)
    return node
  }

  /** Returns the position of a node: its file, relative to the project, and its line. */
  findPlace(node: AST.Node): SourceLocation {
    const source = node.getSourceFile()
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source))
    return { file: this.toRelativePath(source.fileName), line: line + 1 }
  }

  /** Returns a path of the program relative to the project, with forward slashes. */
  toRelativePath(path: string): string {
    return toRelative(this.root, path)
  }

  /**
   * Returns the absolute paths of the files with the project's own code.
   *
   * @param compiled true to include compiled templates.
   */
  listOwnFiles(compiled = false): readonly string[] {
    const names = this.#project.program.getSourceFileNames()
    return names.filter((path) => this.isOwn(compiled ? path.replace(/\.tpl\.ts$/, ".ts") : path))
  }

  /**
   * Returns true for a file with the project's own code: not in a package, not a declaration file, and not
   * generated.
   */
  isOwn(path: string): boolean {
    return !/(?:^|\/)node_modules\/|\.d\.[cm]?ts$|\.tpl\.ts$|(?:^|\/)\.fw\//.test(this.toRelativePath(path))
  }

  /** Returns which module of fw a file is; null for a file outside the installed fw. */
  findFrameworkModule(path: string): TypeModule | null {
    const directory = this.#framework
    // On a case-insensitive disk, paths are in lower case.
    if (!path.toLowerCase().startsWith(directory.toLowerCase())) return null
    return findTypeModule(path.slice(directory.length))
  }
}
