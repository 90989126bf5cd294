/**
 * HTML elements that browsers show as blocks or do not show (HTML §15.3). The formatter puts each on its own lines.
 */
export const blockElements: ReadonlySet<string> = new Set(
  (
    "address article aside base blockquote body caption center col colgroup dd details dialog dir div dl dt fieldset " +
    "figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li link listing main menu " +
    "meta nav noscript ol optgroup option p plaintext pre script search section style summary table tbody td template " +
    "tfoot th thead title tr ul xmp"
  ).split(" "),
)
