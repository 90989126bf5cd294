/** The specs of `fw openapi`. Read by the table, and by each command for its options. */
import { spec } from "../spec.ts"
import { appDir, page, port } from "./flags.ts"

/** `--title` and `--version`: what a document says of the API. */
export const documentFlags = {
  title: {
    type: "string",
    value: "text",
    shownDefault: "the project's name, or that of app.openapi()",
    description: "Title of the API",
  },
  version: {
    type: "string",
    value: "version",
    shownDefault: "1.0.0, or that of app.openapi()",
    description: "Version of the API",
  },
} as const

/** What a document that is generated depends on. */
const generatedFlags = {
  ...documentFlags,
  description: { type: "string", value: "text", description: "Description of the API" },
  server: { type: "string", value: "url", description: "URL of the server" },
  "app-dir": appDir,
} as const

/** `fw openapi generate` */
export const generate = spec({
  summary: "Write the OpenAPI document of the routes",
  description:
    "Paths, parameters, bodies and answers come from the types and comments of the route files, by the project's own " +
    "TypeScript 7. None of the project's code is run, but with --load.",
  flags: {
    output: {
      type: "string",
      short: "o",
      value: "file",
      shownDefault: "openapi.json, or openapi.yaml",
      description: "Where the document goes",
    },
    format: {
      type: "string",
      short: "f",
      default: "json",
      values: ["json", "yaml"],
      description: "Format of the document",
    },
    ...generatedFlags,
    openapi30: { type: "boolean", description: "Write version 3.0.3 instead of 3.1.0" },
    load: {
      type: "boolean",
      description: "Import the modules that hold schemas, which runs them, for formats and ranges",
    },
    force: { type: "boolean", description: "Write over a file that fw did not write" },
  },
  examples: [
    "fw openapi generate",
    "fw openapi generate -f yaml -o docs/openapi.yaml --server https://api.example.com",
  ],
})

/** `fw openapi serve` */
export const serve = spec({
  summary: "Explore the API in a browser, and try its requests",
  description:
    "The document follows the project's files. Only this machine is answered, and requests are sent to the document's " +
    "first server only where that is on this machine: http://localhost:3000 where PORT says nothing else, as fw dev has it.",
  flags: {
    port: { ...port, default: 8080 },
    spec: {
      type: "string",
      value: "file",
      description: "A document in JSON or YAML, instead of the project's",
    },
    "app-dir": appDir,
    ...documentFlags,
  },
  examples: ["fw openapi serve", "fw openapi serve --spec openapi.yaml -p 9000"],
})

/** The document in parts, for the tool `fw_openapi`. */
export const document = spec({
  summary: "Make the OpenAPI document of the routes",
  flags: {
    path: { type: "string", value: "path", description: "The operations at this path and below it" },
    method: { type: "string", value: "method", description: "The operations of this method" },
    tag: { type: "string", value: "tag", description: "The operations with this tag" },
    "operation-id": { type: "string", value: "id", description: "The operation with this operationId" },
    ...page,
    output: {
      type: "string",
      value: "file",
      description: "Write the whole document to this file, and answer with the summary",
    },
    format: { type: "string", default: "json", values: ["json", "yaml"], description: "Format of the file" },
    force: { type: "boolean", description: "Write over a file that fw did not write" },
    ...generatedFlags,
    openapi30: { type: "boolean", description: "Make version 3.0.3 instead of 3.1.0" },
  },
})
