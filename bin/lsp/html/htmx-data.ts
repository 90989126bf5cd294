/** The attributes of htmx 4, for completion and hover. */

const attributeDescriptions: Readonly<Record<string, readonly [description: string, values?: string]>> = {
  "hx-get": ["Requests a URL with GET."],
  "hx-post": ["Requests a URL with POST."],
  "hx-put": ["Requests a URL with PUT."],
  "hx-patch": ["Requests a URL with PATCH."],
  "hx-delete": ["Requests a URL with DELETE."],
  "hx-query": ["Requests a URL with QUERY."],
  "hx-action": ["The URL of the request; `hx-method` names its method."],
  "hx-method": ["The method of the request to the URL of `hx-action`.", "get post put patch delete"],
  "hx-boost": ["Loads links and forms inside without a full page load.", "true false"],
  "hx-config": ["Settings of the request, as JSON."],
  "hx-confirm": ["Asks before the request is sent."],
  "hx-disable": ["Elements that are disabled during the request."],
  "hx-encoding": ["The encoding of the request.", "multipart/form-data"],
  "hx-headers": ["Headers to add to the request, as JSON."],
  "hx-ignore": ["htmx ignores this element and everything in it."],
  "hx-include": ["Elements whose values the request also has."],
  "hx-indicator": ["Elements that show that a request is under way."],
  "hx-preserve": ["The element stays as it is when its surroundings are replaced."],
  "hx-push-url": ["Adds a URL to the history of the browser.", "true false"],
  "hx-replace-url": ["Replaces the URL that the browser shows.", "true false"],
  "hx-select": ["The part of the response to use, as a selector."],
  "hx-select-oob": ["Parts of the response that replace elements with the same id."],
  "hx-status": ["What to do by the status of the response."],
  "hx-swap": [
    "How the response is put into the page.",
    "innerHTML outerHTML innerMorph outerMorph textContent beforebegin afterbegin beforeend afterend delete none",
  ],
  "hx-swap-oob": ["In a response: replaces the element with the same id.", "true"],
  "hx-sync": ["What happens to a request while another one is under way.", "drop abort replace queue"],
  "hx-target": ["The element that the response is put into.", "this body next previous"],
  "hx-trigger": ["The event that sends the request.", "click change submit load revealed intersect"],
  "hx-validate": ["Validates the form before the request.", "true false"],
  "hx-vals": ["Values to add to the request, as JSON."],
}

/** The data in the format of the HTML language service. */
export const htmxData = {
  version: 1.1 as const,
  globalAttributes: Object.entries(attributeDescriptions).map(([name, [description, values]]) => {
    return { name, description, ...(values && { values: values.split(" ").map((name) => ({ name })) }) }
  }),
}
