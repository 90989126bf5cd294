/** The error reference as pages of `docs/reference/errors/`, and one entry as text for the terminal. */
import type { FwErrorCode } from "../../../lib/error-codes.ts"
import { application } from "./application.ts"
import { build } from "./build.ts"
import { css } from "./css.ts"
import { download } from "./download.ts"
import type { Entry } from "./entry.ts"
import { files } from "./files.ts"
import { hosts } from "./hosts.ts"
import { type HttpEntry, httpEntries } from "./http.ts"
import { middleware } from "./middleware.ts"
import { created } from "./new.ts"
import { programs } from "./programs.ts"
import { project } from "./project.ts"
import { scan } from "./scan.ts"
import { store } from "./store.ts"
import { tools } from "./tools.ts"
import { usage } from "./usage.ts"

interface Page {
  /** The file's name without its ending. */
  readonly name: string
  readonly title: string
  readonly entries: readonly Entry[]
}

const downloadsOf = (subject: string) => download.filter(({ code }) => code.startsWith(subject))

const subjects: readonly Page[] = [
  { name: "application", title: "The application", entries: application },
  { name: "routes", title: "The route directory", entries: scan },
  { name: "middleware", title: "Middleware", entries: middleware },
  { name: "store", title: "Stores", entries: store },
  { name: "servers", title: "Servers and hosts", entries: hosts },
  { name: "command-line", title: "The command line", entries: usage },
  { name: "projects", title: "Projects and new files", entries: [...project, ...created] },
  { name: "files", title: "Files", entries: files },
  { name: "programs", title: "Other programs", entries: programs },
  { name: "css", title: "Styles", entries: [...css, ...downloadsOf("css")] },
  { name: "build", title: "Builds", entries: [...build, ...downloadsOf("node")] },
  { name: "tools", title: "OpenAPI and MCP", entries: tools },
]

const everything = subjects.flatMap(({ entries }) => entries)

/** The pages; each code is on one, with its messages from all catalogues. */
export const pages: readonly Page[] = subjects.map(({ entries, ...page }) => ({
  ...page,
  entries: entries
    .filter(({ about }) => about !== "")
    .map((entry) => ({
      ...entry,
      examples: [
        entry,
        ...everything.filter((other) => other !== entry && other.code === entry.code),
      ].flatMap(({ examples }) => examples),
    }))
    .sort((a, b) => (a.code < b.code ? -1 : 1)),
}))

/** Returns the entry of a code; undefined for a word that is not one. */
export function entryOf(code: string): Entry | HttpEntry | undefined {
  const found = pages.flatMap(({ entries }) => entries).find((entry) => entry.code === code)
  return found ?? httpEntries.find((entry) => entry.code === code || String(entry.status) === code)
}

/** The codes of all entries. */
export const codes: readonly FwErrorCode[] = pages.flatMap(({ entries }) => entries.map(({ code }) => code))

/** Returns an entry as text. */
export function entryText(entry: Entry | HttpEntry): string {
  if ("status" in entry) return `${entry.code} (HTTP ${entry.status})\n\n${plain(entry.about)}\n`
  const messages = entry.examples.map(([what, fix]) =>
    indented([what, ...(fix ? [`  ${fix}`] : [])].join("\n")),
  )
  return `${entry.code}\n\n${plain(entry.about)}\n\nMessages, with example values:\n\n${messages.join("\n\n")}\n`
}

const note = "<!-- Made by scripts/errors.mjs from bin/messages. Change it there. -->"

/** Returns the files of `docs/reference/errors/`, by name. */
export function referenceFiles(): ReadonlyMap<string, string> {
  return new Map([
    ["README.md", indexPage()],
    ...pages.map((page): [string, string] => [`${page.name}.md`, subjectPage(page)]),
    ["http.md", httpPage()],
  ])
}

function indexPage(): string {
  const rows = pages.flatMap(({ name, title, entries }) =>
    entries.map(({ code }) => [code, `| [\`${code}\`](${name}.md#${code}) | ${title} |`] as const),
  )
  const sorted = rows.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
  return `${note}

# Errors by code

An \`FwError\` has a \`code\`, which is stable: programs may test for it. The type \`FwErrorCode\` lists the codes. In a terminal,
\`fw help <code>\` prints an entry of this reference.

A client gets other errors: [HTTP errors](http.md). How a program makes and handles them is in [Errors](../errors.md).

| code | subject |
|---|---|
${sorted.join("\n")}
`
}

function subjectPage({ title, entries }: Page): string {
  const sections = entries.map(({ code, about, examples }) => {
    const messages = examples.map(([what, fix]) => `${what}${fix ? `\n  ${fix}` : ""}`)
    return `## ${code}\n\n${about}\n\n\`\`\`text\n${messages.join("\n\n")}\n\`\`\`\n`
  })
  return `${note}\n\n# Errors: ${title}\n\nEach message is shown with example values, and with its fix below it.\n\n${sections.join("\n")}`
}

function httpPage(): string {
  const rows = httpEntries.map(({ code, status, about }) => `| ${status} | \`${code}\` | ${about} |`)
  return `${note}

# HTTP errors

An \`HttpError\` answers the client: \`{ "error": code, "message": text }\` with its status. A program chooses another code with
the option \`code\`. A status that is not in this list has the code \`http_\` and its number, such as \`http_418\`.

| status | \`error\` | fw answers with it |
|---|---|---|
${rows.join("\n")}
`
}

/** Returns a text without the marks of Markdown. */
function plain(text: string): string {
  return text.replaceAll("`", "")
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, "  ")
}
