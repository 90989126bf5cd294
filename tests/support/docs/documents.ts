/** Reads the examples out of the documents. */

/** A ```ts block. */
export interface Example {
  /** `docs/reference/app.md:12`, for messages. */
  readonly place: string
  /**
   * Path of the file: from the comment in its first line, otherwise a new one; below its document's
   * directory.
   */
  readonly file: string
  readonly code: string
  /** The exchanges of a ```http block that comes next. Then the example makes an `app` that answers so. */
  readonly exchanges: readonly Exchange[]
  /** Marked ```ts run: it is a program that throws where it is wrong. */
  readonly runs: boolean
}

/** A request and its answer, as a document shows them. */
export interface Exchange {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly status: number
  readonly answerHeaders: Readonly<Record<string, string>>
  readonly answerBody: string
}

/** The blocks of a document, by its name. A block marked ```ts nocheck is left out. */
export function examplesOf(document: string, text: string): Example[] {
  const blocks = [...text.matchAll(/^```(\w*)([^\n]*)\n([\s\S]*?)^```$/gm)].map(
    ({ 1: language, 2: more, 3: code, index }) => ({
      language,
      more: (more as string).trim(),
      code: code as string,
      line: text.slice(0, index).split("\n").length + 1,
    }),
  )
  const directory = document.replace(/\.md$/, "").replaceAll("/", "-")
  const taken = new Set<string>()
  return blocks.flatMap(({ language, more, code, line }, index) => {
    if (language !== "ts" || more === "nocheck") return []
    const next = blocks[index + 1]
    const named = /^\/\/ ([\w./[\]()-]+\.ts)\s*$/m.exec(code.split("\n")[0] as string)?.[1]
    const file = named && !taken.has(named) ? named : `${line}/${named ?? "example.ts"}`
    taken.add(file)
    const exchanges = next?.language === "http" ? exchangesOf(next.code) : []
    const runs = more === "run"
    return [{ place: `${document}:${line}`, file: `${directory}/${file}`, code, exchanges, runs }]
  })
}

/** Exchanges are separated by lines of ###, a request from its answer by the line that begins with HTTP/1.1. */
export function exchangesOf(text: string): Exchange[] {
  return text.split(/^###.*\n/m).map((part) => {
    const at = part.indexOf("HTTP/1.1 ")
    const asked = messageOf(part.slice(0, at))
    const answered = messageOf(part.slice(at))
    const [method = "", path = ""] = asked.start.split(" ")
    return {
      method,
      path,
      headers: asked.headers,
      body: asked.body,
      status: Number(answered.start.split(" ")[1]),
      answerHeaders: answered.headers,
      answerBody: answered.body,
    }
  })
}

function messageOf(text: string): { start: string; headers: Record<string, string>; body: string } {
  const [head = "", ...rest] = text.trim().split("\n\n")
  const [start = "", ...lines] = head.split("\n")
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  )
  return { start, headers, body: rest.join("\n\n").trim() }
}
