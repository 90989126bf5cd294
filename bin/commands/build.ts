/** `fw build`: the project as one executable, as a bundle for a runtime, or as an image. */

import { getHostMachine, type Machine, machineNames, nodeVersion } from "../build/executable/node-release.ts"
import { type BuiltTarget, buildTarget } from "../build/target.ts"
import { type BuiltExecutable, buildExecutable } from "../build/to-executable.ts"
import { type BuiltImage, buildImage } from "../build/to-image.ts"
import { type BuiltStatic, buildStatic } from "../build/to-static.ts"
import type { OptionsOf } from "../cli/spec.ts"
import type { Io, View } from "../cli/terminal.ts"
import { buildFault } from "../messages/build.ts"
import { usageError } from "../messages/usage.ts"
import { isPackage, isSite, readSettings, type Settings } from "../project/settings.ts"
import type * as specs from "../specs/project.ts"
import { formatMegabytes } from "../tools/download.ts"

type Options = OptionsOf<typeof specs.build>

type Result = BuiltExecutable | BuiltTarget | BuiltImage | BuiltStatic

/**
 * Builds the project.
 *
 * @throws FwError for a mistake in the project, or something missing on the machine. Nothing is written then.
 */
export async function run(options: Options, io: Io): Promise<Result> {
  const { target, output, image, base, without, strict: isStrict, sbom: hasSbom } = options
  if (output === "-") throw usageError("usage.build_stdout", ["--output", "bin/app"])
  if (image === "-") throw usageError("usage.build_stdout", ["--image", "image.tar"])
  if (without.length > 0 && target === undefined) throw usageError("usage.build_without")
  const settings = readBuildSettings(options, io)
  if (image !== undefined)
    return buildImage(chooseImageMachine(options), { image, base, isStrict, hasSbom, settings }, io)
  if (base !== undefined) throw usageError("usage.build_base")
  if (target === undefined) return buildExecutable(chooseMachine(options), { output, isStrict, hasSbom, settings }, io)
  const givenFlag = options.os !== undefined ? "--os" : options.arch !== undefined ? "--arch" : undefined
  if (givenFlag !== undefined) throw usageError("usage.build_machine", [givenFlag, target])
  if (target === "static") {
    const programFlag = without.length > 0 ? "--without" : hasSbom ? "--sbom" : undefined
    if (programFlag !== undefined) throw usageError("usage.build_static", [programFlag])
    return buildStatic({ output, isStrict, settings }, io)
  }
  return buildTarget(target, { output, without, isStrict, hasSbom, settings }, io)
}

/** Returns the settings of the project together with those of the command line. */
function readBuildSettings({ external, optional, site: requestedSite }: Options, { cwd }: Pick<Io, "cwd">): Settings {
  for (const [flag, names] of Object.entries({ external, optional })) {
    const invalidName = names.find((name) => !isPackage(name))
    if (invalidName !== undefined) throw usageError("invalid_value.package", [`--${flag}`, invalidName])
  }
  if (requestedSite !== undefined && !isSite(requestedSite)) throw usageError("invalid_value.site", [requestedSite])
  const settings = readSettings(cwd)
  const site = requestedSite ?? settings.site
  return {
    ...settings,
    ...(site !== undefined && { site }),
    external: [...new Set([...settings.external, ...external])],
    optional: [...settings.optional, ...optional],
  }
}

/** Returns the machine of an image: Linux with the requested processor. */
function chooseImageMachine({ os, arch, target, output }: Options): Machine {
  const uselessFlag = target !== undefined ? "--target" : output !== undefined ? "--output" : undefined
  if (uselessFlag !== undefined) throw usageError("usage.build_image", [uselessFlag])
  if (os !== undefined && os !== "linux") throw usageError("usage.build_image_system", [os])
  return chooseMachine({ os: "linux", arch })
}

/** Returns the requested machine. A system or processor that was not requested is that of this machine. */
function chooseMachine({ os, arch }: Pick<Options, "os" | "arch">): Machine {
  const host = getHostMachine()
  const machine = { os: os ?? host.os, arch: arch ?? host.arch }
  if (machine.os && machine.arch) return machine as Machine
  throw buildFault("build_machine.here", [`${process.platform}/${process.arch}`, machineNames])
}

/** Returns the result that `--json` prints. */
export function data(result: Result): unknown {
  if ("target" in result || "image" in result) return result
  const { binary, os, arch, size } = result
  return { binary, os, arch, size }
}

/** Returns a text with the path of the output, its size, and what it contains or runs on. */
export function print(result: Result, { style }: Pick<View, "style">): string {
  const size = formatMegabytes(result.size)
  if ("pages" in result) {
    const note = result.sitemap
      ? ""
      : "  There is no sitemap.xml, because the address of the site is not known: --site https://example.org.\n"
    return `${style.bold(result.directory)}  ${result.pages} pages, ${result.files} files, ${size}  ${style.dim("static")}\n${style.dim(note)}`
  }
  if ("target" in result) return `${style.bold(result.entry)}  ${size}  ${style.dim(result.target)}\n`
  if ("image" in result) {
    const { image, os, arch, digest } = result
    return `${style.bold(image)}  ${size}  ${style.dim(`${os}/${arch}, Node ${nodeVersion}`)}\n${style.dim(`  ${digest}`)}\n`
  }
  const { binary, os, arch, stripped } = result
  const machine = style.dim(`${os}/${arch}, Node ${nodeVersion}`)
  return `${style.bold(binary)}  ${size}  ${machine}\n${style.dim(formatSymbolsNote(stripped, `${os}/${arch}`))}`
}

function formatSymbolsNote(strippedBytes: number | null, machine: string): string {
  if (strippedBytes === null)
    return `  It still contains Node's debug symbols, about 35 MB, because no tool on this machine can strip a program for ${machine}. Install llvm-strip to make it smaller.\n`
  return strippedBytes > 0 ? `  Removed ${formatMegabytes(strippedBytes)} of debug symbols.\n` : ""
}
