import { RecentTimes } from "../../domain/sending/recent-times.ts";

/** How long this process's transactions between a slot and the wire took: claims and last looks (rules/sending 5.9). */
export const sendTransactions = new RecentTimes();

/** Runs such a transaction and notes how long it took, also when it fails. */
export async function measureTransaction<T>(transaction: () => Promise<T>): Promise<T> {
  const begunAt = performance.now();
  try {
    return await transaction();
  } finally {
    const now = performance.now();
    sendTransactions.note(now, now - begunAt);
  }
}
