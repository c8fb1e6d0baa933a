/**
 * A last look that took longer than this lets nothing go: its content might begin after a stop has answered that came meanwhile.
 * Milliseconds, by the clock of the process that looks.
 */
export const ENTERS_WITHIN_MS = 500;

/**
 * So long after its commit a stop answers at the latest, where mails had entered DATA before: by then each of them has begun its
 * content, or never will. The difference is for the way from the look to the wire.
 */
export const ANSWERS_AFTER_MS = ENTERS_WITHIN_MS + 250;
