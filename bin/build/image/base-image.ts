/** Reads the base image that `--base` names. */
import { buildFault } from "../../messages/build.ts"
import { type FilePart, indexTar, readContent } from "../../system/tar.ts"
import { formatMachine, type Machine } from "../executable/node-release.ts"
import { type Blob, computeDigest, type Descriptor, getBlobPath, type ImageConfig } from "./oci.ts"

/** The base of an image. */
export interface BaseImage {
  readonly config: ImageConfig
  readonly layers: readonly Blob[]
}

interface ImageIndex {
  readonly manifests: readonly Descriptor[]
}

interface ImageManifest {
  readonly config: Descriptor
  readonly layers: readonly Descriptor[]
}

/** The JSON documents of an image are small. Larger ones are rejected. */
const maxDocumentBytes = 4 * 1024 * 1024

/**
 * Reads an OCI archive.
 *
 * @param givenPath the path as the user wrote it.
 * @throws FwError `image_base` for a file that is not a valid OCI archive, or has no image for the machine.
 */
export async function readBase(path: string, givenPath: string, machine: Machine): Promise<BaseImage> {
  const files = await indexTar(path).catch((error: NodeJS.ErrnoException) => {
    throw buildFault("image_base.unreadable", [givenPath, error.code ?? error.message])
  })
  if (!files?.has("oci-layout") || !files.has("index.json")) throw buildFault("image_base", [givenPath])
  try {
    return await new BaseReader(files, machine).read()
  } catch (error) {
    if (error instanceof DamagedImage) throw buildFault("image_base.damaged", [givenPath, error.message])
    if (error instanceof MissingMachine) throw buildFault("image_base.machine", [givenPath, formatMachine(machine)])
    throw error
  }
}

class DamagedImage extends Error {}
class MissingMachine extends Error {}

class BaseReader {
  readonly #files: ReadonlyMap<string, FilePart>
  readonly #machine: Machine

  constructor(files: ReadonlyMap<string, FilePart>, machine: Machine) {
    this.#files = files
    this.#machine = machine
  }

  async read(): Promise<BaseImage> {
    const index = await this.#parseJSON<ImageIndex>(this.#files.get("index.json") as FilePart, "index.json")
    for (const { config, layers } of await this.#readManifests(index, 0)) {
      const imageConfig = await this.#readDocument<ImageConfig>(config)
      if (!this.#fitsMachine({ os: imageConfig.os, architecture: imageConfig.architecture })) continue
      if (imageConfig.rootfs?.diff_ids?.length !== layers?.length)
        throw new DamagedImage("its configuration names another number of layers than its manifest")
      return { config: imageConfig, layers: await Promise.all(layers.map((layer) => this.#readBlob(layer))) }
    }
    throw new MissingMachine()
  }

  /** Returns the manifests that an index lists, also those of nested indexes. */
  async #readManifests({ manifests }: ImageIndex, depth: number): Promise<ImageManifest[]> {
    if (!Array.isArray(manifests) || depth > 4) throw new DamagedImage("its index lists no manifests")
    const imageManifests: ImageManifest[] = []
    for (const descriptor of manifests as readonly Descriptor[]) {
      if (descriptor.platform && !this.#fitsMachine(descriptor.platform)) continue
      const document = await this.#readDocument<ImageManifest & ImageIndex>(descriptor)
      if (document.manifests) imageManifests.push(...(await this.#readManifests(document, depth + 1)))
      else imageManifests.push(document)
    }
    return imageManifests
  }

  #fitsMachine({ os, architecture }: { readonly os: string; readonly architecture: string }): boolean {
    return os === this.#machine.os && architecture === this.#machine.arch
  }

  async #readDocument<T>(descriptor: Descriptor): Promise<T> {
    const { content } = await this.#readBlob(descriptor)
    return this.#parseJSON<T>(content as FilePart, descriptor.digest)
  }

  /** Returns a blob, after checking that its content matches its digest. */
  async #readBlob(descriptor: Descriptor): Promise<Blob> {
    if (!/^sha256:[\da-f]{64}$/.test(descriptor?.digest)) throw new DamagedImage("a digest in it is not a SHA-256")
    const content = this.#files.get(getBlobPath(descriptor))
    if (!content) throw new DamagedImage(`it does not contain ${descriptor.digest}`)
    if ((await computeDigest(content)) !== descriptor.digest)
      throw new DamagedImage(`the content of ${descriptor.digest} has another digest`)
    return { descriptor, content }
  }

  async #parseJSON<T>(part: FilePart, name: string): Promise<T> {
    if (part.size > maxDocumentBytes) throw new DamagedImage(`${name} is too large`)
    const chunks: Uint8Array[] = []
    for await (const chunk of readContent(part)) chunks.push(chunk)
    try {
      const value: unknown = JSON.parse(Buffer.concat(chunks).toString())
      if (typeof value === "object" && value !== null) return value as T
    } catch {
      // A text that is not valid JSON gets the error below.
    }
    throw new DamagedImage(`${name} is not a JSON object`)
  }
}
