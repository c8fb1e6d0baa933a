/**
 * The allowance of a last check while the database is fast, in milliseconds by the clock of the sending process. The
 * last check reads whether the email was stopped, right before its content is sent. If it takes longer than its
 * allowance, the email is not sent: a stop may have been confirmed to its caller in the meantime, and no content may be
 * sent after that.
 */
export const ENTERS_WITHIN_MS = 500;

/** The most milliseconds from the end of the allowance to the first byte of the email's content. */
export const TO_THE_WIRE_MS = 250;

/** The longest allowance in milliseconds, because a stop may have to wait for all of it. */
const MOST_ENTERS_WITHIN_MS = 30_000;

/** The allowance is this many times the 95th percentile of transaction times in the last minute. */
const ROOM = 2;

/**
 * Milliseconds that one attempt at a send may take, from its claim on: less than its activity, whose limit is below the
 * lease (rules/sending 8.4).
 */
export const ATTEMPT_MS = 100_000;

/**
 * The allowance of a last check in milliseconds. `usualMs` is the 95th percentile of transaction times in the last
 * minute, null if there were none. `elapsedMs` is how long ago the attempt began. Null: the check would probably end
 * too late, so the email should not be started at all. The allowance is a whole number, because the database does not
 * count fractions of a millisecond.
 */
export function allowanceOf(usualMs: number | null, elapsedMs: number): number | null {
  const expectedMs = usualMs ?? 0;
  const leftMs = Math.min(MOST_ENTERS_WITHIN_MS, ATTEMPT_MS - elapsedMs);
  return expectedMs > leftMs || leftMs <= 0
    ? null
    : Math.floor(Math.min(leftMs, Math.max(ENTERS_WITHIN_MS, ROOM * expectedMs)));
}

/**
 * The most milliseconds that a stop waits for an email that passed its last check with this allowance. After that time
 * the email's content is being sent, or it never will be.
 */
export function beginsWithinMs(allowanceMs: number | null): number {
  return (allowanceMs ?? ENTERS_WITHIN_MS) + TO_THE_WIRE_MS;
}

/**
 * Milliseconds until an email that was not sent because the database was slow is tried again: longer each time, up to
 * five minutes. `share` is drawn from 0 to 1.
 */
export function heldBackMs(times: number, share: number): number {
  const ms = Math.min(LONGEST_HELD_MS, FIRST_HELD_MS * 2 ** times);
  return Math.round(ms * (0.75 + share / 2));
}

const FIRST_HELD_MS = 10_000;
const LONGEST_HELD_MS = 300_000;
