/**
 * Attempts at an email of a placement test whose server refuses it for now, such as a greylist: after one, two and four
 * minutes.
 */
export const PLACEMENT_ATTEMPTS = 4;
