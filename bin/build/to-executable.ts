/** `fw build` without a target: the project as one executable file. */
import { stat } from "node:fs/promises"
import type { Io } from "../cli/terminal.ts"
import type { Project } from "../project/project.ts"
import type { Settings } from "../project/settings.ts"
import { inWorkplace } from "../system/whole-directory.ts"
import { fillFile } from "../system/whole-file.ts"
import { type BuildOptions, openProject, type Prepared, prepare, serverEntryFile, step } from "./build.ts"
import { type Contents, ensureNodes, makeExecutable, type Nodes } from "./executable/executable.ts"
import { type Machine, nodePackage, nodeVersion } from "./executable/node-release.ts"
import { externalList } from "./external.ts"
import { executableKind } from "./kinds.ts"
import {
  checkExecutablePath,
  checkOutside,
  executablePath,
  type OutputFlag,
  outputPlace,
  projectName,
  shownOutput,
} from "./output.ts"
import { billOfMaterials, nodeComponent, readComponents } from "./sbom.ts"
import { embeddedList } from "./static.ts"

/** Result of the build. */
export interface Executable {
  /** The file, as the user would write it. */
  readonly binary: string
  readonly os: string
  readonly arch: string
  /** In bytes. */
  readonly size: number
  /** Size of the removed symbols of its Node in bytes; null if no tool on this machine can remove them. */
  readonly stripped: number | null
}

/** The machine and the output of an executable, or of a file that will contain it. */
export interface ExecutableJob {
  readonly project: Project
  readonly machine: Machine
  /** Absolute path of the file that the command writes. */
  readonly path: string
  readonly flag: OutputFlag
  readonly isStrict: boolean
  readonly settings: Settings
}

/** Everything that an executable is made of, before it is written. */
export interface ReadyExecutable {
  /** The bill of materials. */
  readonly sbom: string
  readonly contents: Contents
  readonly nodes: Nodes
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
): Promise<Executable> {
  nodePackage(machine)
  const project = openProject(io)
  const { root, appDir } = project
  const path = await executablePath(root, machine, output)
  await checkExecutablePath(root, path, [appDir, "static"])
  const { contents, nodes, sbom } = await readyExecutable(
    { project, machine, path, flag: "--output", isStrict, settings },
    io,
  )
  const { stripped } = await step("Making the executable", io, () =>
    inWorkplace(root, (directory) =>
      fillFile(
        outputPlace(root, path),
        (output) => makeExecutable(contents, nodes, { directory, output }, io),
        0o755,
      ),
    ),
  )
  if (hasSbom) await writeSbom(root, path, sbom)
  const { size } = await stat(path)
  const { os, arch } = machine
  return { binary: shownOutput(root, path), os, arch, size, stripped }
}

/** Bundles the project and gets the Nodes. @throws FwError as {@link buildExecutable} does. */
export async function readyExecutable(
  { project, machine, path, flag, isStrict, settings }: ExecutableJob,
  io: Io,
): Promise<ReadyExecutable> {
  const { root } = project
  const kind = executableKind
  const options = { project, kind, entry: serverEntryFile, outfile: ".fw/main.mjs", isStrict, settings }
  const prepared = await prepare(options, io)
  checkOutside(
    root,
    path,
    prepared.directories.map(({ name }) => name),
    flag,
  )
  const assets = assetsOf(prepared, machine)
  const nodes = await ensureNodes(machine, io)
  const name = await projectName(root)
  const { bundle } = prepared
  const external = bundle.external.files(machine, bundle.imported).map(({ source }) => source)
  const components = [...readComponents(root, [...bundle.files, ...external]), nodeComponent(nodeVersion)]
  const sbom = billOfMaterials(root, name, components)
  return { contents: { machine, main: bundle.code, assets, name }, nodes, sbom }
}

/** Writes the bill of materials of a file next to it. */
export async function writeSbom(root: string, path: string, sbom: string): Promise<void> {
  await fillFile(outputPlace(root, `${path}.cdx.json`), (file) => file.write(sbom))
}

/** Returns every file by the key with which the program reads it. */
function assetsOf({ bundle, directories }: Prepared, machine: Machine): Map<string, Uint8Array | string> {
  const assets = new Map<string, Uint8Array | string>()
  for (const { name, files } of directories) {
    for (const { path, bytes } of files) assets.set(`static/${name}/${path}`, bytes)
  }
  assets.set("fw/static.json", Buffer.from(JSON.stringify(embeddedList(directories))))
  const external = bundle.external.files(machine, bundle.imported)
  for (const { path, source } of external) assets.set(`external/${path}`, source)
  assets.set("fw/external.json", Buffer.from(JSON.stringify(externalList(external))))
  return assets
}
