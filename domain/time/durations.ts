/** Milliseconds of elapsed time, not of a calendar: a day of a time zone may be shorter or longer. */
export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
/** How far ahead calendars and send slots are searched at most. */
export const HORIZON_DAYS = 400;
export const HORIZON_MS = HORIZON_DAYS * DAY_MS;
/** The database counts in seconds how long it keeps a document. */
export const DAY_SECONDS = DAY_MS / SECOND_MS;
