/** How far this browser's clock is behind the service's, in milliseconds; 0 while they agree. */
let behind = 0;
/** Answers take a while, and say seconds only. */
const TOLERATED_MS = 30_000;

/** Every answer says what time it is. */
export function noteTime({ headers }: Response): void {
  const told = Date.parse(headers.get("Date") ?? "");
  if (Number.isNaN(told)) return;
  const off = told - Date.now();
  behind = Math.abs(off) > TOLERATED_MS ? off : 0;
}

/**
 * The current time, by the service's clock where this browser's clock is wrong. What is due must not depend on the
 * browser.
 */
export function now(): number {
  return Date.now() + behind;
}
