/** The names that files may have. */

/** Names that Windows reads as a device, a stream of a file, a short name (`GIT~1`), or as another name. */
export const reservedWindowsName =
  /[:<>"|?*]|[. ]$|~\d|^(?:con|prn|aux|nul|conin\$|conout\$|com\d|lpt\d|com[¹²³]|lpt[¹²³]) *(?:\.|$)/i

/**
 * Returns true if a decoded segment may name a file: no dotfile (except `.well-known`, RFC 8615), no dots for
 * a parent, and nothing that a file system would read as several names.
 */
export function isFileName(segment: string): boolean {
  if (segment === "" || (segment.startsWith(".") && segment !== ".well-known")) return false
  return !/[/\\\0]/.test(segment)
}
