/** `fw build` without a target: the project as one executable file. Called by `bin/commands/build.ts`. */
import { stat } from "node:fs/promises"
import type { Io } from "../cli/terminal.ts"
import { inWorkplace } from "../system/whole-directory.ts"
import { fillFile } from "../system/whole-file.ts"
import { openProject, type Prepared, prepare, serverEntryFile, step } from "./build.ts"
import { ensureNodes, makeExecutable } from "./executable/executable.ts"
import { type Machine, nodePackage } from "./executable/node-release.ts"
import { executableKind } from "./kinds.ts"
import { nativeList } from "./native.ts"
import {
  checkExecutablePath,
  checkOutside,
  executablePath,
  outputPlace,
  projectName,
  shownOutput,
} from "./output.ts"
import { embeddedList } from "./static.ts"

/** What was made. */
export interface Executable {
  /** The file, as the user would write it. */
  readonly binary: string
  readonly os: string
  readonly arch: string
  /** Bytes. */
  readonly size: number
  /** Bytes that the symbols of its Node took before they were removed; null where no tool here could remove them. */
  readonly stripped: number | null
}

/**
 * Builds.
 *
 * @param output the file; without one, `bin/<project>`.
 * @throws FwError for what is wrong with the project, the output, the download or the machine; then nothing is written.
 */
export async function buildExecutable(
  machine: Machine,
  output: string | undefined,
  io: Io,
): Promise<Executable> {
  nodePackage(machine)
  const project = openProject(io)
  const { root, appDir } = project
  const path = await executablePath(root, machine, output)
  await checkExecutablePath(root, path, [appDir, "static"])
  const kind = executableKind
  const prepared = await prepare({ project, kind, entry: serverEntryFile, outfile: ".fw/main.mjs" }, io)
  checkOutside(
    root,
    path,
    prepared.directories.map(({ name }) => name),
  )
  const assets = assetsOf(prepared, machine)
  const nodes = await ensureNodes(machine, io)
  const name = await projectName(root)
  const { stripped } = await step("Making the executable", io, () =>
    inWorkplace(root, (directory) =>
      fillFile(
        outputPlace(root, path),
        (output) => {
          const contents = { machine, main: prepared.bundle.code, assets, name }
          return makeExecutable(contents, nodes, { directory, output }, io)
        },
        0o755,
      ),
    ),
  )
  const { size } = await stat(path)
  const { os, arch } = machine
  return { binary: shownOutput(root, path), os, arch, size, stripped }
}

/** Every file by the key that the program asks for it with. */
function assetsOf({ bundle, directories }: Prepared, machine: Machine): Map<string, Uint8Array | string> {
  const assets = new Map<string, Uint8Array | string>()
  for (const { name, files } of directories) {
    for (const { path, bytes } of files) assets.set(`static/${name}/${path}`, bytes)
  }
  assets.set("fw/static.json", Buffer.from(JSON.stringify(embeddedList(directories))))
  const native = bundle.native.files(machine)
  for (const { path, source } of native) assets.set(`native/${path}`, source)
  if (native.length > 0) assets.set("fw/native.json", Buffer.from(JSON.stringify(nativeList(native))))
  return assets
}
