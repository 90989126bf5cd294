/**
 * The examples of the playground. Each is a Markdown file in `playground/examples/`. Every block of code in it is a file of
 * the example: the first line is a comment with the name, as in the guides. The first file is open at first.
 */
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { lexer, type Tokens } from "marked"
import type { Example } from "../playground/messages.ts"
import { toText } from "./docs.ts"

const paths = { list: "/", form: "/sign-up", api: "/api/tasks", components: "/", defer: "/" }

/** The examples in the order in which they are listed. */
export const examples: readonly Example[] = Object.entries(paths).map(([file, path]) => {
  const tokens = lexer(readFileSync(resolve(`playground/examples/${file}.md`), "utf8"))
  const code = tokens.filter((token): token is Tokens.Code => token.type === "code")
  return {
    name: findText(tokens, "heading"),
    about: findText(tokens, "paragraph"),
    path,
    files: Object.fromEntries(
      code.map(({ text }) => [/^\/\/ (.+)/.exec(text)?.[1] ?? "", `${text.replace(/.*\n/, "")}\n`]),
    ),
  }
})

function findText(tokens: ReturnType<typeof lexer>, type: string): string {
  const found = tokens.find((token) => token.type === type)
  return found && "tokens" in found && found.tokens ? toText(found.tokens) : ""
}
