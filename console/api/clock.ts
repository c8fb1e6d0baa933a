/** Milliseconds by which this browser's clock is behind the server's; 0 while the difference is tolerated. */
let behind = 0;
/** A smaller difference is ignored, because an answer takes time to arrive and its `Date` header has whole seconds. */
const TOLERATED_MS = 30_000;

/** Reads the server's time from an answer. */
export function noteTime({ headers }: Response): void {
  const serverTime = Date.parse(headers.get("Date") ?? "");
  if (Number.isNaN(serverTime)) return;
  const off = serverTime - Date.now();
  behind = Math.abs(off) > TOLERATED_MS ? off : 0;
}

/** The current time by the server's clock, so that it does not depend on the browser's clock what is due. */
export function now(): number {
  return Date.now() + behind;
}
