/** Plain JSON data: what state, templates and expressions are made of. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** A problem of a pack that only showed while it ran: a defect of the pack, never of the caller's input. */
export class ExpressionFailure extends Error {}

/**
 * Arithmetic or the calendar has no result for these numbers. What a call sends may lead here, so a call gets the vendor's error for
 * a parameter instead of a defect.
 */
export class OutOfRange extends ExpressionFailure {}

/** The expressions of a command went through more than one may. */
export class TooMuchWork extends ExpressionFailure {}
