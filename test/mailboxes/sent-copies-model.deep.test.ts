import { expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { DROP } from "../fakes/imap-store.ts";
import { anotherMailbox, listening, mailbox, quickMailbox, workspaceId } from "../listening/listening.ts";
import { countDue, filesCopies, mailboxNow, type SentOnce, sendsOne } from "./sent-copies-parts.ts";

listening();

/** How a server treats what it sends: it files nothing, or a copy of its own before our first look or after it. */
type Server = "FILES_NONE" | "FILES_AT_ONCE" | "FILES_LATE";
const SERVERS: readonly Server[] = ["FILES_NONE", "FILES_AT_ONCE", "FILES_LATE"];
const STEPS = 60;

function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

test.each([1, 2, 3, 4])(
  "in random orders of emails, faults, kills and server changes each email has one copy in Sent, or at most two if the server files late (%i)",
  async (seed) => {
    const random = randomFrom(seed);
    let breaks = 0;
    const quick = await quickMailbox({
      meddle: (command) => {
        if (breaks === 0 || !/APPEND|SEARCH|LIST/.test(command)) return null;
        breaks--;
        return DROP;
      },
    });
    await anotherMailbox(quick);
    let server: Server = SERVERS[seed % 3] ?? "FILES_NONE";
    const all: { mail: SentOnce; by: Server }[] = [];
    const late: SentOnce[] = [];
    for (let step = 0; step < STEPS; step++) {
      const act = random(10);
      if (act < 5) {
        const mail = await sendsOne();
        all.push({ mail, by: server });
        if (server === "FILES_AT_ONCE") quick.deliver(mailbox.email, mail.raw, "Sent");
        if (server === "FILES_LATE") late.push(mail);
      } else if (act < 8) {
        await filesCopies();
        for (const { raw } of late.splice(0)) quick.deliver(mailbox.email, raw, "Sent");
      } else if (act === 8) {
        breaks = 1 + random(2);
        await filesCopies();
        breaks = 0;
      } else if (random(3) === 0) {
        // When the mailbox moves to another server, the filing starts anew
        server = SERVERS[random(3)] ?? server;
        await filesCopies();
        await scoped(workspaceId).Mailbox.updateOne({ _id: mailbox._id }, { $set: { sentFiling: null } });
      } else {
        // A worker was killed right after the server kept our copy
        const [due] = await scoped(workspaceId).DueCopy.find({ appendedAt: null });
        const killed = all.find(({ mail }) => due?.messageIds.includes(mail.messageId));
        if (due !== undefined && killed?.by === "FILES_NONE") {
          await scoped(workspaceId).DueCopy.updateOne(
            { _id: due._id },
            { $set: { appendedAt: new Date() }, $inc: { tries: 1 } },
          );
          quick.deliver(mailbox.email, killed.mail.raw, "Sent");
        }
      }
    }
    for (let times = 0; times < 3; times++) await filesCopies();
    for (const { raw } of late.splice(0)) quick.deliver(mailbox.email, raw, "Sent");
    const kept = quick.folder(mailbox.email, "Sent").mails.map(({ raw }) => raw.toString());
    const countOf = ({ raw }: SentOnce) => kept.filter((one) => one === raw).length;
    // A late server can have a second copy until its lateness is learnt; no other server has one
    const wrong = all.filter(({ mail, by }) =>
      by === "FILES_LATE" ? countOf(mail) < 1 || countOf(mail) > 2 : countOf(mail) !== 1,
    );
    expect(wrong).toEqual([]);
    expect(await countDue()).toBe(0);
    expect((await mailboxNow()).sentFolder).toMatchObject({ path: "Sent" });
  },
  120_000,
);
