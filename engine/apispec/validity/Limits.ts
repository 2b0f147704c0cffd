/** Errors told apart; a document with more is as wrong as one can be, and checking stops. */
export const ERRORS_COUNTED = 1_000

/** Errors described one by one, each with the operations that it affects; the rest are counted. */
export const ERRORS_SHOWN = 10
