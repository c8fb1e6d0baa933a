/** Limits of a file with leads (rules/leads 2.6). The console shows them, so this file imports nothing. */
export const MAX_FILE_ROWS = 1_000_000;
const MEGABYTE = 1_048_576;
export const MAX_FILE_MEGABYTES = 100;
export const MAX_FILE_BYTES = MAX_FILE_MEGABYTES * MEGABYTE;
export const MAX_WORKBOOK_MEGABYTES = 20;
export const MAX_WORKBOOK_BYTES = MAX_WORKBOOK_MEGABYTES * MEGABYTE;
