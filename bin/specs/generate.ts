/** The specs of `fw generate`. Read by the table, and by each command for its options. */
import { spec } from "../spec.ts"
import { appDir } from "./flags.ts"

/** `fw generate templates` */
export const templates = spec({
  summary: "Write what a project generates, for its tests and type check",
  description: "What it writes, .fw/, belongs in .gitignore. Dev and build do this by themselves.",
  flags: { "app-dir": appDir },
  examples: ["fw generate templates && tsc --noEmit"],
})

/** `fw generate page` */
export const page = spec({
  summary: "Write a page, and a layout if asked",
  description:
    "The path is that of the page's directory: users/[id] writes app/users/[id]/page.tpl, and . the page of /.",
  arguments: [{ name: "path", description: "Directory of the page, below the route directory" }],
  flags: {
    "with-layout": {
      type: "boolean",
      description: "Write layout.tpl beside it, which wraps the pages below",
    },
    "app-dir": appDir,
    force: { type: "boolean", description: "Write over files that are there" },
  },
  examples: ["fw generate page users/[id]", "fw generate page . --with-layout"],
})

/** `fw generate auth` */
export const auth = spec({
  summary: "Write ways to sign in, from fw's reference application",
  description:
    "Routes, pages and lib/auth/, yours from then on, and their packages in package.json. A pattern brings those that it needs.",
  flags: {
    jwt: { type: "boolean", description: "Bearer tokens, and refresh tokens" },
    session: { type: "boolean", description: "Cookie sessions, with pages to sign in and up" },
    "api-key": { type: "boolean", description: "API keys; with sessions, a page to make them" },
    oauth: { type: "boolean", description: "Google or another OpenID provider; brings sessions" },
    proxy: { type: "boolean", description: "One check before routing; brings tokens and sessions" },
    roles: { type: "boolean", description: "Guards by role; with tokens, routes for administrators" },
    "app-dir": appDir,
    force: { type: "boolean", description: "Write over files that are there" },
  },
  examples: ["fw generate auth --session --oauth", "fw generate auth --jwt --roles"],
})
