/**
 * The codes of statuses that fw itself does not answer with. A bundle for workers leaves them out if the program
 * creates no errors of its own.
 */

/**
 * Codes of the remaining registered statuses (IANA, HTTP Status Code Registry). For 431, the code is the one that fw
 * answers with.
 */
export const rareCodes: Readonly<Record<number, string>> = {
  402: "payment_required",
  406: "not_acceptable",
  407: "proxy_authentication_required",
  414: "uri_too_long",
  417: "expectation_failed",
  423: "locked",
  424: "failed_dependency",
  425: "too_early",
  426: "upgrade_required",
  428: "precondition_required",
  431: "headers_too_large",
  451: "unavailable_for_legal_reasons",
  505: "http_version_not_supported",
  506: "variant_also_negotiates",
  507: "insufficient_storage",
  508: "loop_detected",
  511: "network_authentication_required",
}
