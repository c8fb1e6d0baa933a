/**
 * Milliseconds, by the clock of the process that looks. When the last look took longer than this, the mail is not sent: a stop may have
 * answered its caller in the meantime, and the content must not begin after that.
 */
export const ENTERS_WITHIN_MS = 500;

/**
 * Milliseconds after its commit at which a stop answers at the latest, when mails had already entered DATA. By then each of them has begun
 * its content or never will. The difference to the limit above covers the way from the look to the wire.
 */
export const ANSWERS_AFTER_MS = ENTERS_WITHIN_MS + 250;
