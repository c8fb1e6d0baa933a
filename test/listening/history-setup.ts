import { randomUUID } from "node:crypto";
import { DAY_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { until } from "../fakes/wait.ts";
import { listening, mailbox, workspaceId } from "./listening.ts";

export const OLD = new Date(Date.now() - 2 * DAY_MS);

export function mail(from: string, subject: string, more: string[] = [], body = "Hello"): string {
  const head = [
    `From: ${from}`,
    `To: ann@a.test`,
    `Subject: ${subject}`,
    `Message-ID: <${randomUUID()}@b.test>`,
    `Date: ${OLD.toUTCString()}`,
  ];
  return `${[...head, ...more].join("\r\n")}\r\n\r\n${body}\r\n`;
}

export const cursors = () => scoped(workspaceId).MailboxCursor.find({ mailboxId: mailbox._id });

export const historyDone = () =>
  until(async () => (await cursors()).every(({ history }) => history === null), {
    deadlineMs: 180_000,
    what: "the history to be filed",
  });

/** Registers the hooks that both of these test files share. */
export function useSetup(): void {
  listening();
}
