/** A local package registry with a file that replaces Node, and functions that install from the registry. */
import { createHash, randomBytes } from "node:crypto"
import type { Machine, NodePackage } from "../../../../bin/build/executable/node-release.ts"
import { nodeVersion } from "../../../../bin/build/executable/node-release.ts"
import { packTar } from "../../../../bin/system/tar.ts"
import { sha256 } from "../css/css-mirror.ts"

/** The bytes that replace a Node. They cannot be compressed, so that they arrive in many pieces. */
export const nodeBytes = randomBytes(2_000_001)

/** The machine for which the tests install. */
export const machine: Machine = { os: "linux", arch: "arm64" }

/** The tarball of a package with a Node, and with other files that real packages contain. */
export const published = packTar([
  { path: "package.json", bytes: Buffer.from("{}") },
  { path: "bin/aaa/bin/node", bytes: Buffer.from("not this one") },
  { path: "bin/node", bytes: nodeBytes, executable: true },
  { path: "LICENSE", bytes: Buffer.alloc(1000, "MIT ") },
])

/** Returns the pin of a tarball and of the program in it. */
export function createPin(tgz: Buffer, bytes = nodeBytes): NodePackage {
  return {
    name: "node-test",
    integrity: `sha512-${createHash("sha512").update(tgz).digest("base64")}`,
    file: "bin/node",
    sha256: sha256(bytes),
  }
}

/** Path of the package in the registry. */
export const packagePath = `/node-test/-/node-test-${nodeVersion}.tgz`
