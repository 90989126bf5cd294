/**
 * The Model Context Protocol over stdio, by its SDK. Bundled into dist/vendor/; `fw mcp serve` imports it when it is
 * needed.
 */
export { Server } from "@modelcontextprotocol/sdk/server/index.js"
export { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js"
export type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js"
export {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  type ServerNotification,
  type ServerRequest,
  type Tool,
} from "@modelcontextprotocol/sdk/types.js"
