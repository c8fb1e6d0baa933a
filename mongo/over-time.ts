/** The server's error code for an exceeded time limit. */
const OVER_TIME = 50;

/** Whether the database stopped a query because it exceeded its time limit. */
export function isOverTime(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === OVER_TIME;
}
