/** Finds and installs the standalone CSS compiler. */
import { stat } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { stripVTControlCharacters } from "node:util"
import { FwError } from "../../lib/errors.ts"
import type { DownloadIo, Io } from "../cli/terminal.ts"
import { cssFault } from "../messages/css.ts"
import { downloadFault } from "../messages/download.ts"
import { getCacheDirectory } from "../tools/cache-directory.ts"
import { cacheProgram } from "../tools/cached-program.ts"
import type { DownloadLimits } from "../tools/download.ts"
import { runProgram } from "../tools/program.ts"
import { type Asset, cssVersion, downloadAsset } from "./download.ts"
import { findProjectCompiler, installFromNpm, npmCompilerPath, toCompilerCommand } from "./npm.ts"

/**
 * The files of the release. `sha256` is set where a public list contains the digest. For the others, the mirror or
 * the user provides it.
 */
const releaseAssets: Readonly<Record<string, Asset>> = {
  "linux-x64": {
    name: "tailwindcss-linux-x64",
    sha256: "09c1a5997d68f5e0127d9737593e7dc658fc96dc1851d782a78983d0d6a03c7c",
  },
  "linux-arm64": { name: "tailwindcss-linux-arm64" },
  "darwin-x64": {
    name: "tailwindcss-macos-x64",
    sha256: "c858b1dc3eb7cea98ef5194a6c8e0da7b52f2a1b1d46dacc5a76cd90998e344f",
  },
  "darwin-arm64": {
    name: "tailwindcss-macos-arm64",
    sha256: "8b0e5321ed7de33b8962410fa7e680f568366af8007bb9ebcb89cc68f70653f2",
  },
  "win32-x64": { name: "tailwindcss-windows-x64.exe" },
}

/** The path of the compiler, installed or not. */
export interface CSSBinary {
  readonly path: string
  readonly cacheDir: string
  readonly installed: boolean
  /** True if `FW_CSS_BINARY` or a package of the project provides the compiler, so that it is never downloaded. */
  readonly isGiven: boolean
}

type FindIo = Pick<Io, "env" | "cwd">
/**
 * Finds the compiler without installing it.
 *
 * @throws FwError `css_platform` if this machine has no release.
 */
export async function findCSS({ env, cwd }: FindIo): Promise<CSSBinary> {
  const cacheDir = join(getCacheDirectory(env), "bin")
  if (env.FW_CSS_BINARY) {
    const path = resolve(cwd, env.FW_CSS_BINARY)
    return { path, cacheDir, installed: await isFile(path), isGiven: true }
  }
  const projectCompiler = findProjectCompiler(cwd)
  if (projectCompiler) return { path: projectCompiler, cacheDir, installed: true, isGiven: true }
  const [, stem = "", exe = ""] = /^(.*?)(\.exe)?$/.exec(findAsset().name) ?? []
  const path = join(cacheDir, `${stem}-v${cssVersion}${exe}`)
  if (await isFile(path)) return { path, cacheDir, installed: true, isGiven: false }
  const npmCompiler = npmCompilerPath(npmDirectory(cacheDir))
  if (await isFile(npmCompiler)) return { path: npmCompiler, cacheDir, installed: true, isGiven: false }
  return { path, cacheDir, installed: false, isGiven: false }
}

/**
 * Returns the directory for npm packages. They contain native code, and machines of several types may share a
 * cache.
 */
function npmDirectory(cacheDir: string): string {
  return join(cacheDir, `tailwindcss-npm-${process.platform}-${process.arch}-v${cssVersion}`)
}

function findAsset(): Asset {
  const machine = `${process.platform}-${process.arch}`
  const found = releaseAssets[machine]
  if (found) return found
  throw cssFault("css_platform", [machine, Object.keys(releaseAssets)])
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
}

/** Options for installing the compiler. */
export interface EnsureCSSOptions extends Partial<DownloadLimits> {
  /** URL of the release. Default: `FW_CSS_BASE_URL`, otherwise the official URL. */
  readonly release?: string
}

/**
 * Finds the compiler and installs it if it is missing: from its release, or from npm if the release cannot be
 * reached.
 *
 * @throws FwError `css_binary`, `css_mirror`, `css_download`, `css_digest`, `css_no_digest` or `css_cache`. No
 * partial file is left then.
 */
export async function ensureCSS(io: DownloadIo, options: EnsureCSSOptions = {}): Promise<CSSBinary> {
  const binary = await findCSS(io)
  if (binary.installed) return binary
  if (binary.isGiven) throw cssFault("css_binary", [binary.path])
  try {
    await install(binary.path, io, options)
  } catch (error) {
    await installFromNpmInstead(error, binary, io)
  }
  return findCSS(io)
}

/**
 * Installs from npm if the release cannot be reached. Any other error, such as that of a wrong digest, is thrown
 * again. A mirror that the user has configured is not bypassed.
 */
async function installFromNpmInstead(error: unknown, { cacheDir }: CSSBinary, io: DownloadIo): Promise<void> {
  const isUnreachable = error instanceof FwError && error.code === "css_download" && !io.env.FW_CSS_BASE_URL
  if (!isUnreachable || io.signal.aborted) throw error
  // The error of the release is printed only if npm fails too.
  io.stderr.write(`Installing the CSS compiler v${cssVersion} from npm, because its release is out of reach\n`)
  try {
    await installFromNpm(npmDirectory(cacheDir), io)
  } catch (other) {
    if (io.signal.aborted) throw other
    throw downloadFault("css_download.npm", [error.message, (other as Error).message], { cause: error })
  }
}

async function install(path: string, io: DownloadIo, options: EnsureCSSOptions): Promise<void> {
  const asset = findAsset()
  await cacheProgram(path, {
    fetch: (partial) => downloadAsset(asset, partial, io, options),
    isInstalled: () => isFile(path),
    toWriteError: (cause) => cssFault("css_cache", [dirname(path), (cause as Error).message], { cause }),
    signal: io.signal,
  })
}

/**
 * Returns the version in the first line of the compiler's help; null if the compiler does not run or the line has
 * none.
 */
export async function readCSSVersion(path: string, { signal }: Pick<Io, "signal">): Promise<string | null> {
  try {
    const either = AbortSignal.any([signal, AbortSignal.timeout(20_000)])
    const { output } = await runProgram({
      ...toCompilerCommand(path, ["--help"]),
      cwd: dirname(path),
      signal: either,
    })
    // Removes colours, which the compiler prints without a terminal too if the variable CI is set.
    return /\bv(\d+\.\d+\.\d+\S*)/.exec(stripVTControlCharacters(output))?.[1] ?? null
  } catch {
    if (signal.aborted) throw signal.reason
    return null
  }
}
