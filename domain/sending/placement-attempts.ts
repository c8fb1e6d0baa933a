/**
 * How often an email of a placement test is tried if its server refuses it for now, for example with a greylist. The
 * tries follow after one, two and four minutes.
 */
export const PLACEMENT_ATTEMPTS = 4;
