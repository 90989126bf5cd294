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

/** `fw generate page` */
export const generatePage = spec({
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

const cssInput = {
  type: "string",
  short: "i",
  value: "file",
  default: "styles/input.css",
  description: "The styles",
} as const
const cssOutput = {
  type: "string",
  short: "o",
  value: "file",
  default: "static/css/output.css",
  description: "Where the compiled styles go",
} as const

/** `fw css build` */
export const cssBuild = spec({
  summary: "Compile the styles, minified",
  description: "Classes are looked for in all files of the project that git does not ignore.",
  flags: { input: cssInput, output: cssOutput },
  examples: ["fw css build", "fw css build -i styles/admin.css -o static/css/admin.css"],
})

/** `fw css watch` */
export const cssWatch = spec({
  summary: "Compile the styles again on every change",
  flags: { input: cssInput, output: cssOutput },
})

/** `fw css install` */
export const cssInstall = spec({
  summary: "Download the CSS compiler, which all projects share",
  description:
    "Build and watch do this by themselves. FW_CSS_BASE_URL names a mirror, FW_CSS_BINARY a compiler on disk.",
})

/** `fw css info` */
export const cssInfo = spec({
  summary: "Show the CSS compiler and the styles of this project",
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
        page: command(generatePage, () => import("./generate-page.ts")),
        templates: command(generateTemplates, () => import("./generate-templates.ts")),
      },
    },
    css: {
      summary: "Compile the project's styles",
      commands: {
        build: command(cssBuild, () => import("./css-build.ts")),
        watch: command(cssWatch, () => import("./css-watch.ts")),
        install: command(cssInstall, () => import("./css-install.ts")),
        info: command(cssInfo, () => import("./css-info.ts")),
      },
    },
  },
}
