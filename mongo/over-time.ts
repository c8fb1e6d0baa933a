/** The code by which the database gives up. */
const OVER_TIME = 50;

/** The database gave up, because it was told how long it may take. */
export function isOverTime(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === OVER_TIME;
}
