/** `fw build --image`: writes the project as an OCI image, without docker. */
import { stat } from "node:fs/promises"
import { resolve } from "node:path"
import type { Io } from "../cli/terminal.ts"
import type { Settings } from "../project/settings.ts"
import { withWorkDirectory } from "../system/whole-directory.ts"
import { fillFile, toNewFile } from "../system/whole-file.ts"
import { openProject, runStep } from "./build.ts"
import { makeExecutable } from "./executable/executable.ts"
import { findNodePackage, type Machine } from "./executable/node-release.ts"
import { readBase } from "./image/base-image.ts"
import { writeImage } from "./image/image.ts"
import { findLibraries } from "./image/libraries.ts"
import { checkImagePath, directoryFault, formatOutputPath, imageFile, toOutputPlace } from "./output.ts"
import { prepareExecutable, writeSbom } from "./to-executable.ts"

/** The image that was written. */
export interface BuiltImage {
  /** The archive, as the user would write it. */
  readonly image: string
  /** Digest of the image, by which registries identify it. */
  readonly digest: string
  readonly os: string
  readonly arch: string
  /** Size of the archive in bytes. */
  readonly size: number
}

/** Options for an image. */
export interface ImageOptions {
  /** The archive to write. */
  readonly image: string
  /** Archive of the base image. Default: none; then the image has only the libraries that the program needs. */
  readonly base: string | undefined
  readonly isStrict: boolean
  readonly settings: Settings
  /** True to write a bill of materials next to the archive. */
  readonly hasSbom: boolean
}

/**
 * Builds the project.
 *
 * @throws FwError for a mistake in the project, the output or the base, and for missing libraries. Nothing is
 * written then.
 */
export async function buildImage(
  machine: Machine,
  { image, base: baseName, isStrict, hasSbom, settings }: ImageOptions,
  io: Io,
): Promise<BuiltImage> {
  findNodePackage(machine)
  const project = openProject(io)
  const { root, appDir } = project
  if (/[/\\]$/.test(image)) throw directoryFault(image, imageFile)
  const path = resolve(root, image)
  await checkImagePath(root, path, [appDir, "static"])
  const base = baseName === undefined ? null : await readBase(resolve(root, baseName), baseName, machine)
  const { contents, nodes, sbom, external } = await prepareExecutable(
    { project, machine, path, flag: "--image", isStrict, settings },
    io,
  )
  const digest = await runStep("Making the image", io, () =>
    withWorkDirectory(root, async (directory) => {
      const executable = directory.resolve("program")
      await makeExecutable(contents, nodes, { directory, output: toNewFile(executable) }, io)
      const librariesOrBase = base ?? (await findLibraries([executable, ...external], machine))
      const parts = { machine, name: contents.name, executable, librariesOrBase }
      return fillFile(toOutputPlace(root, path, "--image"), (output) => writeImage(parts, directory, output), 0o644)
    }),
  )
  if (hasSbom) await writeSbom(root, path, sbom)
  const { size } = await stat(path)
  const { os, arch } = machine
  return { image: formatOutputPath(root, path), digest, os, arch, size }
}
