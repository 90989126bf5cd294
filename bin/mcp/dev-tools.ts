/** The tools for daily work: tests, documentation, and requests to the running `fw dev`. */
import { defineCommand } from "../cli/spec.ts"
import * as mcp from "../specs/mcp.ts"
import type { ListedTool } from "./tool.ts"

/** The tools, in the order of the list. */
export const devTools: readonly ListedTool[] = [
  {
    name: "fw_test",
    title: "Run the tests",
    description: "Runs the tests, which run the project's own code. Lists the failures only.",
    command: "test",
    fixed: { watch: false, timeout: 300 },
    defaults: { limit: 20 },
    effect: "runs",
  },
  {
    name: "fw_docs",
    title: "Search the documentation",
    description:
      "Searches the documentation of the installed version. The pages are also resources: fw://docs/<page>#<anchor>.",
    command: defineCommand(mcp.docs, () => import("./docs.ts")),
    fixed: {},
    effect: "reads",
  },
  {
    name: "fw_dev_status",
    title: "Show the running application",
    description:
      "Shows the project's running fw dev: URL, problems of the build, last errors of requests, last output (newest first), jobs that wait, run or have failed.",
    command: defineCommand(mcp.devStatus, () => import("./dev-status.ts")),
    fixed: {},
    effect: "reads",
  },
  {
    name: "fw_requests",
    title: "Show requests",
    description:
      "Lists the last requests of the project's running fw dev, newest first. With id: what answered one and why, what was slow, its errors, log lines, headers and bodies, with secrets masked.",
    command: "requests",
    fixed: { files: false },
    effect: "reads",
  },
  {
    name: "fw_jobs_retry",
    title: "Retry failed jobs",
    description: "Runs jobs again that have failed for the last time, with all their attempts. With id: only this one.",
    command: "jobs retry",
    fixed: {},
    effect: "runs",
  },
  {
    name: "fw_request",
    title: "Send a request",
    description: "Sends one HTTP request to the project's running fw dev, and to no other host.",
    command: defineCommand(mcp.devRequest, () => import("./dev-request.ts")),
    fixed: {},
    effect: "calls",
  },
]
