import type { MailPlace } from "../../domain/campaigns/figures.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { trusted } from "../../mongo/collection.ts";

/** A campaign email to a person, with the fields that facts about that person need. */
export type OwnMail = Pick<
  Send,
  | "recipientId"
  | "stepId"
  | "variantId"
  | "mailboxId"
  | "state"
  | "sentAt"
  | "openedAt"
  | "proxyOpenedAt"
  | "clickedAt"
  | "failure"
>;

const READ: Record<keyof OwnMail, 1> = {
  ...({ recipientId: 1, stepId: 1, variantId: 1, mailboxId: 1, state: 1, sentAt: 1 } as const),
  ...({ openedAt: 1, proxyOpenedAt: 1, clickedAt: 1, failure: 1 } as const),
};
/** People whose emails are read with one command. */
const AT_ONCE = 1_000;

/** The emails of these recipients that were sent or refused, by recipient, oldest first. */
export async function mailsOfPeople(
  workspaceId: string,
  recipientIds: Iterable<string>,
): Promise<Map<string, OwnMail[]>> {
  const ids = [...new Set(recipientIds)];
  const mails = new Map<string, OwnMail[]>();
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const some = {
      recipientId: trusted({ $in: ids.slice(from, from + AT_ONCE) }),
      state: trusted({ $in: ["SENT", "BOUNCED", "FAILED"] }),
    };
    for (const mail of await scoped(workspaceId).Send.find(some, { select: READ })) {
      const own = mails.get(mail.recipientId ?? "");
      if (own === undefined) mails.set(mail.recipientId ?? "", [mail]);
      else own.push(mail);
    }
  }
  for (const own of mails.values()) own.sort((one, other) => sentTimeOf(one) - sentTimeOf(other));
  return mails;
}

function sentTimeOf({ sentAt }: OwnMail): number {
  return sentAt?.getTime() ?? Number.POSITIVE_INFINITY;
}

export function wentOut({ state, sentAt }: OwnMail): boolean {
  return (state === "SENT" || state === "BOUNCED") && sentAt !== null;
}

export function mailPlaceOf(campaignId: string, mail: OwnMail | undefined): MailPlace {
  return {
    campaignId,
    stepId: mail?.stepId ?? null,
    variantId: mail?.variantId ?? null,
    mailboxId: mail?.mailboxId ?? null,
  };
}

/** The last email that was sent by the given instant, otherwise the first one; undefined when none was sent. */
export function lastMailAt(mails: readonly OwnMail[], at: Date): OwnMail | undefined {
  const out = mails.filter(wentOut);
  return out.findLast(({ sentAt }) => sentAt !== null && sentAt <= at) ?? out[0];
}
