import pLimit from "p-limit";
import type { Logger } from "pino";
import { inspectDomain } from "../../connectors/dns/domain-facts.ts";
import type { Egress } from "../../connectors/net/egress.ts";
import type { BlockList } from "../../domain/deliverability/block-lists.ts";
import type { SendingDomain } from "../../domain/deliverability/sending-domain.ts";
import { saveCheck } from "../../store/deliverability/checks.ts";

export interface InspectDeps {
  egress: Pick<Egress, "records" | "request">;
  /** The block lists that are asked. */
  lists: readonly BlockList[];
  log: Pick<Logger, "warn">;
}

const AT_ONCE = 5;

/** Asks everything about these domains and stores it. A fault with one of them leaves what was known of it. `beat` follows each domain. */
export async function inspectDomains(
  { egress, lists, log }: InspectDeps,
  workspaceId: string,
  domains: readonly SendingDomain[],
  beat: () => void,
): Promise<void> {
  const slots = pLimit(AT_ONCE);
  const work = domains.map((of) =>
    slots(async () => {
      try {
        await saveCheck(workspaceId, of.domain, await inspectDomain(egress, of, lists), new Date());
      } catch (err) {
        log.warn({ err, workspaceId, domain: of.domain }, "a sending domain could not be checked");
      }
      beat();
    }),
  );
  await Promise.all(work);
}
