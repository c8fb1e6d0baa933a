/**
 * If an email that arrived has not been read for this many milliseconds, sending slows down in favour of reading
 * (rules/mail 5.8).
 */
export const YIELDS_AFTER_MS = 30_000;

/** How long one send has waited for its mail server. Work with the database does not count as waiting. */
export interface RunningSend {
  workspaceId: string;
  waitsMs: number;
}

/** An SMTP server that keeps a send waiting for this many milliseconds is slow. */
const SLOW_SERVER_MS = 10_000;

/**
 * Why a further send of a workspace gives up its slot, so that one workspace's slow servers never hold all slots
 * (rules/sending 5.10). It happens only if the workspace has a third of the slots and less than a third of all slots is
 * free. SLOW: its mail servers are slow. UNKNOWN: they have not accepted an email yet.
 * `usualWaitMs`: how long its sends have waited for their servers recently, null when none has ended. Null: the send
 * may keep its slot.
 */
export function leavesSlot(
  workspaceId: string,
  running: readonly RunningSend[],
  slots: number,
  usualWaitMs: number | null,
): "SLOW" | "UNKNOWN" | null {
  const third = Math.ceil(slots / 3);
  const own = running.filter((send) => send.workspaceId === workspaceId);
  if (own.length < third || slots - running.length >= third) return null;
  const slow = own.filter(({ waitsMs }) => waitsMs > SLOW_SERVER_MS);
  if (slow.length * 2 >= own.length || (usualWaitMs ?? 0) > SLOW_SERVER_MS) return "SLOW";
  return usualWaitMs === null ? "UNKNOWN" : null;
}

/**
 * After how many milliseconds a send that gave up its slot is tried again, and how far apart the sends of one workspace
 * are tried, so that they do not all return at once.
 */
export const COMES_AGAIN = {
  SLOW: { afterMs: 5_000, apartMs: 1_000 },
  UNKNOWN: { afterMs: 1_000, apartMs: 100 },
} as const;
