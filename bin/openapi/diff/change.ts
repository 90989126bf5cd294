/**
 * The types of changes between two OpenAPI documents, and their severities. Names and severities are those of
 * oasdiff.
 */

/** `breaking`: clients that worked will fail. `warning`: clients may fail. `info`: no client fails. */
export type Severity = "breaking" | "warning" | "info"

/** All severities, the highest first. */
export const severities = ["breaking", "warning", "info"] as const satisfies readonly Severity[]

/** A change. */
export interface Change {
  readonly severity: Severity
  /** Type of the change, such as `response-property-became-nullable`. */
  readonly kind: string
  /** Method and path of the operation; `""` for the whole document. */
  readonly method: string
  readonly path: string
  /** Part of the operation, such as `body` or `answer 200`; `""` for the operation itself. */
  readonly place: string
  readonly message: string
}

/** Severities of changes that are not in schemas. */
export const changeRules = {
  "api-path-removed-without-deprecation": "breaking",
  "api-path-removed-with-deprecation": "info",
  "api-removed-without-deprecation": "breaking",
  "api-removed-with-deprecation": "info",
  "endpoint-added": "info",
  "endpoint-deprecated": "info",
  "endpoint-reactivated": "info",
  "api-operation-id-removed": "info",
  "api-tag-added": "info",
  "api-tag-removed": "info",
  "api-security-added": "info",
  "api-security-removed": "info",
  // oasdiff has `info` for these two, but clients without the credentials are refused.
  "api-security-became-required": "warning",
  "api-security-no-longer-accepted": "warning",
  "api-security-component-added": "info",
  "api-security-component-removed": "info",
  "api-security-component-type-changed": "info",
  "api-schema-removed": "info",
  "request-parameter-removed": "warning",
  "request-parameter-removed-with-deprecation": "info",
  "new-required-request-parameter": "breaking",
  "new-optional-request-parameter": "info",
  "request-parameter-became-required": "breaking",
  "request-parameter-became-optional": "info",
  "request-parameter-type-generalized": "info",
  "request-parameter-deprecated": "info",
  "request-parameter-reactivated": "info",
  "request-parameter-default-value-added": "breaking",
  "request-parameter-default-value-changed": "breaking",
  "request-parameter-default-value-removed": "breaking",
  "request-body-added-required": "breaking",
  "request-body-added-optional": "info",
  "request-body-removed": "breaking",
  "request-body-became-required": "breaking",
  "request-body-became-optional": "info",
  "request-body-media-type-added": "info",
  "request-body-media-type-removed": "breaking",
  "response-success-status-added": "info",
  "response-success-status-removed": "breaking",
  "response-non-success-status-added": "info",
  "response-non-success-status-removed": "info",
  "response-media-type-added": "info",
  "response-media-type-removed": "breaking",
  "response-header-added": "info",
  "required-response-header-removed": "breaking",
  "optional-response-header-removed": "warning",
  "response-header-became-optional": "breaking",
  "new-required-request-property": "breaking",
  "new-required-request-property-with-default": "breaking",
  "new-optional-request-property": "info",
  "request-property-removed": "warning",
  "request-property-became-required": "breaking",
  "request-property-became-required-with-default": "breaking",
  "request-property-became-optional": "info",
  "response-required-property-added": "info",
  "response-optional-property-added": "info",
  "response-required-property-removed": "breaking",
  "response-optional-property-removed": "warning",
  "response-property-became-required": "info",
  "response-property-became-optional": "breaking",
} as const satisfies Readonly<Record<string, Severity>>

/** The name of a change in {@link changeRules}. */
export type Rule = keyof typeof changeRules

/**
 * Severities of changes in schemas: first in data that clients send, then in data that they receive. The complete
 * name of the change begins with the place: `request-property-became-nullable`.
 */
export const schemaRules = {
  "became-nullable": ["info", "breaking"],
  "became-not-nullable": ["breaking", "info"],
  "type-changed": ["breaking", "breaking"],
  "type-generalized": ["info", "breaking"],
  "type-specialized": ["breaking", "info"],
  "list-of-types-widened": ["info", "breaking"],
  "list-of-types-narrowed": ["breaking", "info"],
  "const-added": ["breaking", "info"],
  "const-changed": ["breaking", "breaking"],
  "const-removed": ["info", "breaking"],
  "became-enum": ["breaking", "info"],
  "enum-removed": ["info", "warning"],
  "enum-value-added": ["info", "warning"],
  "enum-value-removed": ["breaking", "info"],
  "pattern-added": ["breaking", "info"],
  "pattern-changed": ["warning", "info"],
  "pattern-removed": ["info", "info"],
  "default-value-added": ["info", "info"],
  "default-value-changed": ["info", "info"],
  "default-value-removed": ["info", "info"],
  deprecated: ["info", "info"],
  reactivated: ["info", "info"],
  "one-of-added": ["info", "breaking"],
  "one-of-removed": ["breaking", "info"],
  "discriminator-added": ["info", "info"],
  "discriminator-removed": ["info", "info"],
  "discriminator-property-name-changed": ["info", "info"],
  "discriminator-mapping-added": ["info", "info"],
  "discriminator-mapping-deleted": ["info", "info"],
  "pattern-property-added": ["breaking", "info"],
  "pattern-property-removed": ["info", "breaking"],
} as const satisfies Readonly<Record<string, readonly [sent: Severity, received: Severity]>>

/** The name of a change in {@link schemaRules}. */
export type SchemaRule = keyof typeof schemaRules

/**
 * A limit in a schema, such as `maxLength`. Its name is part of the change:
 * `request-property-max-length-decreased`.
 */
export interface SchemaLimit {
  readonly key: string
  readonly name: string
  readonly isUpper: boolean
  /** The value that a schema without the limit has. */
  readonly defaultValue?: number
}

/** Limits of numbers, texts and arrays. */
export const schemaLimits: readonly SchemaLimit[] = [
  { key: "maximum", name: "max", isUpper: true },
  { key: "exclusiveMaximum", name: "exclusive-max", isUpper: true },
  { key: "maxLength", name: "max-length", isUpper: true },
  { key: "maxItems", name: "max-items", isUpper: true },
  { key: "minimum", name: "min", isUpper: false },
  { key: "exclusiveMinimum", name: "exclusive-min", isUpper: false },
  { key: "minLength", name: "min-length", isUpper: false, defaultValue: 0 },
  { key: "minItems", name: "min-items", isUpper: false },
]

/** Severities of changed limits: first in data that clients send, then in data that they receive. */
export const limitRules = {
  tightened: ["breaking", "info"],
  loosened: ["info", "breaking"],
  set: ["warning", "info"],
  unset: ["info", "breaking"],
} as const satisfies Readonly<Record<string, readonly [sent: Severity, received: Severity]>>
