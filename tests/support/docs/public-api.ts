/** Reads the public entries of the package: their exports, and the examples in the doc comments. */
import { existsSync, readFileSync } from "node:fs"
import { join, posix } from "node:path"
import { root } from "../tsc.ts"

/** A public name with the text of its examples. */
export interface Documented {
  /** The entry, such as `fw` or `fw/node`. */
  readonly entry: string
  /** The name, such as `cors` or `App.get`. */
  readonly name: string
  /** The position for messages, such as `lib/app.ts:31`. */
  readonly place: string
  readonly examples: readonly string[]
}

/** Returns the source file of each public entry by the name in package.json. */
export function publicEntries(): Map<string, string> {
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    exports: Record<string, string | { readonly "fw-source": string }>
  }
  const entries = Object.entries(exports).flatMap(([path, target]) => {
    if (typeof target === "string" || path.includes("*")) return []
    return [[posix.join("fw", path), posix.normalize(target["fw-source"])] as const]
  })
  return new Map(entries)
}

/** Returns all exports of an entry, with the public members of the listed classes. */
export function listDocumented(entry: string, file: string, classes: readonly string[] = []): Documented[] {
  return listExports(file).flatMap(({ name, file, as }) => {
    const source = read(file)
    const declared = findDeclaration(source, name)
    if (declared === null) throw new Error(`${file} does not declare ${name}, which ${entry} exports`)
    const own = { entry, name: as, place: `${file}:${lineAt(source, declared)}` }
    const members = classes.includes(as) ? listMembers(file, name) : []
    return [
      { ...own, examples: examplesIn(docBefore(source, declared)) },
      ...members.map((member) => ({ entry, ...member, name: `${as}.${member.name}` })),
    ]
  })
}

/** Returns the names of an entry's exports, to compare them with those that JavaScript sees. */
export function exportedNames(file: string): string[] {
  return listExports(file).map(({ as }) => as)
}

interface Exported {
  readonly name: string
  readonly as: string
  readonly file: string
}

/** Follows `export { … } from` and `export type * from` to the files that declare the names. */
function listExports(file: string): Exported[] {
  const source = read(file)
  const lists = [...source.matchAll(/^export (?:type )?\{([^}]*)\}(?: from "([^"]+)")?/gm)].flatMap(
    ([, list = "", from]) =>
      list
        .split(",")
        .map((item) => item.trim().replace(/^type /, ""))
        .filter((item) => item !== "")
        .flatMap((item) => {
          const [name = "", as = name] = item.split(" as ")
          const target = from === undefined ? file : posix.join(posix.dirname(file), from)
          return [{ ...resolved(target, name), as }]
        }),
  )
  const own = [...source.matchAll(declaration("([\\w$]+)"))].map(([, name = ""]) => ({
    name,
    as: name,
    file,
  }))
  const wholeFiles = [...source.matchAll(/^export type \* from "([^"]+)"/gm)].flatMap(([, from = ""]) =>
    listExports(posix.join(posix.dirname(file), from)),
  )
  return [...lists, ...wholeFiles, ...own]
}

/** Returns the file that declares a name, if the given file only exports it again. */
function resolved(file: string, name: string): Exported {
  if (findDeclaration(read(file), name) !== null) return { name, as: name, file }
  return listExports(file).find(({ as }) => as === name) ?? { name, as: name, file }
}

function declaration(name: string): RegExp {
  return new RegExp(
    `^export (?:declare )?(?:abstract )?(?:async )?(?:function\\*?|class|interface|type|const|let) ${name}(?![\\w$])`,
    "gm",
  )
}

function findDeclaration(source: string, name: string): number | null {
  return declaration(name.replaceAll("$", "\\$")).exec(source)?.index ?? null
}

/** Returns the public members of a class and of the classes that it extends: methods, accessors and fields. */
function listMembers(file: string, name: string): Omit<Documented, "entry">[] {
  const source = read(file)
  const head = new RegExp(`^export (?:abstract )?class ${name}\\b[^\\n]*`, "m").exec(source)
  if (!head) throw new Error(`${file} has no class ${name}`)
  const start = head.index
  const body = source.slice(start, source.indexOf("\n}\n", start))
  const member =
    /^ {2}(?!private |protected |constructor\b|static \{)(?:(?:override|readonly|declare|static|async|get|set) )*(?!readonly\b)(\w+)(?=[<(:!?=;]| (?!#))/gm
  const seen = new Map<string, Omit<Documented, "entry">>()
  for (const { 1: found = "", index } of body.matchAll(member)) {
    if (seen.has(found)) continue
    const at = start + index
    const examples = examplesIn(docBefore(source, at))
    seen.set(found, { name: found, place: `${file}:${lineAt(source, at)}`, examples })
  }
  const base = / extends (\w+)/.exec(head[0].replace(/<Params extends|<Prefix extends/, ""))?.[1]
  const from = base && new RegExp(`import \\{[^}]*\\b${base}\\b[^}]*\\} from "([^"]+)"`).exec(source)?.[1]
  // The routes of App belong to RouteGroup, which is listed itself.
  if (from && base !== "RouteGroup")
    for (const inherited of listMembers(posix.join(posix.dirname(file), from), base))
      if (!seen.has(inherited.name)) seen.set(inherited.name, inherited)
  return [...seen.values()]
}

/** Returns the text of the doc comment that ends directly before a position. */
function docBefore(source: string, at: number): string {
  const before = source
    .slice(0, at)
    .replace(/\/\/ biome-ignore .*\n$/, "")
    .trimEnd()
  if (!before.endsWith("*/")) return ""
  return before
    .slice(before.lastIndexOf("/**") + 3, -2)
    .split("\n")
    .map((line) => line.replace(/^\s*\* ?/, "").trimEnd())
    .join("\n")
    .trim()
}

/** Returns the text of each `@example`, up to the next tag. */
export function examplesIn(doc: string): string[] {
  return [
    ...doc.matchAll(/(?<=^|\s)@example\s+([\s\S]*?)(?=(?:^|\s)@(?:example|param|throws|returns|see)\s|$(?![\s\S]))/gm),
  ].map(([, text = ""]) => text.trim())
}

function lineAt(source: string, at: number): number {
  return source.slice(0, at).split("\n").length
}

const texts = new Map<string, string>()

function read(file: string): string {
  const known = texts.get(file)
  if (known !== undefined) return known
  const path = join(root, file)
  const text = existsSync(path) ? readFileSync(path, "utf8") : ""
  texts.set(file, text)
  return text
}
