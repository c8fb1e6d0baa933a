import { expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { historyDone, mail, OLD, useSetup } from "./history-setup.ts";
import { mailbox, quickMailbox, watch, workspaceId } from "./listening.ts";

useSetup();

test("the import of many long old emails is split into batches that the database accepts", async () => {
  const quick = await quickMailbox();
  const long = "One of the many lines of a long letter to us.\r\n".repeat(1_300); // the database's cache is 256 MB
  for (let n = 0; n < 700; n++)
    quick.deliver(mailbox.email, mail(`p${n}@x.test`, `Mail ${n}`, [], long), "INBOX", { date: OLD });
  await watch();
  await historyDone();
  expect(await scoped(workspaceId).Message.count()).toBe(700);
});

test("the import of many old emails with many different words is split into batches that the database accepts", async () => {
  const quick = await quickMailbox();
  const words = (n: number) => Array.from({ length: 300 }, (_, word) => (word * 1_000 + n).toString(36)).join(" ");
  for (let n = 0; n < 900; n++)
    quick.deliver(mailbox.email, mail(`p${n}@x.test`, `Mail ${n}`, [], words(n)), "INBOX", { date: OLD });
  await watch();
  await historyDone();
  expect(await scoped(workspaceId).Thread.count({ searchWords: (299 * 1_000 + 899).toString(36) })).toBe(1);
});
