/** Messages about `fw openapi`, `fw mcp` and the servers that the command starts. */
import { createFaults, type Messages } from "../../lib/errors/catalogue.ts"

export const toolMessages = {
  "arguments.type": (name: string, value: string, expected: string) => [
    `${name} is ${value}`,
    `${name} must be ${expected}.`,
  ],
  "arguments.missing": (name: string) => [`${name} is missing`, `Give ${name}.`],
  "arguments.nul": (name: string) => [`${name} contains a NUL character`, "Remove the character."],
  "arguments.stdout": () => [
    'output "-" is standard output, which the MCP protocol uses',
    "Name a file, or ask for a part of the document by path, method, tag or operationId.",
  ],
  "arguments.method": (value: string, suggestion: string | null) => [
    `${JSON.stringify(value)} is not an HTTP method`,
    suggestion === null ? "Give a method such as GET or POST, or leave it out." : `Did you mean ${suggestion}?`,
  ],
  "arguments.unknown": (name: string, suggestion: string | null, names: readonly string[]) => [
    `the tool has no argument ${JSON.stringify(name)}`,
    suggestion === null ? `It takes ${names.join(", ") || "no arguments"}.` : `Did you mean ${suggestion}?`,
  ],
  "load.bundle": (reason: string) => [
    `the modules that define schemas cannot be bundled: ${reason}`,
    "Fix them, or leave out --load.",
  ],
  "load.import": (reason: string) => [
    `the modules that define schemas cannot be imported: ${reason}`,
    "It must be possible to import a route module with its environment variables only. Fix the module, or leave out --load.",
  ],
  "host.listen": (host: string, port: number, reason: string, command: string) => [
    `cannot listen on ${host}:${port}: ${reason}`,
    `Give an address of this machine: ${command} --host 127.0.0.1`,
  ],
  no_answer: (reason: string) => [
    `the application did not answer: ${reason}`,
    "fw_dev_status shows the last errors and output.",
  ],
  no_dev_server: () => [
    "fw dev does not run in this project",
    "Start it in a terminal, and leave it running: npx fw dev",
  ],
  no_request: (id: string) => [
    `fw dev does not keep a request with the number ${JSON.stringify(id)}`,
    "It keeps the last 500. fw requests lists them with their numbers.",
  ],
  "port_denied.command": (port: number, command: string) => [
    `this user may not listen on port ${port}`,
    `Ports below 1024 need special permission. Use a higher port: ${command} --port 3000`,
  ],
  "port_in_use.command": (port: number, command: string) => [
    `port ${port} is in use by another program`,
    `Stop that program, or use another port: ${command} --port ${port + 1}`,
  ],
  server: (value: string) => [
    `--server ${JSON.stringify(value)} is not a valid URL`,
    "Write a URL such as https://api.example.com, or a path such as /v1.",
  ],
  "spec.content": (file: string, isSwagger: boolean) => [
    `${file} is not an OpenAPI 3 document`,
    isSwagger
      ? "It is a Swagger 2 document. Convert it to OpenAPI 3 first."
      : 'A document begins with a field "openapi", such as openapi: 3.1.0.',
  ],
  "spec.revision": (name: string) => [
    `${name} is neither a file nor a revision of git`,
    "Name an OpenAPI document, a revision such as main or v1.2.0, or a document of one: main:openapi.json",
  ],
  "spec.parts": (name: string, other: string) => [
    `${name} and ${other} cannot be compared: one of them is not a valid OpenAPI 3 document`,
    "Check both with a linter, such as Redocly or Spectral. A list may be missing, or an object may be null.",
  ],
  "spec.untyped": (name: string, reason: string, fix: string) => [`${name} cannot be compared: ${reason}`, fix],
  "spec.file": (file: string, exists: boolean) => [
    exists ? `${file} is not a file` : `there is no file ${file}`,
    "Name an OpenAPI document, such as openapi.json.",
  ],
  "spec.syntax": (file: string, reason: string) => [`${file} cannot be read: ${reason}`, "Fix the JSON or YAML there."],
  too_long: (length: number, maxLength: number, ways: readonly string[]) => [
    `the result has ${length} characters, more than ${maxLength}`,
    ways.length > 0 ? `Ask for less, by ${ways.join(" or ")}.` : "Run the command in a shell instead.",
  ],
  "too_long.operation": (method: string, path: string, length: number) => [
    `the document of only ${method} ${path} has ${length} characters`,
    "Write the document to a file with --output, and read the parts that you need from it.",
  ],
  workdir: (path: string, exists: boolean) => [
    exists ? `the working directory ${path} is not a directory` : `there is no working directory ${path}`,
    "Give the project's directory: fw mcp serve --workdir <dir>",
  ],
} satisfies Messages

/** Creates an error about a tool, or about a server that the command starts. */
export const toolFault = createFaults(toolMessages)
