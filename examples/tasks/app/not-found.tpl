import type { Context } from "fw"
import { Apology } from "./_components/apology.tpl.ts"

export const title = "Not found"

template NotFound(c: Context, message: string) {
  {Apology(c, 404, "This is not here", message || "It may have been deleted, or the address is not quite right.")}
}
