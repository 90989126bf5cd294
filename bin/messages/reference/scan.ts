/** The error reference of the route directory. */
import { scanMessages } from "../../../lib/messages/scan.ts"
import { scanFault } from "../../../lib/scan/fault.ts"
import { entriesOf } from "./entry.ts"

const example = "export function Get(c) { … }"
const handlers = ["Get", "Post", "Put", "Patch", "Delete", "Head", "Options", "All", "Socket"]

export const scan = entriesOf(scanMessages, {
  app_dir: [
    "The route directory is `app` if no other one is named.",
    { app_dir: ["app", "app/api/health/route.ts"] },
  ],
  conflict: ["", { conflict: ["app/users/page.tpl", "app/users/route.ts", "GET /users"] }],
  duplicate: [
    "A directory has two files of one kind, such as `page.tpl` and `page.ts`.",
    { duplicate: ["app/page.tpl", "app/page.ts", "page"] },
  ],
  exports: [
    "A file of the route directory does not export what its name promises. fw reads the names of exports without running the file.",
    {
      "exports.data": ["Get"],
      "exports.default": ["route", example],
      "exports.generator": ["Get"],
      "exports.handler": ["Trace", handlers],
      "exports.missing": ["Middleware", "export function Middleware() { return (next) => (c) => next(c) }"],
      "exports.near": ["GET", "Get"],
      "exports.none": [example, handlers],
      "exports.pattern": ["Get"],
      "exports.star": ["Get"],
      "exports.template": ["Page", "Page(c: Context)"],
    },
  ],
  file_name: [
    "A file is named like one of another framework, or nearly like one of fw's.",
    { "file_name.flat": ["users/route.ts"], "file_name.near": ["route.ts"], "file_name.xml": [] },
  ],
  link: [
    "fw follows symbolic links in the route directory only inside of the project.",
    { link: ["outside"] },
  ],
  mcp_export: [
    "A route file offers its handlers to language models with `mcp`. fw reads it without running the file, and offers nothing that it cannot read.",
    {
      "mcp_export.literal": [],
      "mcp_export.method": ["All", ["Get", "Post", "Put", "Patch", "Delete"]],
      "mcp_export.missing": ["Get"],
    },
  ],
  misplaced: [
    "`proxy.ts`, `not-found.tpl` and `error.tpl` exist once, for the whole app.",
    { misplaced: ["proxy", "app/proxy.ts"] },
  ],
  proxy_config: [
    "",
    {
      "proxy_config.declared": ['export const ProxyConfig = { matchers: ["/api/*"] }'],
      "proxy_config.key": ["matches"],
      "proxy_config.literal": ['export const ProxyConfig = { matchers: ["/api/*"] }'],
      "proxy_config.string": ["matchers", '"/api/*"'],
      "proxy_config.twice": ["matchers"],
    },
  ],
  scan: [
    "The route directory has mistakes; `problems` has each with its place.",
    {
      scan: [
        [
          scanFault("exports.near", ["GET", "Get"], {
            at: { file: "app/api/users/route.ts", line: 3, column: 1 },
          }),
          scanFault("exports.data", ["Post"], { at: { file: "app/api/users/route.ts", line: 9, column: 1 } }),
        ],
      ],
    },
  ],
  syntax: [
    "A file is not valid JavaScript or TypeScript, so its exports cannot be read.",
    {
      "syntax.comment": [],
      "syntax.open": ["{"],
      "syntax.close": [")"],
      "syntax.string": [],
      "syntax.template": [],
    },
  ],
  unreadable: [
    "A file or directory of the route directory cannot be read.",
    { unreadable: ["EACCES: permission denied"] },
  ],
})
