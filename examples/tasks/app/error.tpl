import type { Context } from "fw"
import { sentence } from "../lib/task-form.ts"
import { Apology } from "./_components/apology.tpl.ts"

export const title = "Something went wrong"

template Failure(c: Context, status: number, message: string) {
  {const ours = status >= 500 && status !== 503}
  {Apology(c, status, ours ? "Something went wrong" : "That did not work", ours ? "The fault is ours, not yours. Please try again." : sentence(message))}
}
