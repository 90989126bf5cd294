/** Messages about the project that a command works on. */
import { createFaults, type Messages } from "../../lib/errors/catalogue.ts"
import { formatProblems } from "../../lib/messages/scan.ts"

/** The largest number of names in a list. */
const maxNames = 8

/** A part of an answer that does not match its type. */
interface AnswerPart {
  readonly path: string
  /** How it differs: `expected a string, got null`. */
  readonly issue?: string
  /** The named type that declares it, and its position: `User (lib/users.ts:3)`. */
  readonly type?: string
}

/** The fix for a main.ts that exports no app. */
const exportAppFix = "Write export default app at its end, where app is the App that has your middleware."

const findRoutesFix = "Run this in a project's own directory, or name its routes with --app-dir <dir>."
const nameTemplatesFix = "Name .tpl files or directories of this project, or none for all of them."

export const projectMessages = {
  "answers.type": (route: string, status: number, parts: readonly AnswerPart[]) => [
    `${route} answers ${status} with a value that does not fit its type: ${parts.map(({ path, issue }) => `${path && `${path}: `}${issue}`).join("; ")}`,
    describeAnswerFix(parts),
  ],
  "answers.undeclared": (route: string, status: number, parts: readonly AnswerPart[]) => [
    `${route} answers ${status} with properties that its type does not declare: ${formatList(parts.map(({ path }) => path))}`,
    "Clients get them, but the document does not show them. Send only the properties that clients need, or declare these in the type.",
  ],
  "answers.untyped": (reason: string, fix: string) => [
    `the types of the answers cannot be read, and --strict promises to check them: ${reason}`,
    fix,
  ],
  "app_dir.above": (directory: string) => [
    `the route directory "${directory}" contains the project`,
    "Name a directory of the project with --app-dir <dir>, or run the command in the project whose routes you mean.",
  ],
  "app_dir.missing": (message: string) => [message, findRoutesFix],
  "app_dir.neither": (directory: string) => [
    `there is neither a directory "${directory}" nor a package.json`,
    findRoutesFix,
  ],
  "app_dir.file": (path: string) => [`${path} is not a directory`, findRoutesFix],
  env_file: (name: string) => [`${name} cannot be read`, "Write lines of NAME=value, and give this user read access."],
  "format_file.kind": (name: string) => [`${name} is not a .tpl file or a directory`, nameTemplatesFix],
  "format_file.missing": (name: string) => [`${name} does not exist`, nameTemplatesFix],
  main: () => ["main.ts has no default export", exportAppFix],
  "main.kind": () => ["the default export of main.ts is not an App", exportAppFix],
  no_project: (root: string, appDir: string) => [
    `${root} has neither a directory "${appDir}" nor a main.ts`,
    `Run this in a project's own directory, create one with "fw new", or write ${appDir}/api/hello/route.ts.`,
  ],
  no_tests: () => ["the project has no test file", "Write one with a name such as tests/users.test.ts."],
  "no_tests.filter": (text: string, files: readonly string[]) => [
    `no test file has ${JSON.stringify(text)} in its path`,
    `There are ${files.slice(0, 5).join(", ")}${files.length > 5 ? ` and ${files.length - 5} more` : ""}.`,
  ],
  package_json: () => ["there is no package.json", "Run this in a project's own directory."],
  "package_json.content": () => ["package.json is not a JSON object", "Correct the file so that npm can read it."],
  patch: (specifier: string, name: string) => [`${specifier} has no export ${name}`, "Import a name that it exports."],
  settings: (name: string, names: readonly string[]) => [
    `the "fw" in package.json has a setting that fw does not know: ${JSON.stringify(name)}`,
    `Its settings are ${formatList(names)}. Correct the name, or remove it.`,
  ],
  "settings.assets": () => [
    '"assets" of the "fw" in package.json is not the name of a directory of the project',
    'Write one such as "fw": { "assets": "frontend" }.',
  ],
  "settings.packages": (name: string) => [
    `"${name}" of the "fw" in package.json is not a list of packages`,
    `Write names of packages without paths: "fw": { "${name}": ["pg", "@opentelemetry/sdk-node"] }. fw itself cannot be in it.`,
  ],
  "settings.site": (value: unknown) => [
    `"site" of the "fw" in package.json is not the address of a site: ${JSON.stringify(value)}`,
    'Write the scheme and the host, without a path and a slash at the end: "fw": { "site": "https://example.org" }.',
  ],
  "syntax.esbuild": (message: string) => [message, "Fix the syntax. npx tsc --noEmit shows all errors."],
  template: (message: string, frame: string, fix: string) => [`${message}\n\n${frame}\n`, fix],
  templates: formatProblems,
  validators: (message: string, fix: string) => [message, fix],
  "validators.changed": (file: string) => [`${file} changed while it was read`, "Run the command again."],
  "validators.missed": (file: string, method: string) => [
    `${file} calls c.${method}() without a schema, but TypeScript did not read this file`,
    "Include the file in tsconfig.json, or pass a schema.",
  ],
  "validators.parameter": (method: string) => [
    `this call of ${method}() is not checked: its type is a type parameter of the function around it`,
    `Pass a schema: ${method}(schema). Or call ${method}() where the type is known.`,
  ],
  "validators.several": formatProblems,
  "validators.unknown": (method: string) => [
    `this call of ${method}() is not checked: it is called on a value of the type any`,
    "Give the context its type: (c: Context) => …. Or pass a schema.",
  ],
  "validators.untyped": (reason: string, fix: string) => [
    `the types that c.bind() and similar calls check cannot be read: ${reason}`,
    fix,
  ],
} satisfies Messages

function formatList(names: readonly string[]): string {
  const more = names.length - maxNames
  return `${names.slice(0, maxNames).join(", ")}${more > 0 ? ` and ${more} more` : ""}`
}

function describeAnswerFix(parts: readonly AnswerPart[]): string {
  const types = [...new Set(parts.flatMap(({ type }) => type ?? []))]
  const where = types.length > 0 ? ` in the type${types.length > 1 ? "s" : ""} ${formatList(types)}` : " in its type"
  const issues = parts.map(({ issue = "" }) => issue)
  const isNumber = issues.some((issue) => /expected (?:a number|an integer).*, got null$/.test(issue))
  const isDate = issues.some((issue) => /\(date-time[^()]*\), got another string$/.test(issue))
  const note =
    (isNumber ? " JSON writes NaN and Infinity as null, too." : "") +
    (isDate ? " A Date is sent as 2027-01-31T09:30:00.000Z, and the value is text in another form." : "")
  if (issues.every((issue) => issue.endsWith(", got null"))) return `Allow null${where}, or send another value.${note}`
  if (issues.every((issue) => issue.endsWith(", got nothing")))
    return `Make ${parts.length > 1 ? "them" : "it"} optional${where}, or always send ${parts.length > 1 ? "them" : "it"}.${note}`
  return `Send what the type says, or correct it${where}.${note}`
}

/** Creates an error about a project. */
export const projectFault = createFaults(projectMessages)
