/**
 * How long a last look may take while the database is quick, in milliseconds by the clock of the process that looks. If
 * the look takes longer than its allowance, the email is not sent: a stop may have answered its caller in the meantime,
 * and the content must not begin after that.
 */
export const ENTERS_WITHIN_MS = 500;

/** Milliseconds from the end of the allowance to the first byte on the wire, at most. */
export const TO_THE_WIRE_MS = 250;

/** The longest allowance in milliseconds, because a stop may have to wait for all of it. */
const MOST_ENTERS_WITHIN_MS = 30_000;

/** The allowance covers this many times what 95 of 100 transactions of the last minute took. */
const ROOM = 2;

/**
 * Milliseconds that one attempt at a send may take, from its claim on: less than its activity, whose limit is below the
 * lease (rules/sending 8.4).
 */
export const ATTEMPT_MS = 100_000;

/**
 * The allowance of a last look in milliseconds. `usualMs`: how long 95 of 100 transactions took in the last minute at
 * most, null when there were none; `elapsedMs`: how long ago the attempt began. Null: the look would probably come too
 * late, so the email should not be begun at all. The allowance is a whole number, because the database does not count
 * fractions of a millisecond.
 */
export function allowanceOf(usualMs: number | null, elapsedMs: number): number | null {
  const expectedMs = usualMs ?? 0;
  const leftMs = Math.min(MOST_ENTERS_WITHIN_MS, ATTEMPT_MS - elapsedMs);
  return expectedMs > leftMs || leftMs <= 0
    ? null
    : Math.floor(Math.min(leftMs, Math.max(ENTERS_WITHIN_MS, ROOM * expectedMs)));
}

/**
 * A stop waits at most this many milliseconds after the look for an email with this allowance that had entered DATA. By
 * then the email has begun its content or never will.
 */
export function beginsWithinMs(allowanceMs: number | null): number {
  return (allowanceMs ?? ENTERS_WITHIN_MS) + TO_THE_WIRE_MS;
}

/**
 * Milliseconds until an email that the slow database held back is tried again: longer each time, up to five minutes.
 * `share` is drawn from 0 to 1.
 */
export function heldBackMs(times: number, share: number): number {
  const ms = Math.min(LONGEST_HELD_MS, FIRST_HELD_MS * 2 ** times);
  return Math.round(ms * (0.75 + share / 2));
}

const FIRST_HELD_MS = 10_000;
const LONGEST_HELD_MS = 300_000;
