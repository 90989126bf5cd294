/** Messages about an invalid command line. */
import { createFaults, type Messages } from "../../lib/errors/catalogue.ts"
import { FwError } from "../../lib/errors.ts"

/** An error in the command line. The command exits with 2. */
export class UsageError extends FwError {}

const explainExample = "Write: fw routes --explain GET /users/7"

export const usageMessages = {
  unknown_command: (command: string, advice: string) => [`there is no command "${command}"`, advice],
  "unknown_command.help": (word: string, suggestion: string) => [
    `"${word}" is neither a command nor the code of an error`,
    `Did you mean "fw help ${suggestion}"?`,
  ],
  unknown_flag: (command: string, flag: string, advice: string) => [`${command} has no flag "${flag}"`, advice],
  repeated_flag: (name: string) => [`--${name} is given twice`, "Give it once."],
  missing_value: (name: string, value: string, next?: string) => [
    `--${name} needs a value`,
    next === undefined
      ? `Write "--${name} ${value}".`
      : `Write "--${name} ${value}", or "--${name}=${next}" if that is the value.`,
  ],
  "invalid_value.boolean": (name: string, text: string) => [
    describeInvalid(name, text),
    `Write "${name}" without a value, or "${name}=false".`,
  ],
  "invalid_value.number": (name: string, text: string, min: number, max: number) => [
    describeInvalid(name, text),
    `It takes a whole number from ${min} to ${max}.`,
  ],
  "invalid_value.word": (name: string, text: string, values: readonly string[], suggestion: string | null) => [
    describeInvalid(name, text),
    `It takes ${joinWithOr(values)}.${suggestion === null ? "" : ` Did you mean "${suggestion}"?`}`,
  ],
  "invalid_value.workers": (text: string, maxWorkers: number) => [
    describeInvalid("--workers", text),
    `It takes a number from 1 to ${maxWorkers}, or auto for one on each processor.`,
  ],
  "invalid_value.list": (name: string, text: string) => [
    describeInvalid(name, text),
    "Write values with one comma between them.",
  ],
  "invalid_value.package": (name: string, text: string) => [
    describeInvalid(name, text),
    "Write names of packages with one comma between them: pg,@opentelemetry/sdk-node. A path in a package is not one, and fw is always in the bundle.",
  ],
  "invalid_value.site": (text: string) => [
    describeInvalid("--site", text),
    "Write the scheme and the host, without a path and a slash at the end: https://example.org.",
  ],
  "invalid_value.target": (length: number, maxLength: number) => [
    `the path has ${length} characters, which is more than a server reads`,
    `Give a path of at most ${maxLength} characters.`,
  ],
  "invalid_value.method": (method: string, suggestion: string | null) => [
    `${JSON.stringify(method)} is not an HTTP method`,
    `${suggestion === null ? "Use a method such as GET or POST." : `Did you mean ${suggestion}?`} ${explainExample}`,
  ],
  missing_command: (group: string, commands: readonly string[]) => [
    `${group} needs a command: ${commands.join(", ")}`,
    seeHelp(group),
  ],
  "missing_command.dashes": (group: string) => [`${group} needs a command before "--"`, seeHelp(group)],
  missing_argument: (command: string, name: string) => [`${command} needs <${name}>`, seeHelp(command)],
  "missing_argument.request": () => ["a request is a method and a path that begins with a slash", explainExample],
  unexpected_argument: (command: string, takes: readonly string[], extra: string) => [
    `${command} takes ${takes.length === 0 ? "no argument" : `only ${takes.join(" ")}`}, but there is "${extra}"`,
    seeHelp(command),
  ],
  "unexpected_argument.explain": (word: string) => [`fw routes takes "${word}" only with --explain`, explainExample],
  "usage.build_stdout": (flag: string, example: string) => [
    `${flag} - is standard output, but a build writes a file or a directory`,
    `Name a path: ${flag} ${example}.`,
  ],
  "usage.build_machine": (flag: string, target: string) => [
    `${flag} is for executables, but --target ${target} makes a bundle that runs on any machine`,
    `Leave out ${flag}, or --target.`,
  ],
  "usage.build_image": (flag: string) => [
    `--image writes an image with the executable in it, so ${flag} has no meaning`,
    `Leave out ${flag}, or --image.`,
  ],
  "usage.build_image_system": (os: string) => [
    `--image writes an image for linux, not for ${os}`,
    "Leave out --os, or --image.",
  ],
  "usage.build_static": (flag: string) => [
    `--target static writes no program, so ${flag} has no meaning`,
    `Leave out ${flag}, or choose another target.`,
  ],
  "usage.build_without": () => [
    "--without makes a bundle smaller, but no bundle is built",
    "Add --target, such as --target workers, or leave out --without.",
  ],
  "usage.build_base": () => [
    "--base names the image to build on, but no image is built",
    "Add --image with the file to write, or leave out --base.",
  ],
  "usage.together": (one: string, other: string) => [
    `${one} and ${other} cannot be used together`,
    "Leave out one of them.",
  ],
  "usage.watch_stdout": () => [
    "--output - is standard output, but fw css watch writes a file again and again",
    "Name a file, or print the styles once: fw css build --output -",
  ],
} satisfies Messages

/** Creates an error about the command line. */
export const usageError = createFaults(usageMessages, UsageError)

/** Returns the advice to read the help of a command. */
export function seeHelp(command: string): string {
  return `See "${command} --help".`
}

function describeInvalid(name: string, text: string): string {
  return `${name} cannot be ${JSON.stringify(text)}`
}

function joinWithOr(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`
}
