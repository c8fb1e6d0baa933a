import { z } from "zod";
import type { BearerAccess } from "../bearer-call.ts";
import { callGmail } from "./call.ts";
import { GmailMessage } from "./history.ts";
import { GmailTrouble } from "./trouble.ts";

const Label = z.object({ id: z.string(), name: z.string(), type: z.string().default("system") });
const Labels = z.object({ labels: z.array(Label).default([]) });
const Thread = z.object({ messages: z.array(GmailMessage.extend({ internalDate: z.string() })).default([]) });

/** The labels of the tabs beside the primary one. IMAP shows these emails in the inbox. */
const TABS: ReadonlySet<string> = new Set([
  "CATEGORY_PROMOTIONS",
  "CATEGORY_SOCIAL",
  "CATEGORY_UPDATES",
  "CATEGORY_FORUMS",
]);

/** Whether Gmail shows an email with these labels in another tab of the inbox than the primary one. */
export function isInTab(labels: readonly string[]): boolean {
  return labels.some((label) => TABS.has(label));
}

/** Adds and removes labels of a message. A repetition changes nothing. @throws GmailTrouble */
export async function changeLabels(
  access: BearerAccess,
  id: string,
  { add = [], remove = [] }: { add?: readonly string[]; remove?: readonly string[] },
): Promise<void> {
  const path = `/gmail/v1/users/me/messages/${encodeURIComponent(id)}/modify`;
  await callGmail(access, path, {
    method: "POST",
    schema: GmailMessage,
    body: { addLabelIds: add, removeLabelIds: remove },
  });
}

/** Moves a message to the bin, where Gmail deletes it after 30 days. @throws GmailTrouble */
export async function trashMessage(access: BearerAccess, id: string): Promise<void> {
  const path = `/gmail/v1/users/me/messages/${encodeURIComponent(id)}/trash`;
  await callGmail(access, path, { method: "POST", schema: GmailMessage });
}

/** The id of a user's label of this name; null when there is none. @throws GmailTrouble */
export async function findLabel(access: BearerAccess, name: string): Promise<string | null> {
  const { labels } = await callGmail(access, "/gmail/v1/users/me/labels", { schema: Labels });
  // Gmail does not permit two labels that differ only in their case
  const isSame = (label: z.output<typeof Label>) => label.name.toLowerCase() === name.toLowerCase();
  return labels.find((label) => label.type === "user" && isSame(label))?.id ?? null;
}

/** Creates a label; null when Gmail does not permit the name. @throws GmailTrouble */
export async function createLabel(access: BearerAccess, name: string): Promise<string | null> {
  try {
    const path = "/gmail/v1/users/me/labels";
    return (await callGmail(access, path, { method: "POST", schema: Label, body: { name } })).id;
  } catch (error) {
    if (!(error instanceof GmailTrouble) || error.kind !== "invalid") throw error;
    // Someone else may have created it since it was looked for
    return findLabel(access, name);
  }
}

/** Whether the mailbox has sent an email in the thread after this message. @throws GmailTrouble */
export async function isAnswered(
  access: BearerAccess,
  { id, threadId }: { id: string; threadId: string },
): Promise<boolean> {
  const path = `/gmail/v1/users/me/threads/${encodeURIComponent(threadId)}?format=minimal`;
  const { messages } = await callGmail(access, path, { schema: Thread });
  const at = Number(messages.find((message) => message.id === id)?.internalDate ?? Number.NaN);
  return messages.some(({ labelIds, internalDate }) => labelIds.includes("SENT") && Number(internalDate) > at);
}
