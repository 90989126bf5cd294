/** Messages about files and directories that a command reads or writes. */
import { createFaults, type Messages } from "../../lib/errors/catalogue.ts"

export const fileMessages = {
  directory: (name: string) => [`${name} is not a directory of this project`, "Name one relative to its package.json."],
  exists: (files: readonly string[]) => [
    `${files.join(" and ")} already ${files.length > 1 ? "exist" : "exists"}`,
    "Nothing was written. Choose another path, or overwrite with --force.",
  ],
  "exists.irregular": (file: string) => [
    `${file} is not a regular file, so it is not overwritten`,
    "Remove it, or choose another path.",
  ],
  "exists.middleware": (message: string, fix: string, name: string) => [
    message,
    `${fix} Or return several middleware functions from the file that exists, the outermost first: Middleware() { return [first, ${name}] }`,
  ],
  "exists.openapi": (file: string) => [
    `${file} already exists, and fw did not write it`,
    "Choose another file with --output, or overwrite it with --force.",
  ],
  "exists.project": (name: string, state: "file" | "full" | "raced", content = "") => [
    {
      file: `${name} already exists, and it is not a directory`,
      full: `${name} already exists, and it is not empty: it contains ${content}`,
      raced: `${name} was created by another program in the meantime`,
    }[state],
    "Nothing was written. Choose another name, or move the existing one away.",
  ],
  "exists.here": (content: string) => [
    `this directory is not empty: it contains ${content}`,
    "Nothing was kept. Run fw new . in an empty directory, or create a new one: fw new my-app",
  ],
  outside: (file: string, within: string) => [
    `${file} would be outside ${within}, or outside the project`,
    `Choose a path in ${within}, without .. and without a symbolic link that leads out of it.`,
  ],
  "outside.argument": (name: string, path: string) => [
    `${name} ${JSON.stringify(path)} leads out of the project`,
    "Give a path below the working directory, relative to it, without symbolic links that lead out of it.",
  ],
  "outside.link": (file: string, link: string, fix?: string) => [
    `${file} would be written outside the project: ${link === file ? "it" : link} is a symbolic link that leads out of it`,
    fix ?? "Remove the link, or point it to a place in the project.",
  ],
  unwritable: (file: string, reason: string, fix?: string) => [
    `${file} cannot be written: ${reason}`,
    fix ?? "Give this user write access there, or name another path.",
  ],
  "unwritable.full": (file: string, reason: string) => [
    `${file} cannot be written: ${reason}`,
    "Make room on the disk, then try again.",
  ],
  "unwritable.kind": (file: string, kind: string, expected: string, fix?: string) => [
    `${file} is ${kind}, not ${expected}. It was not changed`,
    fix ?? "Name another path, or remove what is there.",
  ],
  watch: (directory: string, reason: string, isFull: boolean) => [
    `cannot watch ${directory}: ${reason}`,
    isFull
      ? "Raise the system's limits: sudo sysctl fs.inotify.max_user_watches=524288 fs.inotify.max_user_instances=512"
      : "Check that this user may read it.",
  ],
} satisfies Messages

/** Creates an error about files. */
export const fileFault = createFaults(fileMessages)
