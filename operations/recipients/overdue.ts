import { countOverdue } from "../../store/recipients/overdue.ts";
import { Kept } from "../cost-aware-cache.ts";

const counts = new Kept<number>(() => true);

/** How many people the installation has forgotten (security.md 8.3): zero while all is well. Whoever asks often asks the database less. */
export function recipientsOverdue(): Promise<number> {
  return counts.of("installation", "recipients", () => countOverdue(Date.now()));
}
