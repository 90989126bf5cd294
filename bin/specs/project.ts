/** The specs of the commands that work on a project as a whole. Read by the table, and by each command for its options. */
import { spec } from "../spec.ts"
import { appDir } from "./flags.ts"

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
