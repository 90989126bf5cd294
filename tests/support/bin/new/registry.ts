/** A local package registry for npm. */
import { createHash } from "node:crypto"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { type PackageFile, packTar } from "../../../../bin/system/tar.ts"
import { readTar } from "../system/read-tar.ts"

/** A version of a package, by its tarball. */
export interface Release {
  readonly name: string
  readonly version: string
  readonly tarball: Buffer
}

/** Creates a release from texts. */
export function release(
  manifest: { readonly name: string; readonly version: string; readonly [key: string]: unknown },
  files: Readonly<Record<string, string>> = {},
): Release {
  const texts = { "package.json": JSON.stringify(manifest), ...files }
  const list: PackageFile[] = Object.entries(texts).map(([path, text]) => ({
    path,
    bytes: Buffer.from(text),
    executable: path.startsWith("bin/"),
  }))
  return { name: manifest.name, version: manifest.version, tarball: packTar(list) }
}

/** A running registry. */
export interface TestRegistry {
  readonly url: string
  /** The requested paths. */
  readonly asked: string[]
  /** The releases of the registry, which may change while it runs. */
  releases: Release[]
  close(): Promise<void>
}

export async function startRegistry(releases: readonly Release[] = []): Promise<TestRegistry> {
  const server: Server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? "")
    registry.asked.push(path)
    const tarball = registry.releases.find((one) => path === tarballPath(one))
    if (tarball) return void response.end(tarball.tarball)
    const versions = registry.releases.filter(({ name }) => path === `/${name}`)
    if (versions.length === 0) return void response.writeHead(404).end('{"error":"not_found"}')
    response.setHeader("content-type", "application/json")
    response.end(JSON.stringify(packument(versions, registry.url)))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const registry: TestRegistry = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    releases: [...releases],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return registry
}

function tarballPath({ name, version }: Release): string {
  return `/${name}/-/${name.replace(/^.*\//, "")}-${version}.tgz`
}

function packument(releases: readonly Release[], url: string) {
  const { name } = releases[0] as Release
  const versions = Object.fromEntries(
    releases.map((one) => {
      const manifest = readTar(one.tarball).find(({ path }) => path === "package.json") as PackageFile
      const hash = (algorithm: string, encoding: "hex" | "base64") =>
        createHash(algorithm).update(one.tarball).digest(encoding)
      const dist = {
        tarball: `${url}${tarballPath(one)}`,
        shasum: hash("sha1", "hex"),
        integrity: `sha512-${hash("sha512", "base64")}`,
      }
      return [one.version, { ...JSON.parse(Buffer.from(manifest.bytes).toString()), dist }]
    }),
  )
  return { name, "dist-tags": { latest: releases.at(-1)?.version }, versions }
}
