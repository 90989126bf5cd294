/** Messages about `fw new` and `fw generate`. */
import { createFaults, type Messages } from "../../lib/errors/catalogue.ts"
import { formatCd } from "./programs.ts"

/** Why a project cannot have a name. */
export type NameProblem = keyof typeof nameProblems

const nameProblems = {
  builtin: () => "Node has a module of that name",
  capital: () => "the name of a package cannot have capital letters",
  character: (part: string) =>
    `${part === " " ? "a space" : JSON.stringify(part)} is not allowed in the name of a package`,
  device: () => "Windows reserves that name for a device",
  dot: () => "it ends with a dot, which Windows removes",
  empty: () => "a name has at least one letter",
  length: () => "the name of a package has at most 214 characters",
  parent: () => "it is a path. Run fw new . in the directory itself, if it is empty",
  path: () => "it is a path. Run fw new in the directory that should contain the project",
  start: (part: string) => `it begins with ${JSON.stringify(part)}`,
  taken: () => "the project needs a package of that name, or npm reserves the name",
}

/** Why the directory of a route cannot have a name, and the fix. */
export type PathProblem = keyof typeof pathProblems

const pathProblems = {
  api: (_name: string, path: string) => [
    "begins with api, which fw adds itself",
    `Write ${path.replace(/^\/?api\/?/, "") || "."}.`,
  ],
  backslash: (_name: string, path: string) => ["contains a backslash", `Write ${path.replace(/\\+/g, "/")}.`],
  slashes: (_name: string, path: string) => ["begins with two slashes", `Write ${path.replace(/^\/+/, "") || "."}.`],
  empty: () => ["has an empty part", "Remove one of the slashes."],
  character: (name: string) => [
    `has a part with a character that some systems do not allow, ${name}`,
    'Leave out < > : " | ? and *.',
  ],
  control: (name: string) => [`has a part with a control character, ${name}`, "Remove the character."],
  device: (name: string) => [`has a part that is a device on Windows, ${name}`, "Choose another name."],
  end: (name: string) => [
    `has a part that ends with a dot or a space, which Windows removes, ${name}`,
    "Remove the dot or space.",
  ],
  file: (name: string) => [`has a part that is the name of a file, ${name}`, "Write the path of its directory only."],
  length: (name: string) => [
    `has a part that is longer than 255 bytes, ${name}`,
    "Write a shorter name: no system has longer ones.",
  ],
  private: (name: string) => [
    `has a part that fw ignores as private, ${name}`,
    "Choose a name that does not begin with _ or a dot.",
  ],
  unnamed: (name: string) => [`has a part without a name, ${name}`, "Give the catch-all a name: [...slug]."],
  up: (name: string) => [
    `has a part that leads to another directory, ${name}`,
    "Write the path from the route directory down.",
  ],
} satisfies Record<string, (name: string, path: string) => [message: string, fix: string]>

export const newMessages = {
  fields: (text: string) => [
    `${JSON.stringify(text)} is not a valid field`,
    "Write a name of letters, digits and _, and a kind if it is not text: age:number",
  ],
  "fields.alike": (name: string, other: string, label: string) => [
    `the fields ${name} and ${other} would both have the label ${JSON.stringify(label)}`,
    "Remove or rename one of them.",
  ],
  "fields.kind": (name: string, kind: string, kinds: readonly string[]) => [
    `the field ${name} cannot have the kind ${JSON.stringify(kind)}`,
    `Kinds are ${kinds.slice(0, -1).join(", ")} and ${kinds.at(-1)}.`,
  ],
  "fields.twice": (name: string) => [`the form has two fields with the name ${name}`, "Remove or rename one of them."],
  name: (name: string, problem: NameProblem, part: string, suggestion: string | null) => [
    `a project cannot have the name ${JSON.stringify(name)}: ${nameProblems[problem](part)}`,
    suggestion === null ? "Write letters, digits and hyphens: fw new my-app" : `Try: fw new ${suggestion}`,
  ],
  "name.directory": (name: string) => [
    `the name of this directory, ${JSON.stringify(name)}, cannot be the name of a project`,
    "Rename the directory to letters, digits and hyphens, or create another one: fw new my-app",
  ],
  "name.middleware": (name: string) => [
    `${JSON.stringify(name)} is not a valid name for a middleware`,
    "Begin with a letter; letters, digits, - and _ may follow. To choose the directory, use --path.",
  ],
  new_write: (name: string, directory: string, reason: string, isFull: boolean) => [
    `${name} cannot be created in ${directory}: ${reason}`,
    isFull
      ? "Make room on the disk and try again. Nothing was left behind."
      : "Give this user write access there, or run fw new in another directory. Nothing was left behind.",
  ],
  not_installed: (name: string, reason: string, fix: string) => [
    `the packages are not installed: ${reason}`,
    `${fix} Then run:\n    ${formatCd(name)}npm install`,
  ],
  offline: () => ["the package registry cannot be reached", "Check the network (and npm config get registry)."],
  path: (path: string, problem: PathProblem, name = "") => {
    const [problemText, fix] = pathProblems[problem](JSON.stringify(name), path)
    return [`the path ${JSON.stringify(path)} ${problemText}`, fix]
  },
  patterns: (flags: readonly string[]) => [
    "no pattern is named",
    `Name one or several: fw generate auth ${flags.join(" ")}`,
  ],
  "patterns.database": () => [
    "accounts need a database of fw/db, and this file does not export one",
    "Write: export const db = database(client). Or move the file, and fw generate auth writes one.",
  ],
} satisfies Messages

/** Creates an error about a new project or a new file. */
export const newFault = createFaults(newMessages)
