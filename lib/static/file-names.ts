/** Checks the names of static files. */

/**
 * Names that Windows does not take for an ordinary file: devices, streams of a file, short names (`GIT~1`), and names
 * that it shortens.
 */
export const reservedWindowsName =
  /[:<>"|?*]|[. ]$|~\d|^(?:con|prn|aux|nul|conin\$|conout\$|com\d|lpt\d|com[¹²³]|lpt[¹²³]) *(?:\.|$)/i

/**
 * Returns true if a decoded segment may be the name of a file. It must not be a dotfile (except `.well-known`, RFC
 * 8615) or `..`, and no file system may read it as several names.
 */
export function isFileName(segment: string): boolean {
  if (segment === "" || (segment.startsWith(".") && segment !== ".well-known")) return false
  return !/[/\\\0]/.test(segment)
}
