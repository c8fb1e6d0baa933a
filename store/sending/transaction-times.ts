import { RecentTimes } from "../../domain/sending/recent-times.ts";

/** How long this process's claims and last checks before transmission took recently (rules/sending 5.9). */
export const sendTransactions = new RecentTimes();

/** Runs such a transaction and records how long it took, even if it fails. */
export async function measureTransaction<T>(transaction: () => Promise<T>): Promise<T> {
  const begunAt = performance.now();
  try {
    return await transaction();
  } finally {
    const now = performance.now();
    sendTransactions.note(now, now - begunAt);
  }
}
