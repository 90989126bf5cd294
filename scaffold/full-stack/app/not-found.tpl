import type { Context } from "fw"
import { Message } from "./_components/message.tpl.ts"

export const title = "Not found"

template NotFound(_c: Context, message: string) {
  {Message(404, "There is nothing here", message || "The page may have moved, or the address has a typo.")}
}
