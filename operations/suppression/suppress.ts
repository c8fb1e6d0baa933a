import { z } from "zod";
import type { Lead } from "../../models/lead.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { suppressAddress, unsuppressAddress } from "../../store/suppression/suppress.ts";
import { choice } from "../choice.ts";
import { ids } from "../fields.ts";
import { forgetTotals } from "../leads/count-cache.ts";
import { operation } from "../operation.ts";

const input = z.strictObject({ ids });
const output = z.object({
  suppressed: z.boolean().describe("Whether they are suppressed now"),
  matched: z.number().int().describe("Leads that were found"),
  changed: z.number().int().describe("Leads that were changed"),
  notFound: z.array(z.string()).describe("Ids that name no lead"),
});

const suppress = operation({
  summary: "Never write to these leads again, in any campaign. It takes effect before this call returns",
  scope: "leads:suppress",
  audits: "leads.suppress",
  input,
  output,
  async run({ workspaceId, credentialId: actor }, { ids }) {
    const change = (email: string) => suppressAddress(workspaceId, email, "MANUAL", { actor });
    return { suppressed: true, ...(await forEachLead(workspaceId, ids, change)) };
  },
});

const unsuppress = operation({
  summary: "Allow mail to these leads again. No recipient is re-opened",
  scope: "leads:suppress",
  audits: "leads.unsuppress",
  input,
  output,
  async run({ workspaceId, credentialId: actor }, { ids }) {
    const change = (email: string) => unsuppressAddress(workspaceId, email, actor);
    return { suppressed: false, ...(await forEachLead(workspaceId, ids, change)) };
  },
});

export const manage = choice("leads:suppress", "Suppress or unsuppress leads", { suppress, unsuppress });

/** Leads per transaction: few, because a page that conflicts with a claim is repeated from its beginning. */
const PAGE = 50;

/** Changes every address of each lead, page by page; returns after the last commit (rules/sending 7.3). */
async function forEachLead(workspaceId: string, ids: string[], change: (email: string) => Promise<boolean>) {
  const wanted = [...new Set(ids)];
  const found = await scoped(workspaceId).Lead.find({ _id: trusted({ $in: wanted }) }, { select: { email: 1, secondaryEmails: 1 } });
  let changed = 0;
  for (let start = 0; start < found.length; start += PAGE) {
    changed += await inTransaction(() => changePage(found.slice(start, start + PAGE), change));
  }
  forgetTotals(workspaceId);
  const known = new Set(found.map(({ _id }) => _id));
  return { matched: found.length, changed, notFound: wanted.filter((id) => !known.has(id)) };
}

async function changePage(leads: Lead[], change: (email: string) => Promise<boolean>): Promise<number> {
  let changed = 0;
  for (const { email, secondaryEmails } of leads) {
    const isChanged = await change(email);
    for (const other of secondaryEmails) await change(other);
    if (isChanged) changed++;
  }
  return changed;
}
