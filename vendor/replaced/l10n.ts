/**
 * Replaces `@vscode/l10n`, whose package does not contain the text of its licence. Messages of the libraries stay in English,
 * so only their values are filled in.
 */

/** Returns a message with its values. */
export function t(message: string | { readonly message: string }, ...values: readonly unknown[]): string {
  const text = typeof message === "string" ? message : message.message
  return text.replace(/\{(\d+)\}/g, (_, at: string) => String(values[Number(at)] ?? ""))
}
