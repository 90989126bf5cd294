/** The error reference of a project that a command works on. */
import { projectMessages } from "../project.ts"
import { entriesOf } from "./entry.ts"

export const project = entriesOf(projectMessages, {
  answers: [
    "`fw dev` and `fw test` compare the answers of `c.json()` with their types. What differs is a warning, and the answer stays as it is. With `--strict`, `fw test` ends with 1 after such a warning, and stops with this error if it cannot read the types.",
    {
      "answers.type": [
        "GET /users",
        200,
        [{ path: "users[].email", issue: "expected a string, got null", type: "User (lib/users.ts:3)" }],
      ],
      "answers.undeclared": ["GET /users/{id}", 200, [{ path: "passwordHash" }, { path: "salt" }]],
      "answers.untyped": [
        "TypeScript is not installed in the project",
        "Install it in the project: npm install --save-dev typescript",
      ],
    },
  ],
  app_dir: [
    "",
    {
      "app_dir.above": [".."],
      "app_dir.missing": ['there is no directory "app" to read routes from'],
      "app_dir.neither": ["app"],
      "app_dir.file": ["app"],
    },
  ],
  env_file: [
    "`fw dev` reads `.env` and `.env.local`. Variables that are already set win.",
    { env_file: [".env"] },
  ],
  format_file: [
    "`fw format` takes `.tpl` files and directories of the project.",
    { "format_file.kind": ["app/page.ts"], "format_file.missing": ["app/pgae.tpl"] },
  ],
  main: [
    "`main.ts` is the entry of a project. It exports an `App` by default, and neither scans nor listens; fw does both. `serve()` of an adapter, `Bun.serve()` and `Deno.serve()` do not belong there either.",
    { main: [], "main.kind": [] },
  ],
  no_project: [
    "A command works on the project of the nearest `package.json`. It needs a route directory or a `main.ts` there.",
    { no_project: ["/home/ada/shop", "app"] },
  ],
  no_tests: [
    "`fw test` runs the files whose names end in `.test.ts`, also `.tsx`, `.mts`, `.js` and so on, anywhere in the project.",
    { no_tests: [], "no_tests.filter": ["user", ["tests/api.test.ts", "tests/pages.test.ts"]] },
  ],
  package_json: [
    "`fw generate` adds packages to `package.json`. Nothing was written.",
    { package_json: [], "package_json.content": [] },
  ],
  patch: [
    "`fw dev` replaced a changed module in the running program, and the module imports a name that another module does not export. The next build reports it with its place.",
    { patch: ["./lib/users.ts", "findUser"] },
  ],
  syntax: ["", { "syntax.esbuild": ['Expected ")" but found "{"'] }],
  template: [
    "A template does not compile. The error has its place, and the lines around it.",
    {
      template: [
        '"b" is never closed',
        "  1 | template Page() {\n> 2 |   <b>Hello\n    |   ^",
        "Write </b>.",
      ],
    },
  ],
  templates: [
    "Several templates do not compile; `problems` has each error.",
    {
      templates: [["app/page.tpl:2:3: the element is never closed", "app/layout.tpl:4:1: } closes nothing"]],
    },
  ],
  validators: [
    "`c.bind<T>()`, `c.bindForm<T>()`, `c.bindQuery<T>()` and `c.readForm<T>()` without a schema are checked against `T`. `fw build`, `fw test` and `fw generate templates` stop if the types cannot be read, because nothing would be checked then. A type that cannot be checked is a warning, and with `--strict` an error.",
    {
      validators: ["Item cannot be resolved", "Correct the name, or import it."],
      "validators.changed": ["app/api/tasks/route.ts"],
      "validators.missed": ["../shared/tasks.ts", "bind"],
      "validators.parameter": ["bind"],
      "validators.several": [
        ["app/a/route.ts:3:20: Item cannot be resolved", "app/b/route.ts:4:20: Row cannot be resolved"],
      ],
      "validators.unknown": ["bind"],
      "validators.untyped": [
        "TypeScript is not installed in the project",
        "Install it in the project: npm install --save-dev typescript",
      ],
    },
  ],
})
