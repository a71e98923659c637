/** Plain JSON data: what state, templates and expressions are made of. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** A problem of a pack that only showed while it ran: a defect of the pack, never of the caller's input. */
export class ExpressionFailure extends Error {}
