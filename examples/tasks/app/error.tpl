import type { Context } from "fw"
import { toSentence } from "../lib/task-form.ts"
import { Apology } from "./_components/apology.tpl.ts"

export const title = "Something went wrong"

template Failure(c: Context, status: number, message: string) {
  {if (status >= 500 && status !== 503) {
    {Apology(c, status, "Something went wrong", "This is our mistake, not yours. Please try again.")}
  } else {
    {Apology(c, status, "That did not work", status === 413 ? "This is too large: a file can have 1 MB at most." : toSentence(message))}
  }}
}
