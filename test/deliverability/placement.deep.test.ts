import { expect, test } from "@jest/globals";
import { refuse } from "../fakes/smtp-answers.ts";
import { ANN, among, BOB, INBOX, JUNK, PATH, placing, useSetup } from "./placement-setup.ts";
import { endedTest, placesOf, SENDERS } from "./placement-world.ts";

useSetup();

test("a test email that the server refuses and a test mailbox that cannot be read get their own errors, and other places are reported", async () => {
  const { rest, ids } = await placing.workspace();
  placing.sandbox.smtp.setSenders((from) =>
    from === BOB ? { ...refuse(550, "5.7.1 Not allowed"), at: "MAIL" } : { act: "accept" },
  );
  placing.sandbox.imapOf(JUNK).setPassword("changed");
  try {
    const { body } = await rest.post(PATH, {
      mailboxIds: among(ids, SENDERS),
      testMailboxIds: among(ids, [INBOX, JUNK]),
    });
    const ended = await endedTest(rest, body.id, 90_000);
    expect(placesOf(ended, ids)).toEqual([
      `${ANN} > ${INBOX}: INBOX`,
      `${ANN} > ${JUNK}: AUTH_FAILED`,
      `${BOB} > ${INBOX}: SEND_FAILED`,
      `${BOB} > ${JUNK}: SEND_FAILED`,
    ]);
    expect(ended).toMatchObject({ status: "COMPLETED_WITH_ERRORS", inboxRate: 1, missingRate: 0 });
  } finally {
    placing.sandbox.smtp.setSenders(() => ({ act: "accept" }));
    placing.sandbox.imapOf(JUNK).setPassword(placing.sandbox.password);
  }
}, 120_000);
