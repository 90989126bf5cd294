/** Keeps what a person or a program handed over from filling a message. Used wherever messages are made or shown. */

/** Characters of one value in a message. */
const longest = 200

/** A text in quotes, or without any space: what somebody handed over. */
const values = /"[^"\\]*(?:\\.[^"\\]*)*"|\S+/g

/** A message in which no value is longer than 200 characters: of a longer one, its start and its end. */
export function shortened(message: string): string {
  if (message.length <= longest) return message
  return message.replace(values, (value) => {
    if (value.length <= longest) return value
    return `${value.slice(0, longest - 21)}…${value.slice(-20)}`
  })
}
