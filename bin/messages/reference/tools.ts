/** The error reference of `fw openapi`, `fw mcp` and the servers of the command. */
import { toolMessages } from "../tools.ts"
import { entriesOf } from "./entry.ts"

export const tools = entriesOf(toolMessages, {
  arguments: [
    "A call of an MCP tool has arguments that the tool does not take. `tools/list` has the JSON Schema of each tool.",
    {
      "arguments.type": ["limit", "0", "a whole number from 1 to 200"],
      "arguments.missing": ["path"],
      "arguments.nul": ["path"],
      "arguments.stdout": [],
      "arguments.method": ["FETCH", null],
      "arguments.unknown": ["withLayuot", "withLayout", ["path", "withLayout", "force"]],
    },
  ],
  load: [
    "",
    { "load.bundle": ['Could not resolve "./schemas.ts"'], "load.import": ["DATABASE_URL is not set"] },
  ],
  host: ["", { "host.listen": ["203.0.113.7", 3000, "listen EADDRNOTAVAIL", "fw dev"] }],
  no_answer: [
    "The MCP tool `fw_request` reached `fw dev`, but the connection closed without an answer, or took longer than a minute.",
    { no_answer: ["socket hang up"] },
  ],
  no_dev_server: [
    "The MCP tools `fw_dev_status` and `fw_request` need a running `fw dev`. They find it by `.fw/dev.json`.",
    { no_dev_server: [] },
  ],
  port_denied: ["", { "port_denied.command": [80, "fw dev"] }],
  port_in_use: ["", { "port_in_use.command": [3000, "fw dev"] }],
  server: [
    "`--server` of `fw openapi` is the address of the API in the document: a URL, or a path.",
    { server: ["example.com"] },
  ],
  spec: [
    "`fw openapi serve --spec` and `fw openapi diff` read OpenAPI 3 documents from JSON or YAML files. `fw openapi diff` also reads revisions of git, for which it needs the types of the project.",
    {
      "spec.content": ["swagger.json", true],
      "spec.revision": ["v0.9"],
      "spec.parts": ["openapi.json", "the project"],
      "spec.untyped": [
        "v1.0.0",
        "TypeScript is not installed in this project: the document has only routes and comments",
        "Install it: npm install --save-dev typescript",
      ],
      "spec.file": ["openapi.yml", false],
      "spec.syntax": ["openapi.json", "Expected ',' or '}' after property value in JSON at position 31"],
    },
  ],
  too_long: [
    "The result of an MCP tool is limited, because a model has to read it.",
    { too_long: [81_234, 60_000, ["limit", "path"]], "too_long.operation": ["POST", "/orders", 71_000] },
  ],
  workdir: [
    "`fw mcp serve` works on one project, and needs its directory.",
    { workdir: ["/home/ada/shop", false] },
  ],
})
