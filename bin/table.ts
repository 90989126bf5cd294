/** The commands of fw as data: names, specs, and the modules that run them. */
import { command, type Group } from "./cli/spec.ts"
import { completion } from "./specs/completion.ts"
import * as css from "./specs/css.ts"
import { editor } from "./specs/editor.ts"
import * as generate from "./specs/generate.ts"
import { lsp } from "./specs/lsp.ts"
import * as mcp from "./specs/mcp.ts"
import * as openapi from "./specs/openapi.ts"
import * as project from "./specs/project.ts"

/** Every command, in the order in which help lists them. */
export const commands: Group = {
  summary: "A web framework on the standard Request and Response",
  commands: {
    new: command(project.create, () => import("./commands/new.ts")),
    dev: command(project.dev, () => import("./commands/dev.ts")),
    build: command(project.build, () => import("./commands/build.ts")),
    start: command(project.start, () => import("./commands/start.ts")),
    test: command(project.test, () => import("./commands/test.ts")),
    routes: command(project.routes, () => import("./commands/routes.ts")),
    info: command(project.info, () => import("./commands/info.ts")),
    validate: command(project.validate, () => import("./commands/validate.ts")),
    format: command(project.format, () => import("./commands/format.ts")),
    generate: {
      summary: "Write route, page, middleware and other files",
      commands: {
        route: command(generate.route, () => import("./commands/generate-route.ts")),
        middleware: command(generate.middleware, () => import("./commands/generate-middleware.ts")),
        proxy: command(generate.proxy, () => import("./commands/generate-proxy.ts")),
        page: command(generate.page, () => import("./commands/generate-page.ts")),
        form: command(generate.form, () => import("./commands/generate-form.ts")),
        client: command(generate.client, () => import("./commands/generate-client.ts")),
        auth: command(generate.auth, () => import("./commands/generate-auth.ts")),
        templates: command(generate.templates, () => import("./commands/generate-templates.ts")),
      },
    },
    css: {
      summary: "Compile the project's styles",
      commands: {
        build: command(css.build, () => import("./commands/css-build.ts")),
        watch: command(css.watch, () => import("./commands/css-watch.ts")),
        install: command(css.install, () => import("./commands/css-install.ts")),
        info: command(css.info, () => import("./commands/css-info.ts")),
      },
    },
    openapi: {
      summary: "Generate an OpenAPI document, compare versions of the API, and explore it",
      commands: {
        generate: command(openapi.generate, () => import("./commands/openapi-generate.ts")),
        diff: command(openapi.diff, () => import("./commands/openapi-diff.ts")),
        serve: command(openapi.serve, () => import("./commands/openapi-serve.ts")),
      },
    },
    mcp: {
      summary: "Give coding agents access to fw's commands",
      commands: { serve: command(mcp.serve, async () => (await import("./mcp/serve.ts")).serving(commands)) },
    },
    lsp: command(lsp, () => import("./commands/lsp.ts")),
    editor: command(editor, () => import("./commands/editor.ts")),
    completion: command(completion, async () =>
      (await import("./commands/completion.ts")).completing(commands),
    ),
  },
}
