/** The error reference of `fw new` and `fw generate`. */
import { newMessages } from "../new.ts"
import { entriesOf } from "./entry.ts"

export const created = entriesOf(newMessages, {
  fields: [
    "`fw generate form --fields` takes names, each with a kind if needed: `name,email,age:number`. A name is also an identifier in the generated code.",
    {
      fields: ["e-mail"],
      "fields.alike": ["firstName", "first_name", "First name"],
      "fields.kind": ["age", "integer", ["text", "long", "email", "number"]],
      "fields.twice": ["name"],
    },
  ],
  name: [
    "The name of a project is the name of its directory and of its npm package, so the rules of npm apply.",
    {
      name: ["My Shop", "capital", "My Shop", "my-shop"],
      "name.directory": ["💥"],
      "name.middleware": ["2fa"],
    },
  ],
  new_write: [
    "`fw new` cannot create the directory. Nothing was left behind.",
    { new_write: ["shop", "/srv", "EACCES: permission denied", false] },
  ],
  not_installed: [
    "A warning of `fw new`: the project was created, but npm could not install its packages.",
    {
      not_installed: [
        "shop",
        "the package registry cannot be reached",
        "Check the network (and npm config get registry).",
      ],
    },
  ],
  offline: ["npm cannot reach its registry.", { offline: [] }],
  path: [
    "`fw generate route` and `fw generate page` take the path of a directory below the route directory, such as `users/[id]`. Its names must be valid on Linux, macOS and Windows. No generator writes a route that takes requests from static files or from a route of the main file: routes of files come first.",
    {
      path: ["users//list", "empty"],
      "path.directory": ["/static", "static"],
      "path.files": ["app/[...slug]/page.tpl", "static", ["/static/css/output.css", "/static/logo.svg"]],
      "path.route": ["/openapi.json", "main.ts"],
    },
  ],
  patterns: [
    "`fw generate auth` writes only the patterns that it is asked for.",
    { patterns: [["--session", "--password"]] },
  ],
})
