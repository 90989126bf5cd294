/** The media type of a file, by the ending of its name. */

/**
 * Media types with their endings, one type per line. The table has the types that browsers treat specially, and those
 * that sites offer for download.
 */
const typeTable = `
text/html html htm
text/css css
text/javascript js mjs cjs
text/plain txt log
text/markdown md markdown
text/csv csv
text/calendar ics
text/vcard vcf
text/vtt vtt
application/json json map
application/ld+json jsonld
application/geo+json geojson
application/manifest+json webmanifest
application/wasm wasm
application/xml xml xsl
application/xhtml+xml xhtml
application/rss+xml rss
application/atom+xml atom
application/rtf rtf
application/pdf pdf
application/epub+zip epub
application/zip zip
application/gzip gz tgz
application/zstd zst
application/x-7z-compressed 7z
application/x-bzip2 bz2
application/x-xz xz
application/x-tar tar
application/vnd.openxmlformats-officedocument.wordprocessingml.document docx
application/vnd.openxmlformats-officedocument.spreadsheetml.sheet xlsx
application/vnd.openxmlformats-officedocument.presentationml.presentation pptx
image/svg+xml svg
image/png png
image/apng apng
image/jpeg jpg jpeg
image/gif gif
image/webp webp
image/avif avif
image/jxl jxl
image/heic heic
image/bmp bmp
image/tiff tif tiff
image/x-icon ico
font/woff woff
font/woff2 woff2
font/ttf ttf
font/otf otf
audio/mpeg mp3
audio/mp4 m4a
audio/aac aac
audio/ogg ogg oga opus
audio/wav wav
audio/webm weba
audio/flac flac
video/mp4 mp4 m4v
video/webm webm
video/ogg ogv
video/quicktime mov
application/vnd.apple.mpegurl m3u8
model/gltf+json gltf
model/gltf-binary glb`

let typeByEnding: Map<string, string> | undefined

/** Parses the table. Called for the first file, so that applications without static files do not spend time on it. */
function parseTypeTable(): Map<string, string> {
  const types = new Map<string, string>()
  for (const line of typeTable.trim().split("\n")) {
    const [type = "", ...endings] = line.split(" ")
    const contentType = type.startsWith("text/") ? `${type}; charset=utf-8` : type
    for (const ending of endings) types.set(ending, contentType)
  }
  return types
}

/**
 * Returns the `Content-Type` for a file name. Text has the charset UTF-8. JSON and XML have no charset (RFC 8259 §11
 * defines none, and XML files state their own). An unknown type is `application/octet-stream`, which browsers never
 * run.
 */
export function findMediaType(name: string): string {
  typeByEnding ??= parseTypeTable()
  const dot = name.lastIndexOf(".")
  return (dot > 0 && typeByEnding.get(name.slice(dot + 1).toLowerCase())) || "application/octet-stream"
}

const packedType =
  /^(?:image\/(?!svg|bmp|x-icon)|audio\/|video\/|font\/woff|application\/(?:epub|pdf|zip|gzip|zstd|x-(?!tar)|vnd\.openxml))/

/** Returns true if files of a type are compressed already. Such files have no `.br` or `.gz` next to them. */
export function isPackedType(type: string): boolean {
  return packedType.test(type)
}
