/**
 * The public API of the template compiler, `fw/template`. All its functions turn text into data, without other effects.
 */

export { type Compiled, compile, outputPath, type TemplateInfo } from "./compile.ts"
export { type Diagnostic, formatDiagnostic } from "./diagnostic.ts"
export type { Copy } from "./emit/writer.ts"
export { mapMessages, type OutputMessage } from "./map-messages.ts"
export { originalPosition, type Position, type SourceMap } from "./sourcemap.ts"
