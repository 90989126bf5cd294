/** Messages about `fw/files`: about wrong calls, and about engines that fail. */
import { describeType, formatValue, shortenText } from "../text.ts"
import type { Messages } from "./message.ts"

export const filesMessages = {
  "files.name": (call: string, name: unknown) => [
    `${call} was given ${typeof name === "string" ? JSON.stringify(shortenText(name)) : describeType(name)} as a name`,
    'A name is segments between slashes, such as "photos/7.png": none is empty, begins with a dot, or has a character or a name that Windows reserves, and there are no control characters, no backslash, at most 180 bytes per segment and 1000 in all.',
  ],
  "files.option": (call: string, option: string, value: unknown, fix: string) => [
    `${call} was given ${formatValue(value)} as ${option}`,
    fix,
  ],
  "files.body": (value: unknown) => [
    `files.put() was given ${describeType(value)} as the content`,
    "Pass a text, a Uint8Array, an ArrayBuffer, a Blob or a stream of bytes, such as part.body.",
  ],
  "files.stream": (value: unknown) => [
    `the stream that files.put() was given has ${describeType(value)} in it`,
    "Pass a stream of bytes: .pipeThrough(new TextEncoderStream()) turns text into bytes.",
  ],
  "files.place": (name: string, taken: string) => [
    `${JSON.stringify(name)} cannot be stored, because ${JSON.stringify(taken)} is a ${taken === name ? "directory" : "file"}`,
    "On a disk, a name cannot be a file and a directory of others. Use another name.",
  ],
  "files.path": (call: string, engine: string) => [
    `${call} needs an address of this program, because files of ${engine} have no address of their own`,
    'Pass { path: "/files" } when you open them, and let serveFiles() answer there: app.all("/files/*", serveFiles(files)).',
  ],
  "files.serve": (value: unknown) => [
    `serveFiles() was given ${describeType(value)}, which is not files of fw/files`,
    'Pass what diskFiles() or another engine returned: app.all("/files/*", serveFiles(files)).',
  ],
  "files.changed": (name: string) => [
    `${JSON.stringify(name)} was stored again while it was read`,
    "Read it again. Names that have a version or a random part never change.",
  ],
  "files.upload": (name: string) => [
    `there is no such upload of ${JSON.stringify(name)}`,
    "It has ended, or was removed. Begin a new one: files.upload() without an id.",
  ],
  "files.credentials": () => [
    "s3Files() has no credentials",
    "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or pass credentials: { accessKeyId, secretAccessKey }.",
  ],
  "files.endpoint": () => [
    "the endpoint of s3Files() is not a plain URL of http or https",
    'Write its scheme and host, such as "https://s3.eu-central-1.amazonaws.com". Keys belong in credentials.',
  ],
  "files.disk": () => ["diskFiles() needs a disk, which this runtime does not have", "Use s3Files() or r2Files()."],
  "files.binding": (value: unknown) => [
    `r2Files() takes a bucket of R2, not ${describeType(value)}`,
    "Pass the binding by its name in the configuration of the worker: r2Files(c.env.BUCKET).",
  ],
  files_unavailable: (call: string, engine: string) => [
    `${call} was not done: ${engine} failed`,
    "The cause says what to check: the disk and its rights, or the address, the network, the keys and what they allow.",
  ],
} satisfies Messages
