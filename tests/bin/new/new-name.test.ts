/** Tests of valid names of new projects, and of the errors for others. */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { checkName, toProjectName, toTitle } from "../../../bin/new/project-name.ts"
import { FwError } from "../../../lib/errors.ts"

const names = suite("names")

const refused: ReadonlyArray<readonly [name: string, why: RegExp, better: string | null]> = [
  ["", /at least one letter/, null],
  ["..", /it is a path. Run fw new \. in the directory itself/, null],
  ["apps/shop", /it is a path/, "shop"],
  ["..\\shop", /it is a path/, "shop"],
  ["@acme/shop", /it is a path/, "shop"],
  ["Shop", /cannot have capital letters/, "shop"],
  ["my shop", /a space is not allowed/, "my-shop"],
  ["café", /"é" is not allowed/, "cafe"],
  ["$(rm)", /"\$" is not allowed/, "rm"],
  ["💥", /"💥" is not allowed/, null],
  ["-shop", /begins with "-"/, "shop"],
  [".shop", /begins with "\."/, "shop"],
  ["_shop", /begins with "_"/, "shop"],
  ["shop.", /ends with a dot/, "shop"],
  ["con", /reserves that name for a device/, "my-con"],
  ["com1.txt", /reserves that name for a device/, "my-com1.txt"],
  ["fw", /needs a package of that name/, "my-fw"],
  ["node_modules", /or npm reserves the name/, "node-modules"],
  ["http", /Node has a module of that name/, "my-http"],
  ["a".repeat(215), /214 characters/, "a".repeat(60)],
]
for (const [name, why, better] of refused) {
  names(`the name ${JSON.stringify(name.slice(0, 20))} is refused`, () => {
    try {
      checkName(name)
    } catch (error) {
      assert.instance(error, FwError)
      const { code, message, fix } = error as FwError
      assert.is(code, "name")
      assert.match(message, why)
      assert.match(fix, better === null ? "my-app" : `${better}`)
      return
    }
    assert.unreachable("the name was accepted")
  })
}

for (const [directory, name] of [
  ["/home/ada/shop", "shop"],
  ["/home/ada/My Shop", "my-shop"],
  ["/srv/fw", "my-fw"],
] as const) {
  names(`a project in the directory ${directory} is named ${name}`, () => assert.is(toProjectName(directory), name))
}

names("a directory is refused if no valid name is similar to its name", () => {
  assert.throws(() => toProjectName("/srv/💥"), /cannot be the name of a project/)
  assert.throws(() => toProjectName("/"), /cannot be the name of a project/)
})

names("valid names are accepted, and become the titles of projects", () => {
  for (const [name, title] of [
    ["shop", "Shop"],
    ["my-shop", "My shop"],
    ["a", "A"],
    ["3d.viewer_2", "3d viewer 2"],
  ] as const) {
    checkName(name)
    assert.is(toTitle(name), title)
  }
})

names.run()
