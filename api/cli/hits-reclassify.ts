import { parseArgs } from "node:util";
import { readConfig } from "../../config.ts";
import { reclassifyPage } from "../../store/tracking/reclassify.ts";
import { onDatabase } from "./database.ts";

// Reclassifies stored opens and clicks by the current rules and networks. --from resumes after the send that was
// printed last
await onDatabase(async () => {
  const { from } = parseArgs({ options: { from: { type: "string" } } }).values;
  const { SCANNER_NETWORKS: scanners, RELAY_NETWORKS: relays } = readConfig();
  const changes: Record<string, number> = {};
  let hits = 0;
  for (let after: string | null = from ?? null; ; ) {
    const page = await reclassifyPage(after, { scanners, relays });
    hits += page.hits;
    for (const [change, count] of Object.entries(page.changes)) changes[change] = (changes[change] ?? 0) + count;
    if (page.next === null) break;
    after = page.next;
    process.stderr.write(`${hits} hits reclassified, last send: ${after}\n`);
  }
  const lines = Object.entries(changes).map(([change, count]) => `${change}: ${count}`);
  return [
    `${hits} hits reclassified, ${lines.length === 0 ? "no class has changed" : "changed classes:"}`,
    ...lines,
  ].join("\n");
});
