/** The type of the classes of BullMQ and pg-boss that a program passes. */
export type PackageClass = new (...given: never[]) => object
