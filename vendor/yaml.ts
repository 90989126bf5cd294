/** YAML, for `fw openapi`. Bundled into dist/vendor/; imported where a document is written or read as YAML. */
export { parse, stringify } from "yaml"
