/** By how many milliseconds this browser's clock is behind the service's; 0 while they agree. */
let behind = 0;
/** An answer takes time to arrive, and its `Date` header has whole seconds. */
const TOLERATED_MS = 30_000;

/** Every answer has the service's time. */
export function noteTime({ headers }: Response): void {
  const serverTime = Date.parse(headers.get("Date") ?? "");
  if (Number.isNaN(serverTime)) return;
  const off = serverTime - Date.now();
  behind = Math.abs(off) > TOLERATED_MS ? off : 0;
}

/** The current time, corrected by the service's clock, because what is due must not depend on the browser's clock. */
export function now(): number {
  return Date.now() + behind;
}
