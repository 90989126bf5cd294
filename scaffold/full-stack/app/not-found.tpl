import { Message } from "./_components/message.tpl.ts"

export const title = "Not found"

template NotFound() {
  {Message(404, "There is nothing here", "The page may have moved, or the address has a typo.")}
}
