import { deliverabilityOf } from "../../domain/alert-thresholds.ts";
import type { SendingDomain } from "../../domain/deliverability/sending-domain.ts";
import { domainOf, organisationOf } from "../../domain/mail/message.ts";
import { scoped } from "../../models/scoped.ts";
import { Workspace } from "../../models/workspace.ts";
import { sessionOption } from "../../mongo/direct.ts";

const MOST_SELECTORS = 10;

/** The domains of the workspace's mailboxes that are not disconnected, and those that it watches besides, by name. */
export async function loadSendingDomains(workspaceId: string): Promise<SendingDomain[]> {
  const select = { email: 1, smtp: 1, dkimSelectors: 1 } as const;
  const mailboxes = await scoped(workspaceId).Mailbox.read({ status: { $ne: "DISCONNECTED" } }, { select });
  const { monitoredDomains } = await loadSettings(workspaceId);
  const groups = Map.groupBy(mailboxes, ({ email }) => domainOf(email));
  const names = [...new Set([...groups.keys(), ...monitoredDomains])].sort();
  return names.map((domain) => {
    const own = groups.get(domain) ?? [];
    return {
      domain,
      organisation: organisationOf(domain),
      servers: [...new Set(own.map(({ smtp }) => smtp.host.toLowerCase()))].sort(),
      selectors: [...new Set(own.flatMap(({ dkimSelectors }) => dkimSelectors))].slice(0, MOST_SELECTORS),
      mailboxIds: own.map(({ _id }) => _id),
      usesTls: own.every(({ smtp }) => smtp.security !== "NONE"),
    };
  });
}

/** What a workspace has set about its deliverability, with the defaults. */
export async function loadSettings(workspaceId: string): Promise<ReturnType<typeof deliverabilityOf>> {
  const found = await Workspace.findOne({ _id: workspaceId }, { deliverability: 1 }, sessionOption()).lean<Workspace>();
  return deliverabilityOf(found?.deliverability);
}
