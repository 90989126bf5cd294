/** Makes one executable file from a bundle, its assets and the target's Node. */
import { readFile } from "node:fs/promises"
import type { DownloadIo } from "../../cli/terminal.ts"
import type { OwnDirectory } from "../../system/own-directory.ts"
import type { NewFile } from "../../system/whole-file.ts"
import { runProgram } from "../../tools/program.ts"
import { insertBlob } from "./macho-insert.ts"
import { signMachO } from "./macho-sign.ts"
import { ensureNode } from "./node-binary.ts"
import { formatMachine, getHostMachine, type Machine, nodeVersion } from "./node-release.ts"
import { finishPe } from "./pe.ts"
import { strip } from "./strip.ts"

/** The content of an executable. */
export interface ExecutableContents {
  readonly machine: Machine
  /** The program: an ES module that needs nothing but Node. */
  readonly main: Uint8Array
  /** The assets that the program reads, by key. */
  readonly assets: ReadonlyMap<string, Uint8Array>
  /** Name of the program, used in its signature on darwin. */
  readonly name: string
}

/** Where a build writes temporary files and the executable. */
export interface BuildDirectory {
  /** An empty directory for temporary files. */
  readonly directory: OwnDirectory
  readonly output: NewFile
}

/** The two Node programs of a build: the one that runs here and the one that the executable contains. */
export interface NodeBinaries {
  readonly builder: string
  readonly target: string
}

/**
 * Downloads both Node programs, unless they are in the cache.
 *
 * @throws FwError as {@link ensureNode} does.
 */
export async function ensureNodes(machine: Machine, io: DownloadIo): Promise<NodeBinaries> {
  const { os, arch } = getHostMachine()
  // Windows on arm64 runs the Node for amd64. For a system that fw does not know, the Node for Linux is used.
  const host = { os: os ?? "linux", arch: os === "windows" ? "amd64" : (arch ?? "amd64") } as const
  const target = await ensureNode(machine, io)
  const isHost = formatMachine(host) === formatMachine(machine)
  return { builder: isHost ? target : await ensureNode(host, io), target }
}

/**
 * Makes the executable.
 *
 * @returns the size in bytes of the symbols that were removed from the target's Node; null if no tool on this
 * machine can remove them.
 * @throws FwError `program_failed` or `program_start` if the builder fails, `build_macho`, `build_pe`.
 */
export async function makeExecutable(
  contents: ExecutableContents,
  { builder, target }: NodeBinaries,
  { directory, output }: BuildDirectory,
  io: DownloadIo,
): Promise<{ readonly stripped: number | null }> {
  const { machine, name } = contents
  const strippedPath = directory.resolve("node")
  // Node for Windows has no symbols.
  const stripped = machine.os === "windows" ? 0 : await strip(target, strippedPath, machine, io)
  const node = machine.os === "windows" || stripped === null ? target : strippedPath
  if (machine.os === "darwin") {
    const blob = directory.resolve("program.blob")
    await runBuilder(builder, "--experimental-sea-config", contents, { directory, output: blob }, io)
    await output.write(signMachO(insertBlob(await readFile(node), await readFile(blob)), name))
  } else {
    await runBuilder(builder, "--build-sea", contents, { executable: node, directory, output: output.path }, io)
    if (machine.os === "windows") await output.write(finishPe(await readFile(output.path)))
  }
  return { stripped }
}

/** Files that the builder reads and writes. */
interface BuilderFiles {
  readonly directory: OwnDirectory
  readonly output: string
  readonly executable?: string
}

async function runBuilder(
  builder: string,
  flag: string,
  contents: ExecutableContents,
  { directory, output, executable }: BuilderFiles,
  { env, signal }: DownloadIo,
): Promise<void> {
  // The path is relative, because it becomes part of the executable, which must not reveal in which directory it
  // was built.
  const main = "main.mjs"
  await directory.write(main, contents.main)
  const config = {
    main,
    mainFormat: "module",
    ...(executable === undefined ? {} : { executable }),
    output,
    disableExperimentalSEAWarning: true,
    useSnapshot: false,
    // Node rejects a code cache from another machine, and a program with one cannot use import().
    useCodeCache: false,
    // Node ignores NODE_OPTIONS and flags on the command line, because these belong to the program.
    execArgvExtension: "none",
    assets: await writeAssets(contents.assets, directory),
  }
  await directory.write("sea.json", JSON.stringify(config))
  await runProgram({
    program: builder,
    args: [flag, "sea.json"],
    cwd: directory.path,
    env: { ...env, NODE_OPTIONS: undefined },
    signal,
    name: `Node ${nodeVersion}`,
    missing: "It needs glibc, or macOS 13.5. Build on a machine that has one of these, or use --target node.",
    failed: "If it reports a full disk, make room. Otherwise this is a bug in fw. Please report it.",
  })
}

/** Writes each asset as a file. Keys are sorted, so that two builds of the same files give the same bytes. */
async function writeAssets(
  assets: ExecutableContents["assets"],
  directory: OwnDirectory,
): Promise<Record<string, string>> {
  const files: Record<string, string> = {}
  let count = 0
  for (const key of [...assets.keys()].sort()) {
    count += 1
    files[key] = await directory.write(`asset-${count}`, assets.get(key) as Uint8Array)
  }
  return files
}
