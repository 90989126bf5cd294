/** `fw build` without a target: writes the project as one executable file. */
import { stat } from "node:fs/promises"
import type { Io } from "../cli/terminal.ts"
import type { Project } from "../project/project.ts"
import type { Settings } from "../project/settings.ts"
import { withWorkDirectory } from "../system/whole-directory.ts"
import { fillFile } from "../system/whole-file.ts"
import { type BuildOptions, openProject, type PreparedBuild, prepareBuild, runStep, serverEntryFile } from "./build.ts"
import { executableKind } from "./bundle-kinds.ts"
import { type ExecutableContents, ensureNodes, makeExecutable, type NodeBinaries } from "./executable/executable.ts"
import { findNodePackage, type Machine, nodeVersion } from "./executable/node-release.ts"
import { packExternal } from "./external.ts"
import type { FileToCopy } from "./external-packages.ts"
import {
  checkExecutablePath,
  checkOutside,
  chooseExecutablePath,
  formatOutputPath,
  type OutputFlag,
  readProjectName,
  toOutputPlace,
} from "./output.ts"
import { readComponents, renderBillOfMaterials, toNodeComponent } from "./sbom.ts"
import { listEmbeddedFiles } from "./static-files.ts"

/** The executable that was written. */
export interface BuiltExecutable {
  /** The file, as the user would write it. */
  readonly binary: string
  readonly os: string
  readonly arch: string
  /** In bytes. */
  readonly size: number
  /**
   * Size of the symbols that were removed from its Node, in bytes; null if no tool on this machine can remove them.
   */
  readonly stripped: number | null
}

/** The input for an executable, or for an image that contains one. */
export interface ExecutableJob {
  readonly project: Project
  readonly machine: Machine
  /** Absolute path of the file that the command writes. */
  readonly path: string
  readonly flag: OutputFlag
  readonly isStrict: boolean
  readonly settings: Settings
}

/** An executable before it is written. */
export interface PreparedExecutable {
  /** The bill of materials. */
  readonly sbom: string
  readonly contents: ExecutableContents
  readonly nodes: NodeBinaries
  /** Absolute paths of the files that it unpacks. */
  readonly external: readonly string[]
}

/**
 * Builds the project.
 *
 * @throws FwError for a mistake in the project or the output, and for a failed download. Nothing is written
 * then.
 */
export async function buildExecutable(
  machine: Machine,
  { output, isStrict, hasSbom, settings }: BuildOptions,
  io: Io,
): Promise<BuiltExecutable> {
  findNodePackage(machine)
  const project = openProject(io)
  const { root, appDir } = project
  const path = await chooseExecutablePath(root, machine, output)
  await checkExecutablePath(root, path, [appDir, "static"])
  const { contents, nodes, sbom } = await prepareExecutable(
    { project, machine, path, flag: "--output", isStrict, settings },
    io,
  )
  const { stripped } = await runStep("Making the executable", io, () =>
    withWorkDirectory(root, (directory) =>
      fillFile(
        toOutputPlace(root, path),
        (output) => makeExecutable(contents, nodes, { directory, output }, io),
        0o755,
      ),
    ),
  )
  if (hasSbom) await writeSbom(root, path, sbom)
  const { size } = await stat(path)
  const { os, arch } = machine
  return { binary: formatOutputPath(root, path), os, arch, size, stripped }
}

/** Bundles the project and gets the Node programs. @throws FwError as {@link buildExecutable} does. */
export async function prepareExecutable(
  { project, machine, path, flag, isStrict, settings }: ExecutableJob,
  io: Io,
): Promise<PreparedExecutable> {
  const { root } = project
  const kind = executableKind
  const options = { project, kind, entry: serverEntryFile, outfile: ".fw/main.mjs", isStrict, settings }
  const prepared = await prepareBuild(options, io)
  checkOutside(
    root,
    path,
    prepared.directories.map(({ name }) => name),
    flag,
  )
  const files = prepared.bundle.external.listNeededFiles(machine, prepared.bundle.startImports)
  const assets = collectAssets(prepared, files)
  const nodes = await ensureNodes(machine, io)
  const name = readProjectName(root)
  const { bundle } = prepared
  const external = files.map(({ source }) => source)
  const components = [...readComponents(root, [...bundle.files, ...external]), toNodeComponent(nodeVersion)]
  const sbom = renderBillOfMaterials(root, name, components)
  return { contents: { machine, main: bundle.code, assets, name }, nodes, sbom, external }
}

/** Writes the bill of materials of a file next to it. */
export async function writeSbom(root: string, path: string, sbom: string): Promise<void> {
  await fillFile(toOutputPlace(root, `${path}.cdx.json`), (file) => file.write(sbom))
}

/** Returns the files to embed, by the key under which the program reads them. */
function collectAssets({ directories }: PreparedBuild, external: readonly FileToCopy[]): Map<string, Uint8Array> {
  const assets = new Map<string, Uint8Array>()
  for (const { name, files } of directories) {
    for (const { path, bytes } of files) assets.set(`static/${name}/${path}`, bytes)
  }
  assets.set("fw/static.json", Buffer.from(JSON.stringify(listEmbeddedFiles(directories))))
  const { list, bytes } = packExternal(external)
  assets.set("fw/external.json", Buffer.from(JSON.stringify(list)))
  assets.set("fw/external", bytes)
  return assets
}
