/** The table of all commands: names, specs, and the modules that run them. */
import { defineCommand, type Group } from "./cli/spec.ts"
import { completion } from "./specs/completion.ts"
import * as css from "./specs/css.ts"
import * as db from "./specs/db.ts"
import { editor } from "./specs/editor.ts"
import * as generate from "./specs/generate.ts"
import * as jobs from "./specs/jobs.ts"
import { lsp } from "./specs/lsp.ts"
import * as mcp from "./specs/mcp.ts"
import * as openapi from "./specs/openapi.ts"
import * as project from "./specs/project.ts"

const loadJobCommand = async (words: readonly string[], given?: readonly ("name" | "id" | "payload")[]) =>
  (await import("./commands/jobs.ts")).createJobCommand(words, given)
const loadDatabaseCommand = async (name: string) => (await import("./commands/db.ts")).createDatabaseCommand(name)

/** Every command, in the order in which help lists them. */
export const commands: Group = {
  summary: "A web framework on the standard Request and Response",
  commands: {
    new: defineCommand(project.create, () => import("./commands/new.ts")),
    dev: defineCommand(project.dev, () => import("./commands/dev.ts")),
    build: defineCommand(project.build, () => import("./commands/build.ts")),
    requests: defineCommand(project.requests, () => import("./commands/requests.ts")),
    start: defineCommand(project.start, () => import("./commands/start.ts")),
    test: defineCommand(project.test, () => import("./commands/test.ts")),
    routes: defineCommand(project.routes, () => import("./commands/routes.ts")),
    info: defineCommand(project.info, () => import("./commands/info.ts")),
    validate: defineCommand(project.validate, () => import("./commands/validate.ts")),
    format: defineCommand(project.format, () => import("./commands/format.ts")),
    generate: {
      summary: "Write route, page, middleware and other files",
      commands: {
        route: defineCommand(generate.route, () => import("./commands/generate-route.ts")),
        middleware: defineCommand(generate.middleware, () => import("./commands/generate-middleware.ts")),
        proxy: defineCommand(generate.proxy, () => import("./commands/generate-proxy.ts")),
        page: defineCommand(generate.page, () => import("./commands/generate-page.ts")),
        form: defineCommand(generate.form, () => import("./commands/generate-form.ts")),
        client: defineCommand(generate.client, () => import("./commands/generate-client.ts")),
        auth: defineCommand(generate.auth, () => import("./commands/generate-auth.ts")),
        templates: defineCommand(generate.templates, () => import("./commands/generate-templates.ts")),
      },
    },
    db: {
      summary: "Change the tables of the database by migrations",
      commands: {
        status: defineCommand(db.status, () => loadDatabaseCommand("status")),
        migrate: defineCommand(db.migrate, () => loadDatabaseCommand("migrate")),
        rollback: defineCommand(db.rollback, () => loadDatabaseCommand("rollback")),
        new: defineCommand(db.create, () => import("./commands/db-new.ts")),
        seed: defineCommand(db.seed, () => loadDatabaseCommand("seed")),
        check: defineCommand(db.check, () => loadDatabaseCommand("check")),
        reset: defineCommand(db.reset, () => loadDatabaseCommand("reset")),
      },
    },
    jobs: {
      summary: "Look after the jobs that the program has added",
      commands: {
        list: defineCommand(jobs.list, () => loadJobCommand(["jobs", "list"], ["name"])),
        show: defineCommand(jobs.show, () => loadJobCommand(["jobs", "show"], ["id"])),
        add: defineCommand(jobs.add, () => loadJobCommand(["jobs", "add"], ["name", "payload"])),
        retry: defineCommand(jobs.retry, () => loadJobCommand(["jobs", "retry"], ["id"])),
        pause: defineCommand(jobs.pause, () => loadJobCommand(["jobs", "pause"], ["name"])),
        resume: defineCommand(jobs.resume, () => loadJobCommand(["jobs", "resume"], ["name"])),
        clear: defineCommand(jobs.clear, () => loadJobCommand(["jobs", "clear"], ["name"])),
        schedule: defineCommand(jobs.schedule, () => loadJobCommand(["jobs", "schedule"])),
      },
    },
    task: defineCommand(jobs.task, () => loadJobCommand(["task"], ["name", "payload"])),
    css: {
      summary: "Compile the project's styles",
      commands: {
        build: defineCommand(css.build, () => import("./commands/css-build.ts")),
        watch: defineCommand(css.watch, () => import("./commands/css-watch.ts")),
        install: defineCommand(css.install, () => import("./commands/css-install.ts")),
        info: defineCommand(css.info, () => import("./commands/css-info.ts")),
      },
    },
    openapi: {
      summary: "Generate an OpenAPI document, compare versions of the API, and explore it",
      commands: {
        generate: defineCommand(openapi.generate, () => import("./commands/openapi-generate.ts")),
        diff: defineCommand(openapi.diff, () => import("./commands/openapi-diff.ts")),
        serve: defineCommand(openapi.serve, () => import("./commands/openapi-serve.ts")),
      },
    },
    mcp: {
      summary: "Give coding agents access to fw's commands",
      commands: {
        serve: defineCommand(mcp.serve, async () => (await import("./mcp/serve.ts")).createServeCommand(commands)),
      },
    },
    lsp: defineCommand(lsp, () => import("./commands/lsp.ts")),
    docs: defineCommand(project.docs, () => import("./commands/docs.ts")),
    editor: defineCommand(editor, () => import("./commands/editor.ts")),
    completion: defineCommand(completion, async () =>
      (await import("./commands/completion.ts")).createCompletionCommand(commands),
    ),
  },
}
