/** A table of commands with all forms that commands of fw have or may have. */
import { defineCommand, defineSpec, type Group } from "../../../../bin/cli/spec.ts"

/** Flags of every type, with and without defaults. */
export const route = defineSpec({
  summary: "Write a route file",
  description:
    "One handler for each method, in <app-dir>/api/<path>. A file that is there is left alone. Missing directories are made.",
  arguments: [
    { name: "path", description: "Where, below app/api: users/[id]" },
    { name: "from-file", description: "A file to begin with", optional: true },
  ],
  flags: {
    methods: {
      type: "list",
      short: "m",
      default: ["GET"],
      values: ["GET", "POST", "PUT", "PATCH", "DELETE"],
      description: "Methods to write",
    },
    "app-dir": {
      type: "string",
      short: "d",
      value: "dir",
      default: "app",
      description: "Route directory",
    },
    title: { type: "string", description: "Title", shownDefault: "the project's name" },
    port: { type: "number", short: "p", default: 3000, min: 0, max: 65535, env: "PORT", description: "Port" },
    depth: {
      type: "number",
      min: -5,
      max: 5,
      description: "A number that may be negative and has no default",
    },
    tags: { type: "list", description: "Tags" },
    format: {
      type: "string",
      short: "f",
      default: "json",
      values: ["json", "yaml"],
      description: "Format of what is written",
    },
    "dry-run": { type: "boolean", short: "n", description: "Write nothing" },
  },
  examples: ["fw generate route users", "fw generate route users/[id] -m GET,PUT"],
})

/** A command with a flag that replaces a global one. */
export const openapi = defineSpec({
  summary: "Write the OpenAPI document",
  flags: { version: { type: "string", default: "1.0.0", description: "Version of the API" } },
})

const plain = defineSpec({ summary: "Do one thing" })

/** Returns commands that return their options, or fail in one of several ways. */
export function makeTable(fail?: unknown): Group {
  const echo = async <Options>() => ({
    async run(options: Options) {
      if (fail !== undefined) throw fail
      return options
    },
    print: (options: Options) => `${JSON.stringify(options)}\n`,
  })
  return {
    summary: "A tool for tests",
    commands: {
      "list-all": defineCommand(plain, echo),
      generate: {
        summary: "Write new files",
        commands: {
          route: defineCommand(route, echo),
          deep: { summary: "Deeper still", commands: { down: defineCommand(plain, echo) } },
        },
      },
      openapi: { summary: "Describe the API", commands: { generate: defineCommand(openapi, echo) } },
      noisy: defineCommand(plain, async () => ({
        async run(_options, io) {
          io.stdout.write("half way\n")
          return { done: true, hidden: 1 }
        },
        data: ({ done }) => ({ done }),
      })),
      wait: defineCommand(plain, async () => ({
        async run(_options, io) {
          io.signal.throwIfAborted()
        },
      })),
    },
  }
}
