import type { Context } from "fw"
import { Message } from "./_components/message.tpl.ts"

export const title = "Something went wrong"

template Failure(c: Context, status: number, message: string) {
  {if (status >= 500) {
    {Message(status, "Something went wrong", "This is our mistake, not yours. Please try again in a moment.")}
  } else {
    {Message(status, "That did not work", message)}
  }}
}
