/** Shortens values from users or programs in messages. */

/** Most characters of one value in a message. */
const longest = 200

/** A text in quotes, or without any space. */
const values = /"[^"\\]*(?:\\.[^"\\]*)*"|\S+/g

/**
 * Returns a message in which no value is longer than 200 characters; of longer ones, only the start and the
 * end.
 */
export function shortened(message: string): string {
  if (message.length <= longest) return message
  return message.replace(values, (value) => {
    if (value.length <= longest) return value
    return `${value.slice(0, longest - 21)}…${value.slice(-20)}`
  })
}
