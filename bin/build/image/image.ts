/** Writes an OCI image with an executable, as one archive that docker, podman and skopeo load. */
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import type { OwnDirectory } from "../../system/own-directory.ts"
import { type TarEntry, toFilePart, writeTar } from "../../system/tar.ts"
import { type NewFile, toNewFile } from "../../system/whole-file.ts"
import type { Machine } from "../executable/node-release.ts"
import { toPlainName } from "../output.ts"
import type { BaseImage } from "./base-image.ts"
import type { Library } from "./libraries.ts"
import { type Blob, getBlobPath, type ImageConfig, type Layer, mediaTypes, toJSONBlob, writeLayer } from "./oci.ts"

/** The parts of an image. */
export interface ImageContents {
  readonly machine: Machine
  /** Name of the program and of the image. */
  readonly name: string
  /** Path of the executable. */
  readonly executable: string
  /** The libraries that the executable needs, or the base image that has them. */
  readonly librariesOrBase: readonly Library[] | BaseImage
}

/** User and group of the program. Distroless images use this number for their user without rights. */
const userID = 65_532
/** The working directory. Without a base image, the program may write only to it and to `/tmp`. */
const workDirectory = "srv"
const programDirectory = "usr/local/bin"

/**
 * Writes an image.
 *
 * @param directory an empty directory for temporary files.
 * @param output the archive.
 * @returns the digest of the image.
 */
export async function writeImage(parts: ImageContents, directory: OwnDirectory, output: NewFile): Promise<string> {
  const { librariesOrBase, executable, name } = parts
  const base = "config" in librariesOrBase ? librariesOrBase : null
  const system = base ? workEntries : await createSystemEntries(librariesOrBase as readonly Library[])
  const program = { path: `${programDirectory}/${name}`, mode: 0o755, content: await toFilePart(executable) }
  // The libraries are in a layer of their own, which does not change between builds, so registries and hosts need
  // not copy it again.
  const layers = [
    await writeLayer(toNewFile(directory.resolve("system.tar.gz")), system),
    await writeLayer(toNewFile(directory.resolve("program.tar.gz")), [...listParents([program]), program]),
  ]
  const config = toJSONBlob(mediaTypes.config, createConfig(parts, layers, base))
  const blobs = [...(base?.layers ?? []), ...layers.map(({ blob }) => blob)]
  const manifest = toJSONBlob(mediaTypes.manifest, {
    schemaVersion: 2,
    mediaType: mediaTypes.manifest,
    config: config.descriptor,
    layers: blobs.map(({ descriptor }) => descriptor),
  })
  const entries = listArchiveEntries(parts, { manifest, config, layers: blobs })
  await pipeline(Readable.from(writeTar(entries)), (await output.open()).createWriteStream())
  return manifest.descriptor.digest
}

const createDirectoryEntry = (path: string, mode = 0o755, owner = 0): TarEntry => ({
  path,
  mode,
  owner,
  content: null,
})
const createTextEntry = (path: string, content: string): TarEntry => ({
  path,
  mode: 0o644,
  content: Buffer.from(content),
})

/**
 * The working directory and its directory `data`, which belong to the program's user. A volume that is mounted at
 * `data` gets the same owner.
 */
const workEntries: readonly TarEntry[] = [
  createDirectoryEntry(workDirectory, 0o755, userID),
  createDirectoryEntry(`${workDirectory}/data`, 0o755, userID),
]

/** Returns a minimal system: the libraries, and no shell or package manager. */
async function createSystemEntries(libraries: readonly Library[]): Promise<TarEntry[]> {
  const files = await Promise.all(
    libraries.map(async ({ path, source }) => ({
      path: path.slice(1),
      mode: 0o755,
      content: await toFilePart(source),
    })),
  )
  const etc = [
    createTextEntry("etc/group", `root:x:0:\nnonroot:x:${userID}:\n`),
    createTextEntry("etc/nsswitch.conf", "hosts: files dns\n"),
    createTextEntry(
      "etc/passwd",
      `root:x:0:0:root:/root:/sbin/nologin\nnonroot:x:${userID}:${userID}:nonroot:/${workDirectory}:/sbin/nologin\n`,
    ),
  ]
  return [...listParents([...etc, ...files]), ...etc, ...files, ...workEntries, createDirectoryEntry("tmp", 0o1777)]
}

/** Returns all parent directories of some entries, parents first. */
function listParents(entries: readonly TarEntry[]): TarEntry[] {
  const parents = new Set<string>()
  for (const { path } of entries) {
    const parts = path.split("/")
    for (let count = 1; count < parts.length; count += 1) parents.add(parts.slice(0, count).join("/"))
  }
  return [...parents].sort().map((path) => createDirectoryEntry(path))
}

function createConfig({ machine, name }: ImageContents, layers: readonly Layer[], base: BaseImage | null): ImageConfig {
  const { Cmd: _, Env, ...inherited } = base?.config.config ?? {}
  const variables = (Env as readonly string[] | undefined) ?? ["PATH=/usr/local/bin"]
  const hasNodeEnv = variables.some((variable) => variable.startsWith("NODE_ENV="))
  return {
    ...base?.config,
    architecture: machine.arch,
    os: machine.os,
    config: {
      ...inherited,
      // Only in production does fw refuse to start sessions without a secret.
      Env: hasNodeEnv ? variables : [...variables, "NODE_ENV=production"],
      Entrypoint: [`/${programDirectory}/${name}`],
      ExposedPorts: { "3000/tcp": {} },
      StopSignal: "SIGTERM",
      User: `${userID}:${userID}`,
      WorkingDir: `/${workDirectory}`,
    },
    rootfs: {
      type: "layers",
      diff_ids: [...(base?.config.rootfs.diff_ids ?? []), ...layers.map(({ diffID }) => diffID)],
    },
    history: [...(base?.config.history ?? []), ...layers.map(() => ({ created_by: "fw build --image" }))],
  }
}

/** Returns the files of the archive: an OCI layout, and the manifest that older versions of docker read. */
function listArchiveEntries(
  { machine, name }: ImageContents,
  { manifest, config, layers }: { manifest: Blob; config: Blob; layers: readonly Blob[] },
): TarEntry[] {
  const tag = `${toPlainName(name)}:latest`
  const platform = { os: machine.os, architecture: machine.arch }
  const annotations = {
    "io.containerd.image.name": `docker.io/library/${tag}`,
    "org.opencontainers.image.ref.name": "latest",
  }
  const index = {
    schemaVersion: 2,
    mediaType: mediaTypes.index,
    manifests: [{ ...manifest.descriptor, platform, annotations }],
  }
  const list = [
    {
      Config: getBlobPath(config.descriptor),
      RepoTags: [tag],
      Layers: layers.map(({ descriptor }) => getBlobPath(descriptor)),
    },
  ]
  const documents = [
    createTextEntry("oci-layout", JSON.stringify({ imageLayoutVersion: "1.0.0" })),
    createTextEntry("index.json", JSON.stringify(index)),
    createTextEntry("manifest.json", JSON.stringify(list)),
  ]
  // The layers of a base image may contain the same blob twice.
  const blobs = new Map([manifest, config, ...layers].map((blob) => [getBlobPath(blob.descriptor), blob.content]))
  const files = [...blobs].map(([path, content]): TarEntry => ({ path, mode: 0o644, content }))
  return [...documents, ...listParents(files), ...files]
}
