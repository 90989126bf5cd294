/** The tools for daily work: tests, documentation, and the running `fw dev`. */
import { defineCommand } from "../cli/spec.ts"
import * as mcp from "../specs/mcp.ts"
import { answer, count, flag, list, orNull, ref, text, texts } from "./answer-schema.ts"
import type { ListedTool } from "./tool.ts"

const placeFields = { file: text, line: orNull(count), message: text, frame: orNull(text) }
const problemFields = { ...placeFields, column: count, fix: text, stack: text, request: text }

/** These tools, in the order of the list. */
export const devTools: readonly ListedTool[] = [
  {
    name: "fw_test",
    title: "Run the tests",
    description: "Runs the tests, which run the project's own code. Lists the failures only.",
    command: "test",
    fixed: { watch: false, timeout: 300 },
    defaults: { limit: 20 },
    effect: "runs",
    output: answer({
      ...Object.fromEntries(
        ["total", "passed", "failed", "skipped", "todo", "files", "ms"].map((name) => [name, count]),
      ),
      failures: list({
        name: text,
        test: text,
        ...placeFields,
        fix: orNull(text),
        expected: orNull(text),
        actual: orNull(text),
        stack: texts,
      }),
      // Each has a message and its fix. The whole list of tools has 18,000 bytes at most.
      answers: { type: "array" },
    }),
  },
  {
    name: "fw_docs",
    title: "Search the documentation",
    description:
      "Searches the documentation of the installed version. The pages are also resources: fw://docs/<page>#<anchor>.",
    command: defineCommand(mcp.docs, () => import("./docs.ts")),
    fixed: {},
    effect: "reads",
    output: answer({
      directory: text,
      hits: list({ page: text, heading: text, anchor: text, line: count, excerpt: text }),
      total: count,
      offset: count,
    }),
  },
  {
    name: "fw_dev_status",
    title: "Show the running application",
    description:
      "Shows the project's running fw dev: URL, problems of the build, last errors of requests, last output (newest first).",
    command: defineCommand(mcp.devStatus, () => import("./dev-status.ts")),
    fixed: {},
    effect: "reads",
    output: answer(
      {
        url: text,
        state: { enum: ["running", "failed"] },
        problems: ref("problems"),
        warnings: ref("problems"),
        errors: ref("problems"),
        errorsTotal: count,
        log: list({ stream: text, text }),
        logTotal: count,
        offset: count,
      },
      { problems: list({ ...problemFields, time: text, isOld: flag }) },
    ),
  },
  {
    name: "fw_request",
    title: "Send a request",
    description: "Sends one HTTP request to the project's running fw dev, and to no other host.",
    command: defineCommand(mcp.devRequest, () => import("./dev-request.ts")),
    fixed: {},
    effect: "calls",
    output: answer({
      status: count,
      headers: { type: "object", additionalProperties: text },
      body: text,
      isText: flag,
      total: count,
      offset: count,
      complete: flag,
    }),
  },
]
