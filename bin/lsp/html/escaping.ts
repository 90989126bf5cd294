/** Texts for hovers, which explain how a value in a template is escaped. */

import type { AttributeKind } from "../../../lib/html/attributes.ts"
import type { ValuePlace } from "../../../template/ast.ts"

/** How values in text are escaped. */
export const valueEscaping: Readonly<Record<ValuePlace, string>> = {
  text: "Text: `&`, `<` and `>` are escaped. `Html` is printed as it is.",
  plain: "Text without elements: `&`, `<` and `>` are escaped.",
  script: "JSON in a script, escaped so that it cannot end the script or a string.",
  json: "JSON, escaped so that it cannot end the script.",
}

const urlEscaping = "URL: only http, https, mailto, tel, sms and relative URLs. Others become `about:invalid#blocked`."

/** How values of attributes are escaped, besides quotes. */
export const attributeEscaping: Readonly<Record<AttributeKind, string>> = {
  plain: "Text of an attribute: quotes and `&` are escaped. `true` prints the bare name, `false` and null nothing.",
  boolean: 'Text of an attribute. `true` and `false` print "true" and "false".',
  url: urlEscaping,
  link: urlEscaping,
  image: `${urlEscaping} \`data:image/*\` is allowed, too.`,
  media: `${urlEscaping} \`data:audio/*\` and \`data:video/*\` are allowed, too.`,
  cite: `${urlEscaping} \`urn:\` and \`doi:\` are allowed, too.`,
  srcset: "A list of URLs, each checked like the URL of an image.",
  local: "URL of the page's own origin, because its code runs in the page.",
  htmx: "Text for htmx, which must not begin like code.",
  prose: "Text for htmx, which must not begin like code.",
  flag: "Only true or false.",
  json: "An object, printed as JSON.",
  config: "An object, printed as JSON without a URL.",
  paint: "CSS. A URL may only lead to a part of the page.",
  class: "Class names: strings, false values and nested arrays of them.",
  style: "An object of CSS properties, whose values are checked.",
  code: "Code or HTML: no value is safe here.",
}
