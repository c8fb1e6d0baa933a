import type { Bounce } from "../../models/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/send.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { recordFailed } from "../sending/record.ts";

/**
 * Ends a recipient whose own side refuses the mail: FAILED, without a bounce and without a suppression (rules/sending 10.2). `bounce` tells
 * what was said; null where that is stored.
 */
export function endByPolicy(send: Send, bounce: Bounce | null): Promise<void> {
  const said = bounce ?? { code: send.failure?.code ?? null, diagnostic: send.failure?.text ?? null };
  const failure = { reason: "REFUSED_BY_POLICY", code: said.code, text: said.diagnostic };
  const ending = { status: "FAILED", stopReason: "REFUSED_BY_POLICY", bySelf: true } as const;
  return inTransaction(async () => {
    if (bounce !== null) await scoped(send.workspaceId).Recipient.updateOne({ _id: send.recipientId ?? "" }, { $set: { bounce } });
    await recordFailed(send, ending, failure);
  });
}
