/** Milliseconds that an email which has arrived may wait to be read before sends yield to reading (rules/mail 5.8). */
export const YIELDS_AFTER_MS = 30_000;

/** How long one send has waited for its mail server, which is nothing while it works with the database. */
export interface RunningSend {
  workspaceId: string;
  waitsMs: number;
}

/** An SMTP server that keeps a send waiting this long is slow. Milliseconds. */
const SLOW_SERVER_MS = 10_000;

/**
 * Why a further send of a workspace leaves its slot to others, once the workspace has a third of the slots and less
 * than a third of all is free: its mail servers are slow, or have taken no email yet, so that it is unknown. So one
 * workspace's slow servers never hold all slots (rules/sending 5.10). `usualWaitMs`: what its sends have waited for
 * their servers lately, null when none has ended. Null: it need not.
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
 * When a send that left its slot comes again, and how far apart those of one workspace come, so that they do not come
 * back together.
 */
export const COMES_AGAIN = {
  SLOW: { afterMs: 5_000, apartMs: 1_000 },
  UNKNOWN: { afterMs: 1_000, apartMs: 100 },
} as const;
