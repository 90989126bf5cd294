/** Tests of which files get compressed copies, and which copies are kept. */
import { createHash } from "node:crypto"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { addCompressedFiles } from "../../../bin/build/compress.ts"
import { createStaticFile } from "../../../bin/build/static-files.ts"

const text = "a line of text that repeats\n".repeat(200)
/** Bytes that no compression makes smaller. */
const noise = Buffer.concat(Array.from({ length: 64 }, (_, i) => createHash("sha512").update(String(i)).digest()))
const files: Readonly<Record<string, string | Buffer>> = {
  "app.js": text,
  "app.css": text,
  "kept.js": text,
  "kept.js.br": "own",
  "logo.svg": text,
  "photo.png": text,
  "short.js": text.slice(0, 1000),
  "dense.bin": noise,
}

test("long texts get copies in two compressed formats, other files get none, and the project's own copies stay", async () => {
  const list = Object.entries(files).map(([path, bytes]) => createStaticFile(path, Buffer.from(bytes)))
  const [directory] = await addCompressedFiles([{ name: "static", prefix: "/static", files: list }])
  const made = directory?.files.map(({ path }) => path).filter((path) => !(path in files))
  assert.equal(made, ["app.css.br", "app.css.gz", "app.js.br", "app.js.gz", "kept.js.gz", "logo.svg.br", "logo.svg.gz"])
  const read = (path: string) => directory?.files.find((file) => file.path === path)?.bytes as Uint8Array
  assert.is(brotliDecompressSync(read("app.js.br")).toString(), text)
  assert.is(gunzipSync(read("app.js.gz")).toString(), text)
  assert.is(Buffer.from(read("kept.js.br")).toString(), "own")
})

test.run()
