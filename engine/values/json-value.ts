/** JSON data: the values of state, templates and expressions. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** Thrown at run time for a defect of a pack, which no input of a caller can cause. */
export class ExpressionFailure extends Error {}

/**
 * Thrown if arithmetic or the calendar has no result for some numbers. Input can cause this, so a call gets the vendor's error
 * for a parameter.
 */
export class OutOfRange extends ExpressionFailure {}

/** Thrown if the expressions of a command exceed its budget. */
export class TooMuchWork extends ExpressionFailure {}
