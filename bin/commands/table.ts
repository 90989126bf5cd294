/** The commands of fw, as data: names, arguments, flags, and where the code is. Read by main; what is not here does not exist. */
import { command, type Group, spec } from "../spec.ts"

const appDir = {
  type: "string",
  short: "d",
  value: "dir",
  default: "app",
  description: "Directory of the routes",
} as const

/** `fw dev` */
export const dev = spec({
  summary: "Run the application and reload it on every change",
  flags: {
    port: {
      type: "number",
      short: "p",
      default: 3000,
      env: "PORT",
      min: 0,
      max: 65535,
      description: "Port to listen on; 0 takes a free one",
    },
    host: { type: "string", short: "H", default: "0.0.0.0", description: "Address to listen on" },
  },
})

/** `fw routes` */
export const routes = spec({
  summary: "List the routes, the middleware and the proxy",
  flags: { "app-dir": appDir },
  examples: ["fw routes", "fw routes --json"],
})

/** `fw generate templates` */
export const generateTemplates = spec({
  summary: "Write what a project generates, for its tests and type check",
  description: "What it writes, .fw/, belongs in .gitignore. Dev and build do this by themselves.",
  flags: { "app-dir": appDir },
  examples: ["fw generate templates && tsc --noEmit"],
})

/** Every command, in the order of help. */
export const commands: Group = {
  summary: "A web framework on the standard Request and Response",
  commands: {
    dev: command(dev, () => import("./dev.ts")),
    routes: command(routes, () => import("./routes.ts")),
    generate: {
      summary: "Write files of a project",
      commands: {
        templates: command(generateTemplates, () => import("./generate-templates.ts")),
      },
    },
  },
}
