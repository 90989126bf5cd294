/** Shortens values from users or programs in messages. */

/** Most characters of one value in a message. */
const maxValueLength = 200

/** A text in quotes, or without any space. */
const valuePattern = /"[^"\\]*(?:\\.[^"\\]*)*"|\S+/g

/**
 * Returns a message in which no value is longer than 200 characters; of longer ones, only the start and the
 * end.
 */
export function shortenValues(message: string): string {
  if (message.length <= maxValueLength) return message
  return message.replace(valuePattern, (value) => {
    if (value.length <= maxValueLength) return value
    return `${value.slice(0, maxValueLength - 21)}…${value.slice(-20)}`
  })
}
