/**
 * Finds and loads the API of the project's own TypeScript. Versions 7.0 (`typescript/unstable/sync`) and 7.1
 * (`typescript/sync`) differ in names and parameters. This module gives both the same interface.
 */
import type { ChildProcess } from "node:child_process"
import { subscribe, unsubscribe } from "node:diagnostics_channel"
import { createRequire } from "node:module"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type * as AST from "typescript/unstable/ast"
import type * as Sync from "typescript/unstable/sync"
import { getTypeScriptInstallCommand } from "../../cli/version.ts"

/** A project whose types cannot be read, and the reason. */
export interface Untyped {
  readonly untyped: string
  readonly fix: string
}

/** The API of TypeScript, before a project is opened. */
export interface TypeScriptAPI {
  readonly version: string
  readonly kinds: typeof AST.SyntaxKind
  readonly flags: typeof Sync.TypeFlags
  readonly symbolFlags: typeof Sync.SymbolFlags
  readonly objectFlags: typeof Sync.ObjectFlags
  readonly elementFlags: typeof Sync.ElementFlags
  /**
   * Starts TypeScript's process.
   *
   * @param texts files that are not on the disk, by absolute path with forward slashes.
   * @param hasVirtualFiles true if some modules are not on the disk. TypeScript then asks for each file whether it is one
   * of them.
   */
  start(root: string, texts: ReadonlyMap<string, string>, hasVirtualFiles: boolean): TypeScriptSession
}

/** Files that changed on the disk or in `texts`, as absolute paths with forward slashes. */
export interface FileChanges {
  readonly changed?: readonly string[]
  readonly created?: readonly string[]
  readonly deleted?: readonly string[]
}

/** A parsed `tsconfig.json`. */
export interface ParsedConfig {
  /** Absolute paths, with forward slashes, of all files that it lists or includes. */
  readonly fileNames: readonly string[]
  readonly options: Readonly<Record<string, unknown>>
}

/** A process of TypeScript. */
export interface TypeScriptSession {
  /** Reads a `tsconfig.json` and the files that it extends. */
  parse(config: string): ParsedConfig
  /**
   * Opens the project of a `tsconfig.json`. Projects that are open stay open.
   *
   * @throws Error if TypeScript does not open it.
   */
  open(config: string): Sync.Project
  /** Returns the same project after some files changed. Objects of the previous state must not be used any more. */
  update(config: string, changes: FileChanges): Sync.Project
  /** Ends the process. */
  close(): void
}

/**
 * The parts of TypeScript 7.1 that differ: other names for snapshots, and an option for every callback of the file
 * system.
 */
interface Sync71 {
  readonly API: new (options: object) => API71
}

interface API71 extends Closable {
  parseConfigFile(file: string): ParsedConfig
  createSnapshot(params: object): Snapshot71
}

interface Snapshot71 {
  getConfiguredProject(config: string): Sync.Project | undefined
  update(params: object): Snapshot71
  dispose(): void
}

interface Closable {
  close(): void
}

interface FileSystemModule71 {
  readonly serverFS: { readonly useOS: symbol }
}

/**
 * Loads the TypeScript that a project has installed. Returns the fix if there is none or its version is not
 * supported.
 */
export async function loadTypeScript(root: string): Promise<TypeScriptAPI | Untyped> {
  const require = createRequire(join(root, "package.json"))
  const load = async (name: string) => import(pathToFileURL(require.resolve(name)).href)
  const has = (name: string) => {
    try {
      require.resolve(name)
      return true
    } catch {
      return false
    }
  }
  if (!has("typescript/package.json"))
    return { untyped: "TypeScript is not installed in the project", fix: describeInstall() }
  const { version } = require("typescript/package.json") as { version: string }
  try {
    if (has("typescript/sync")) {
      const [sync, ast, fs] = await Promise.all(["sync", "ast", "fs"].map((name) => load(`typescript/${name}`)))
      return createAPI(version, sync, ast, (cwd, texts, hasVirtualFiles) =>
        createSession71(sync, fs, cwd, texts, hasVirtualFiles),
      )
    }
    if (has("typescript/unstable/sync")) {
      const [sync, ast] = await Promise.all(["sync", "ast"].map((name) => load(`typescript/unstable/${name}`)))
      return createAPI(version, sync, ast, (cwd, texts, hasVirtualFiles) =>
        createSession70(sync, cwd, texts, hasVirtualFiles),
      )
    }
  } catch (error) {
    return describeFailure(version, error)
  }
  const untyped = `the project's TypeScript is ${version}, and fw reads types with versions 7.0 and 7.1`
  return { untyped, fix: describeInstall() }
}

function describeInstall(): string {
  return `Install it in the project: ${getTypeScriptInstallCommand()}`
}

/** Returns the reason and the fix if TypeScript failed. */
export function describeFailure(version: string, error: unknown): Untyped {
  const reason = error instanceof Error ? error.message : String(error)
  return {
    untyped: `TypeScript ${version} could not open the project: ${reason}`,
    fix: `Run tsc --noEmit to see what it says. If it says nothing, use a version that fw is tested with: ${getTypeScriptInstallCommand()}`,
  }
}

function createAPI(version: string, sync: typeof Sync, ast: typeof AST, start: TypeScriptAPI["start"]): TypeScriptAPI {
  const { TypeFlags: flags, SymbolFlags: symbolFlags, ObjectFlags: objectFlags } = sync
  const { ElementFlags: elementFlags } = sync
  return { version, kinds: ast.SyntaxKind, flags, symbolFlags, objectFlags, elementFlags, start }
}

function createSession70(
  sync: typeof Sync,
  cwd: string,
  texts: ReadonlyMap<string, string>,
  hasVirtualFiles: boolean,
): TypeScriptSession {
  // TypeScript sends a message for every file and callback, so only the necessary callbacks are set.
  const fs = {
    readFile: (path: string) => texts.get(path),
    ...(hasVirtualFiles && { fileExists: (path: string) => texts.has(path) || undefined }),
  }
  const [api, child] = startProcess(() => new sync.API({ cwd, fs }))
  const getProject = (snapshot: Sync.Snapshot, config: string) => requireProject(snapshot.getProject(config))
  let lastSnapshot: Sync.Snapshot | undefined
  return {
    parse: (config) => api.parseConfigFile(config),
    open(config) {
      lastSnapshot = api.updateSnapshot({ openProjects: [config] })
      return getProject(lastSnapshot, config)
    },
    update(config, { changed = [], created = [], deleted = [] }) {
      const oldSnapshot = lastSnapshot
      const fileChanges = { changed: [...changed], created: [...created], deleted: [...deleted] }
      lastSnapshot = api.updateSnapshot({ fileChanges })
      oldSnapshot?.dispose()
      return getProject(lastSnapshot, config)
    },
    close: () => endProcess(api, child),
  }
}

function createSession71(
  sync: unknown,
  fs: unknown,
  cwd: string,
  texts: ReadonlyMap<string, string>,
  hasVirtualFiles: boolean,
): TypeScriptSession {
  const options = { cwd, fs: createCallbacks71((fs as FileSystemModule71).serverFS, texts, hasVirtualFiles) }
  const [api, child] = startProcess(() => new (sync as Sync71).API(options))
  let lastSnapshot: Snapshot71 | undefined
  return {
    parse: (config) => api.parseConfigFile(config),
    open(config) {
      const openProjects = [config]
      lastSnapshot = lastSnapshot ? lastSnapshot.update({ openProjects }) : api.createSnapshot({ openProjects })
      return requireProject(lastSnapshot.getConfiguredProject(config))
    },
    update(config, fileNotifications) {
      const oldSnapshot = lastSnapshot as Snapshot71
      lastSnapshot = oldSnapshot.update({ fileNotifications, ensurePrograms: true })
      if (lastSnapshot !== oldSnapshot) oldSnapshot.dispose()
      return requireProject(lastSnapshot.getConfiguredProject(config))
    },
    close: () => endProcess(api, child),
  }
}

function createCallbacks71(
  { useOS }: FileSystemModule71["serverFS"],
  texts: ReadonlyMap<string, string>,
  hasVirtualFiles: boolean,
): object {
  return {
    readFile: (path: string) => texts.get(path) ?? useOS,
    fileExists: hasVirtualFiles ? (path: string) => texts.has(path) || useOS : useOS,
    directoryExists: useOS,
    getAccessibleEntries: useOS,
    realpath: useOS,
    stat: useOS,
    writeFile: useOS,
    removeFile: useOS,
  }
}

function requireProject(project: Sync.Project | undefined): Sync.Project {
  if (!project) throw new Error("it knows no such project")
  return project
}

/** Creates an API. Returns it together with the process that it has started, which Node reports. */
function startProcess<API>(create: () => API): [API, ChildProcess | undefined] {
  let child: ChildProcess | undefined
  const onProcess = (message: unknown) => {
    child = (message as { process: ChildProcess }).process
  }
  subscribe("child_process", onProcess)
  try {
    return [create(), child]
  } finally {
    unsubscribe("child_process", onProcess)
  }
}

/**
 * Kills a process. If it were asked to end, it would write "context canceled" to the terminal, and it has nothing
 * to save.
 */
function endProcess(api: Closable, child: ChildProcess | undefined): void {
  try {
    if (child?.pid !== undefined && child.exitCode === null) process.kill(child.pid, "SIGKILL")
    api.close()
  } catch {
    // A process that has ended cannot release its snapshots.
  }
}
