/**
 * A program of the project's files, read by the project's own TypeScript. The rest of `bin/project/types/` knows its
 * nodes and types only by the names given here; `checks/handler-types.ts` checks with it.
 */
import { existsSync, realpathSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join, relative, sep } from "node:path"
import { fileURLToPath } from "node:url"
import type * as Ast from "typescript/unstable/ast"
import type * as Sync from "typescript/unstable/sync"
import type { Place } from "../../lib/openapi/model.ts"
import {
  failed,
  loadTypeScript,
  type TypeScriptApi,
  type TypeScriptSession,
  type Untyped,
} from "./typescript-api.ts"

export type { CallExpression, Node, SourceFile } from "typescript/unstable/ast"
export type {
  InterfaceType,
  Signature,
  Symbol as TypeSymbol,
  Type,
  TypeReference,
} from "typescript/unstable/sync"

/** What the checker says of one line that it was asked about. */
export interface TypeError {
  /** The line of the file, from 1, as the column is. */
  readonly line: number
  readonly column: number
  readonly message: string
}

/** What to open. */
export interface OpenOptions {
  /** Files whose types are asked for, relative to the project. */
  readonly files: readonly string[]
  /** Files that are not on disk, by their path relative to the project. */
  readonly virtual?: ReadonlyMap<string, string>
}

/** It lies in `.fw/`, so that its paths are the project's and nobody's own file is hidden by it. */
const configFile = ".fw/tsconfig.types.json"
const ownPackage = dirname(fileURLToPath(new URL("../../../package.json", import.meta.url)))

/**
 * Opens a program of the given files and of what they import, with the compiler options of the project's
 * `tsconfig.json`. Nothing is written and nothing of the project runs. Call `close()` when done: a process waits.
 */
export async function openTypes(root: string, options: OpenOptions): Promise<TypeProgram | Untyped> {
  const api = await loadTypeScript(root)
  if ("untyped" in api) return api
  try {
    return new TypeProgram(root, api, options)
  } catch (error) {
    return failed(api.version, error)
  }
}

/** A program: syntax and types of the project's files. */
export class TypeProgram {
  /** Kinds of nodes, and flags. */
  readonly kinds: typeof Ast.SyntaxKind
  readonly flags: typeof Sync.TypeFlags
  readonly symbolFlags: typeof Sync.SymbolFlags
  readonly elementFlags: typeof Sync.ElementFlags
  readonly checker: Sync.Checker
  readonly root: string
  readonly #session: TypeScriptSession
  readonly #project: Sync.Project
  /** Where fw's declarations are. */
  readonly #framework: string

  /** @throws Error where TypeScript does not open it. */
  constructor(root: string, api: TypeScriptApi, { files, virtual = new Map() }: OpenOptions) {
    this.root = root
    this.kinds = api.kinds
    this.flags = api.flags
    this.symbolFlags = api.symbolFlags
    this.elementFlags = api.elementFlags
    const installed = findFramework(root)
    this.#framework = `${slashes(installed ?? ownPackage)}/dist/lib/`
    const texts = new Map([...virtual].map(([file, text]) => [slashes(join(root, file)), text]))
    const config = slashes(join(root, configFile))
    this.#session = api.start(root, texts)
    try {
      const all = [...files, ...virtual.keys()].map((file) => `../${file}`)
      const lent = installed ? {} : lentFramework()
      texts.set(config, configText(root, [...all, ...this.#ambient()], lent))
      this.#project = this.#session.open(config)
      this.checker = this.#project.checker
    } catch (error) {
      this.close()
      throw error
    }
  }

  /** The project's own `.d.ts` files: what they declare for all files is said nowhere else. */
  #ambient(): string[] {
    const config = slashes(join(this.root, "tsconfig.json"))
    if (!existsSync(config)) return []
    return this.#session
      .fileNames(config)
      .filter((file) => /\.d\.[cm]?ts$/.test(file) && !file.includes("/node_modules/"))
  }

  /** Ends TypeScript's process. */
  close(): void {
    this.#session.close()
  }

  /** A file's syntax; undefined for one that is not part of the program. */
  file(file: string): Ast.SourceFile | undefined {
    return this.#project.program.getSourceFile(slashes(join(this.root, file)))
  }

  /** Type errors of a file, also of a virtual one. */
  errors(file: string): TypeError[] {
    const source = this.file(file)
    if (!source) return []
    return this.#project.program
      .getSemanticDiagnostics(source.fileName)
      .map(({ pos, text, messageChain }) => {
        const { line, character } = source.getLineAndCharacterOfPosition(pos)
        const message = [text, ...deepest(messageChain)].join(" ")
        return { line: line + 1, column: character + 1, message }
      })
  }

  /** The flags of a tuple's elements: 7.0 calls the target of a reference a tuple, 7.1 the reference too. */
  elementFlagsOf(tuple: Sync.TypeReference): readonly Sync.ElementFlags[] {
    return (tuple.getTarget() as { elementFlags?: readonly Sync.ElementFlags[] }).elementFlags ?? []
  }

  /** The node that a symbol or signature was declared by. */
  resolve(handle: Sync.NodeHandle | undefined): Ast.Node | undefined {
    return handle?.resolve(this.#project)
  }

  /** Where a node is, relative to the project. */
  place(node: Ast.Node): Place {
    const source = node.getSourceFile()
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source))
    return { file: this.relative(source.fileName), line: line + 1 }
  }

  /** A path of the program relative to the project, with forward slashes. */
  relative(path: string): string {
    return relative(this.root, path).split(sep).join("/")
  }

  /** Whether a file holds the project's own code: neither a package's, nor declarations, nor generated. */
  isOwn(path: string): boolean {
    return !/(?:^|\/)node_modules\/|\.d\.[cm]?ts$|\.tpl\.ts$|(?:^|\/)\.fw\//.test(path)
  }

  /** The module of fw that a file is: `context` for `lib/context.d.ts` of the installed package; null for another file. */
  frameworkModule(path: string): string | null {
    const lib = this.#framework
    // A case-insensitive disk has its paths in small letters.
    if (!path.toLowerCase().startsWith(lib.toLowerCase())) return null
    return path.slice(lib.length).replace(/\.d\.ts$/, "")
  }
}

function slashes(path: string): string {
  return path.split(sep).join("/")
}

/** The last message of each chain says what does not fit; those before it say where it was found. */
function deepest(chain: readonly Sync.Diagnostic[] | undefined): string[] {
  const last = chain?.at(-1)
  return last ? (deepest(last.messageChain).length > 0 ? deepest(last.messageChain) : [last.text]) : []
}

/** The project's options, and the given files alone: tests and scripts are not read. */
function configText(root: string, files: readonly string[], lent: object): string {
  const own = existsSync(join(root, "tsconfig.json"))
  return JSON.stringify({
    ...(own ? { extends: "../tsconfig.json" } : {}),
    compilerOptions: {
      ...(own ? {} : { target: "es2022", module: "nodenext" }),
      ...lent,
      // Null and undefined are told apart by what is sent, whatever the project's own check overlooks.
      strict: true,
      noEmit: true,
      composite: false,
      incremental: false,
      allowJs: true,
      checkJs: false,
      skipLibCheck: true,
      allowImportingTsExtensions: true,
    },
    files,
    include: [],
  })
}

/** The directory of the fw that the project resolves, or null. */
function findFramework(root: string): string | null {
  try {
    return dirname(realpathSync(createRequire(join(root, "package.json")).resolve("fw/package.json")))
  } catch {
    return null
  }
}

/** A project that has no fw installed is read with the command's own copy, as `fw dev` runs it. */
function lentFramework(): object {
  const lib = `${slashes(ownPackage)}/dist/lib`
  return { paths: { fw: [`${lib}/index.d.ts`], "fw/html": [`${lib}/html.d.ts`] } }
}
