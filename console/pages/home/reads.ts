import type { Out } from "../../api/call.ts";

export type Campaign = Out<"get /campaigns">["items"][number];
export type Mailbox = Out<"get /mailboxes">[number];
