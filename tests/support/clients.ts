/**
 * The requests with which HTTP clients send one form: a field `title` with `hällo`, a field `größe` with `1` if the
 * client supports such a name, and a file `naïve "a".csv` of two lines. The forms in `recorded` are bytes that the
 * real client sent, with another boundary if theirs was long.
 */

/** A field, or a file with its name, its type and its text. The name of the field comes first. */
export type Entry =
  | readonly [name: string, value: string]
  | readonly [name: string, filename: string, type: string, text: string]

/** The form that a client sends, and the values in it. */
export interface ClientForm {
  readonly client: string
  /** The Content-Type. */
  readonly type: string
  readonly body: Uint8Array<ArrayBuffer>
  readonly entries: readonly Entry[]
}

/** Encodes text in UTF-8. */
export function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}

/** Encodes text with one byte for each character. */
export function latin1(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (character) => character.charCodeAt(0))
}

const lines = (...all: string[]) => all.join("\r\n")
const title: Entry = ["title", "hällo"]
const size: Entry = ["größe", "1"]
const file = (name: string, type = "text/csv"): Entry => ["file", name, type, "a,b\r\n1"]
const quoted = 'naïve "a".csv'

/** Returns the form as most clients write it, from `boundary` on, without its last line break. */
function usual(boundary: string, filename = "naïve %22a%22.csv"): string {
  return lines(
    `--${boundary}`,
    'Content-Disposition: form-data; name="title"',
    "",
    "hällo",
    `--${boundary}`,
    'Content-Disposition: form-data; name="größe"',
    "",
    "1",
    `--${boundary}`,
    `Content-Disposition: form-data; name="file"; filename="${filename}"`,
    "Content-Type: text/csv",
    "",
    "a,b",
    "1",
    `--${boundary}--`,
  )
}

function usualForm(client: string, boundary: string, end = "\r\n"): ClientForm {
  return {
    client,
    type: `multipart/form-data; boundary=${boundary}`,
    body: utf8(usual(boundary) + end),
    entries: [title, size, file(quoted)],
  }
}

function form(
  client: string,
  boundary: string,
  body: Uint8Array<ArrayBuffer>,
  ...entries: readonly Entry[]
): ClientForm {
  return { client, type: `multipart/form-data; boundary=${boundary}`, body, entries }
}

const recorded: readonly ClientForm[] = [
  usualForm("node-fetch 3.3 with formdata-polyfill 4", "----6706089328024535691173200158", ""),
  usualForm("fetch of Deno 2", "----3476827295807198897434303532", ""),
  usualForm("fetch of Bun 1.3", "----WebKitFormBoundary220cd85499a444b2961b6c3f048edd8e"),
  usualForm("fetch of Node 20.20, undici 6 and 7", "----formdata-undici-043556765858"),
  usualForm("axios 1.21", "axios-1.21.1-boundary-ET4QOCSmT_K8iF829xQ7TQBLs"),
  usualForm("form-data 4 in Node", "--------------------------c64ad55c1864f83e73b8724b"),
  usualForm("curl 7.88", "------------------------7bd8ecf7f277dd57"),
  usualForm("httpx 0.28 in Python", "fa822261a8c45999b2c2e974be3a64fb"),
  form(
    "a form of Chromium, with a line break and a file input that was left empty",
    "----WebKitFormBoundaryfsHmNmUS82yxtLAQ",
    utf8(
      lines(
        "------WebKitFormBoundaryfsHmNmUS82yxtLAQ",
        'Content-Disposition: form-data; name="note"',
        "",
        "one",
        "two",
        "------WebKitFormBoundaryfsHmNmUS82yxtLAQ",
        'Content-Disposition: form-data; name="file"; filename="naïve %22a%22.csv"',
        "Content-Type: text/csv",
        "",
        "a,b",
        "1",
        "------WebKitFormBoundaryfsHmNmUS82yxtLAQ",
        'Content-Disposition: form-data; name="none"; filename=""',
        "Content-Type: application/octet-stream",
        "",
        "",
        "------WebKitFormBoundaryfsHmNmUS82yxtLAQ--",
        "",
      ),
    ),
    ["note", "one\r\ntwo"],
    file(quoted),
    ["none", "", "application/octet-stream", ""],
  ),
  form(
    "fetch of Chromium, with names that end in a backslash, and one that is empty",
    "----WebKitFormBoundarygBX3QYyeLnYLZIBM",
    utf8(
      lines(
        "------WebKitFormBoundarygBX3QYyeLnYLZIBM",
        'Content-Disposition: form-data; name="a%0D%0Ab%22\\"',
        "",
        "x",
        "y",
        "------WebKitFormBoundarygBX3QYyeLnYLZIBM",
        'Content-Disposition: form-data; name=""',
        "",
        "empty",
        "------WebKitFormBoundarygBX3QYyeLnYLZIBM",
        'Content-Disposition: form-data; name="f\\"; filename="blob"',
        "Content-Type: application/octet-stream",
        "",
        "1",
        "------WebKitFormBoundarygBX3QYyeLnYLZIBM--",
        "",
      ),
    ),
    ['a\r\nb"\\', "x\r\ny"],
    ["", "empty"],
    ["f\\", "blob", "application/octet-stream", "1"],
  ),
  form(
    "curl 7.88 with a backslash in the file's name",
    "------------------------5f895eda74940ea0",
    utf8(
      lines(
        "--------------------------5f895eda74940ea0",
        'Content-Disposition: form-data; name="file"; filename="back\\slash.csv"',
        "Content-Type: application/octet-stream",
        "",
        "a,b",
        "1",
        "--------------------------5f895eda74940ea0--",
        "",
      ),
    ),
    file("back\\slash.csv", "application/octet-stream"),
  ),
  form(
    "curl before 7.81, which is curl 7.88 with --form-escape",
    "------------------------79cdfbbfb37bec55",
    utf8(
      lines(
        "--------------------------79cdfbbfb37bec55",
        'Content-Disposition: form-data; name="file"; filename="naïve \\"a\\"\\\\.csv"',
        "Content-Type: application/octet-stream",
        "",
        "a,b",
        "1",
        "--------------------------79cdfbbfb37bec55--",
        "",
      ),
    ),
    file(`${quoted.slice(0, -4)}\\.csv`, "application/octet-stream"),
  ),
  form(
    "requests 2.34 with urllib3 2.8 in Python, with a file without a type",
    "54a00511493e852443309f8df1efd58e",
    utf8(
      lines(
        "--54a00511493e852443309f8df1efd58e",
        'Content-Disposition: form-data; name="größe"',
        "",
        "1",
        "--54a00511493e852443309f8df1efd58e",
        'Content-Disposition: form-data; name="plain"; filename="x.bin"',
        "",
        "12",
        "--54a00511493e852443309f8df1efd58e--",
        "",
      ),
    ),
    size,
    ["plain", "x.bin", "", "12"],
  ),
  form(
    "urllib3 before 1.25, which is urllib3 2 with format_header_param_rfc2231",
    "b1",
    utf8(
      lines(
        "--b1",
        "Content-Disposition: form-data; name*=utf-8''gr%C3%B6%C3%9Fe",
        "",
        "1",
        "--b1",
        "Content-Disposition: form-data; name=\"file\"; filename*=utf-8''na%C3%AFve.csv",
        "Content-Type: text/csv",
        "",
        "a,b",
        "1",
        "--b1--",
        "",
      ),
    ),
    size,
    file("naïve.csv"),
  ),
  form(
    "aiohttp 3.14 in Python, whose server decodes the percent signs",
    "b1",
    utf8(
      lines(
        "--b1",
        "Content-Type: text/plain; charset=utf-8",
        'Content-Disposition: form-data; name="title"',
        "",
        "hällo",
        "--b1",
        "Content-Type: text/csv",
        'Content-Disposition: form-data; name="file"; filename="na%C3%AFve%20%22a%22.csv"',
        "",
        "a,b",
        "1",
        "--b1--",
        "",
      ),
    ),
    title,
    file('na%C3%AFve%20"a".csv'),
  ),
  form(
    "the email package of Python 3.11, which folds headers and cuts names in pieces",
    '"b1"',
    utf8(
      lines(
        "--b1",
        "Content-Type: application/csv",
        "MIME-Version: 1.0",
        "Content-Transfer-Encoding: 7bit",
        'Content-Disposition: form-data; name="file";',
        " filename*0*=utf-8''na%C3%AFve%20very%20very%20very%20very%20very%20very%20ve;",
        " filename*1*=ry%20long.csv",
        "",
        "a,b",
        "1",
        "--b1--",
        "",
      ),
    ),
    file("naïve very very very very very very very long.csv", "application/csv"),
  ),
  form(
    "OkHttp 4.12 in Java",
    "b1",
    utf8(
      lines(
        "--b1",
        'Content-Disposition: form-data; name="title"',
        "Content-Length: 6",
        "",
        "hällo",
        "--b1",
        'Content-Disposition: form-data; name="größe"',
        "Content-Length: 1",
        "",
        "1",
        "--b1",
        'Content-Disposition: form-data; name="file"; filename="naïve %22a%22.csv"',
        "Content-Type: text/csv",
        "Content-Length: 6",
        "",
        "a,b",
        "1",
        "--b1--",
        "",
      ),
    ),
    title,
    size,
    file(quoted),
  ),
]

/** Forms that were taken from the sources of clients, or from reports of their users. */
const known: readonly ClientForm[] = [
  // See "multipart/form-data encoding algorithm" in the HTML standard. These two differ from Chromium only in the
  // boundary.
  usualForm("Firefox", "----geckoformboundary2d6f4c1b9e0a7f35c8d1e6b4a2f09735"),
  usualForm("Safari", "----WebKitFormBoundaryAaB03xAaB03xAaB0"),
  {
    ...form(
      "Firefox before 90, which escapes quotes with a backslash",
      "---------------------------9051914041544843365972754266",
      utf8(`${usual("---------------------------9051914041544843365972754266", 'naïve \\"a\\".csv')}\r\n`),
      title,
      size,
      file(quoted),
    ),
  },
  // The classes MultipartFormDataContent and ContentDispositionHeaderValue of System.Net.Http write tokens, and use
  // RFC 2047 in `filename`.
  form(
    "HttpClient of .NET",
    '"0b5a1c2e-6b1f-4a5e-9a86-3f1c55a0d0f3"',
    utf8(
      lines(
        "--0b5a1c2e-6b1f-4a5e-9a86-3f1c55a0d0f3",
        "Content-Type: text/plain; charset=utf-8",
        "Content-Disposition: form-data; name=title",
        "",
        "hällo",
        "--0b5a1c2e-6b1f-4a5e-9a86-3f1c55a0d0f3",
        "Content-Disposition: form-data; name=plain; filename=a.txt; filename*=utf-8''a.txt",
        "",
        "12",
        "--0b5a1c2e-6b1f-4a5e-9a86-3f1c55a0d0f3",
        "Content-Type: text/csv",
        "Content-Disposition: form-data; name=file; filename=\"=?utf-8?B?bmHDr3ZlLmNzdg==?=\"; filename*=utf-8''na%C3%AFve.csv",
        "",
        "a,b",
        "1",
        "--0b5a1c2e-6b1f-4a5e-9a86-3f1c55a0d0f3--",
        "",
      ),
    ),
    title,
    ["plain", "a.txt", "", "12"],
    file("naïve.csv"),
  ),
  // See escapeQuotes() of multipart.Writer.
  {
    ...form(
      "mime/multipart of Go",
      "8b0a7b0a1b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f7081920304",
      utf8(`${usual("8b0a7b0a1b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f7081920304", 'naïve \\"a\\".csv')}\r\n`),
      title,
      size,
      file(quoted),
    ),
  },
  // MultipartEntityBuilder.addTextBody() without a type uses ContentType.DEFAULT_TEXT.
  form(
    "Apache HttpClient 4.5 in Java, which writes texts in Latin-1",
    "kQ3xV0Jm7b-Lr5Zt_9a",
    latin1(
      lines(
        "--kQ3xV0Jm7b-Lr5Zt_9a",
        'Content-Disposition: form-data; name="title"',
        "Content-Type: text/plain; charset=ISO-8859-1",
        "Content-Transfer-Encoding: 8bit",
        "",
        "hällo",
        "--kQ3xV0Jm7b-Lr5Zt_9a",
        'Content-Disposition: form-data; name="file"; filename="na?ve.csv"',
        "Content-Type: text/csv",
        "Content-Transfer-Encoding: binary",
        "",
        "a,b",
        "1",
        "--kQ3xV0Jm7b-Lr5Zt_9a--",
        "",
      ),
    ),
    title,
    file("na?ve.csv"),
  ),
  // Answers on the web about java.net.http show this code, which writes no line break at the end, and the type before
  // the disposition.
  form(
    "java.net.http with a body made by hand",
    "Boundary+17D411BA90D0A37F",
    utf8(
      lines(
        "--Boundary+17D411BA90D0A37F",
        "Content-Type: text/csv",
        'Content-Disposition: form-data;filename="naïve.csv";name="file"',
        "",
        "a,b",
        "1",
        "--Boundary+17D411BA90D0A37F--",
      ),
    ),
    file("naïve.csv"),
  ),
  // See MultipartRequest._headerForField() of package:http.
  form(
    "http of Dart",
    "dart-http-boundary-3tU_bB.ZqOn+CyR4ODFw/ZfbiyMNM",
    utf8(
      lines(
        "--dart-http-boundary-3tU_bB.ZqOn+CyR4ODFw/ZfbiyMNM",
        'content-disposition: form-data; name="title"',
        "content-type: text/plain; charset=utf-8",
        "content-transfer-encoding: binary",
        "",
        "hällo",
        "--dart-http-boundary-3tU_bB.ZqOn+CyR4ODFw/ZfbiyMNM",
        "content-type: text/csv",
        'content-disposition: form-data; name="file"; filename="naïve %22a%22.csv"',
        "",
        "a,b",
        "1",
        "--dart-http-boundary-3tU_bB.ZqOn+CyR4ODFw/ZfbiyMNM--",
        "",
      ),
    ),
    title,
    file(quoted),
  ),
  // See FormData.finalize() of package:dio.
  form(
    "dio of Dart",
    "--dio-boundary-0123456789",
    utf8(
      lines(
        "----dio-boundary-0123456789",
        'content-disposition: form-data; name="title"',
        "",
        "hällo",
        "----dio-boundary-0123456789",
        'content-disposition: form-data; name="file"; filename="naïve %22a%22.csv"',
        "content-type: text/csv",
        "",
        "a,b",
        "1",
        "----dio-boundary-0123456789--",
        "",
      ),
    ),
    title,
    file(quoted),
  ),
]

export const clientForms: readonly ClientForm[] = [...recorded, ...known]
