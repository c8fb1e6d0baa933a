import { expect, test } from "@jest/globals";
import { coolDown } from "../../store/mailboxes/faults.ts";
import { mail } from "../campaigns/campaign-parts.ts";
import { ANN, arrived, BOB, mailsTo, people, useSetup, workspaceWith } from "./freed-setup.ts";

useSetup();

test("recipients that were never contacted get their email from another mailbox while the first mailbox cools down", async () => {
  const { workspaceId, mailboxId, launched } = await workspaceWith(ANN, BOB);
  const emails = people(6);
  await launched(emails, [mail("one", "One")], { minGapSeconds: 4, maxGapSeconds: 4 });
  await arrived(emails, 2, "one from each mailbox");
  await coolDown(workspaceId, mailboxId, "550");
  const ofAnn = () => mailsTo(emails).filter(({ from }) => from === ANN).length;
  const before = ofAnn();
  await arrived(emails, 6, "everybody");
  // One more may have been under way
  expect(ofAnn()).toBeLessThanOrEqual(before + 1);
  expect(ofAnn()).toBeLessThan(6);
  expect(mailsTo(emails)).toHaveLength(6);
});
