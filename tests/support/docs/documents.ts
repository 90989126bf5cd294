/** Reads the examples in the documents. */

/** A ```ts block. */
export interface Example {
  /** The position for messages, such as `docs/reference/app.md:12`. */
  readonly place: string
  /**
   * Path of the file below its document's directory. A comment in the first line of the block names it. Without this
   * comment, no other block has this path.
   */
  readonly file: string
  readonly code: string
  /** The exchanges of the next ```http block. If there are any, the example creates an `app` that answers so. */
  readonly exchanges: readonly Exchange[]
  /** True for a block that is marked ```ts run: a program that throws if something is wrong. */
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

/** Returns the examples of a document, without blocks that are marked ```ts nocheck. */
export function readExamples(document: string, text: string): Example[] {
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
    const exchanges = next?.language === "http" ? readExchanges(next.code) : []
    const runs = more === "run"
    return [{ place: `${document}:${line}`, file: `${directory}/${file}`, code, exchanges, runs }]
  })
}

/** Parses exchanges. A line of ### separates them, and the answer starts with a line that begins with HTTP/1.1. */
export function readExchanges(text: string): Exchange[] {
  return text.split(/^###.*\n/m).map((part) => {
    const at = part.indexOf("HTTP/1.1 ")
    const asked = parseMessage(part.slice(0, at))
    const answered = parseMessage(part.slice(at))
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

function parseMessage(text: string): { start: string; headers: Record<string, string>; body: string } {
  const [head = "", ...rest] = text.trim().split("\n\n")
  const [start = "", ...lines] = head.split("\n")
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  )
  return { start, headers, body: rest.join("\n\n").trim() }
}
