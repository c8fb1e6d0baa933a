import type { KeyRing } from "../../domain/access/seal.ts";
import { type MailProviders, NO_PROVIDERS } from "../../domain/mailboxes/provider.ts";
import type { GmailNotices } from "../../domain/mailboxes/transport.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { storeGrant } from "../../store/mailboxes/grant.ts";

/** Where the stand-ins are, and how Gmail's notices come. */
export interface ApiSide {
  gmail: string;
  graph: string;
  notices: GmailNotices;
}

export type Api = "GMAIL_API" | "GRAPH";

/** The address of the mailbox at Gmail that belongs to one at Graph. */
export const atGmail = (address: string) => address.replace("@graph.", "@gmail.");

/** Both providers with their APIs at the stand-ins. With `postTo` both give notices, Graph by requests to that URL. */
export function providersAt({ gmail, graph, notices }: ApiSide, postTo?: string): MailProviders {
  const byPost = postTo === undefined ? {} : { notices: { by: "HTTP" as const, postTo } };
  return {
    A: { ...NO_PROVIDERS.A, api: { transport: "GMAIL_API", url: gmail, ...(postTo !== undefined && { notices }) } },
    B: { ...NO_PROVIDERS.B, api: { transport: "GRAPH", url: graph, ...byPost } },
  };
}

/** Stores connected mailboxes at an API, without gaps or limits. Returns their ids. */
export async function storeApiMailboxes(
  workspaceId: string,
  ring: KeyRing,
  transport: Api,
  addresses: readonly string[],
): Promise<string[]> {
  const ids: string[] = [];
  const provider = transport === "GMAIL_API" ? ("A" as const) : ("B" as const);
  const server = { host: "localhost", port: 9, security: "SSL_TLS" as const };
  for (const email of addresses) {
    const _id = newId("mbx");
    const tokens = { refreshToken: "lasting", accessToken: email, expiresAt: new Date(Date.now() + DAY_MS) };
    const grantId = await storeGrant(ring, workspaceId, _id, { provider, ...tokens });
    const login = { username: email, grantId, transport, provider: `PROVIDER${provider}` as const };
    await scoped(workspaceId).Mailbox.insert({ _id, email, dailySendLimit: 0, smtp: server, imap: server, ...login });
    ids.push(_id);
  }
  return ids;
}
