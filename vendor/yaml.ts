/** Reads and writes YAML. Bundled into dist/vendor/; `fw openapi` imports it for documents in YAML. */
export { parse, stringify } from "yaml"
