/** JSON data, of which state, templates and expressions consist. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** A problem of a pack that occurs at run time: a defect of the pack, never of the caller's input. */
export class ExpressionFailure extends Error {}

/**
 * Arithmetic or the calendar has no result for these numbers. A call's input can cause this, so a call gets the vendor's error
 * for a parameter instead of a defect.
 */
export class OutOfRange extends ExpressionFailure {}

/** Thrown if the expressions of a command exceed their budget. */
export class TooMuchWork extends ExpressionFailure {}
