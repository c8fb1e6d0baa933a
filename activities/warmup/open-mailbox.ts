import type { ImapFlow } from "imapflow";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import type { ApiMailbox, OpenApi } from "../inbox/api-access.ts";
import type { OpenMailbox } from "./engage.ts";
import { treatOverGmail } from "./gmail-mailbox.ts";
import { treatOverGraph } from "./graph-mailbox.ts";
import { treatOverImap } from "./imap-mailbox.ts";
import type { TreatedMailbox } from "./treated-mailbox.ts";

const OVER: Readonly<Record<ApiMailbox["transport"], (api: ApiMailbox) => TreatedMailbox>> = {
  GMAIL_API: treatOverGmail,
  GRAPH: treatOverGraph,
};

/** Opens each mailbox over its transport. */
export function openToTreat(
  openImap: (mailbox: Mailbox, silenceMs: number) => Promise<ImapFlow>,
  openApi: OpenApi,
): OpenMailbox {
  return async (mailbox, silenceMs) => {
    const api = openApi(mailbox);
    return api === null ? treatOverImap(await openImap(mailbox, silenceMs)) : OVER[api.transport](api);
  };
}
