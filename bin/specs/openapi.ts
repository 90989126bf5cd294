/** The specs of `fw openapi`. */
import { defineSpec } from "../cli/spec.ts"
import { appDirFlag, pageFlags, portFlag } from "./flags.ts"

/** `--title` and `--version`, which set fields in the document's `info`. */
const documentFlags = {
  title: {
    type: "string",
    value: "text",
    shownDefault: "name of the project, or the title given to app.openapi()",
    description: "Title of the API",
  },
  version: {
    type: "string",
    value: "version",
    shownDefault: "1.0.0, or the version given to app.openapi()",
    description: "Version of the API",
  },
} as const

/** The flags of commands that generate a document. */
const generatedFlags = {
  ...documentFlags,
  description: { type: "string", value: "text", description: "Description of the API" },
  server: { type: "string", value: "url", description: "URL of the server" },
  "app-dir": appDirFlag,
} as const

export const generate = defineSpec({
  summary: "Write the OpenAPI document of the routes",
  description:
    "Reads paths, parameters, bodies and responses from the types and comments of the route files, with the project's own " +
    "TypeScript 7. Runs none of the project's code, except with --load.",
  flags: {
    output: {
      type: "string",
      short: "o",
      value: "file",
      shownDefault: "openapi.json, or openapi.yaml",
      description: "File for the document; - prints it",
    },
    format: {
      type: "string",
      short: "f",
      default: "json",
      values: ["json", "yaml"],
      description: "Format of the document",
    },
    ...generatedFlags,
    openapi30: { type: "boolean", description: "Write OpenAPI 3.0.3 instead of 3.1.0" },
    load: {
      type: "boolean",
      description: "Import (and so run) the modules with schemas, to read formats and ranges from them",
    },
    force: { type: "boolean", description: "Overwrite a file that fw did not write" },
  },
  examples: [
    "fw openapi generate",
    "fw openapi generate -f yaml -o docs/openapi.yaml --server https://api.example.com",
  ],
})

export const serve = defineSpec({
  summary: "Explore the API in a browser and send requests to it",
  description:
    "The document is updated when the project's files change. The page is served to this machine only. It can send requests to the document's " +
    "first server if that is on this machine; without one, to http://localhost:3000 or the port in PORT.",
  flags: {
    port: { ...portFlag, default: 8080 },
    spec: {
      type: "string",
      value: "file",
      description: "Show this document (JSON or YAML) instead of the project's",
    },
    "app-dir": appDirFlag,
    ...documentFlags,
  },
  examples: ["fw openapi serve", "fw openapi serve --spec openapi.yaml -p 9000"],
})

export const diff = defineSpec({
  summary: "List the changes of the API that break clients, and the others",
  description:
    "Compares two versions of the API. A version is an OpenAPI document (JSON or YAML), a git revision, whose project is read, or a document of a revision: main:openapi.json.",
  arguments: [
    { name: "old", description: "The version that clients know", pathKind: "file or revision" },
    {
      name: "new",
      description: "The other version; the project as it is if omitted",
      optional: true,
      pathKind: "file or revision",
    },
  ],
  flags: {
    "fail-on": {
      type: "string",
      values: ["breaking", "warning", "info"],
      value: "severity",
      description: "Exit with 1 if there is a change of this severity, or a worse one",
    },
    "app-dir": appDirFlag,
  },
  examples: ["fw openapi diff main --fail-on breaking", "fw openapi diff v1.0.0:openapi.json openapi.json"],
})

/** The spec of the tool `fw_openapi`. */
export const document = defineSpec({
  summary: "Generate the OpenAPI document of the routes",
  flags: {
    path: { type: "string", value: "path", description: "Only operations at and below this path" },
    method: { type: "string", value: "method", description: "Only operations of this method" },
    tag: { type: "string", value: "tag", description: "Only operations with this tag" },
    "operation-id": { type: "string", value: "id", description: "Only this operation" },
    ...pageFlags,
    output: {
      type: "string",
      value: "file",
      description: "File to write the whole document to",
    },
    format: { type: "string", default: "json", values: ["json", "yaml"], description: "Format of the file" },
    force: { type: "boolean", description: "Overwrite a file that fw did not write" },
    ...generatedFlags,
    openapi30: { type: "boolean", description: "Use OpenAPI 3.0.3 instead of 3.1.0" },
  },
})
