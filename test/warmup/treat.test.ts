import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import { engageMailbox } from "../../activities/warmup/engage.ts";
import { treatOverImap } from "../../activities/warmup/imap-mailbox.ts";
import { openImap } from "../../connectors/imap/connection.ts";
import { createEgress } from "../../connectors/net/connect.ts";
import type { Egress } from "../../connectors/net/egress.ts";
import { parseAllow } from "../../domain/access/allowed-hosts.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/time/durations.ts";
import type { WarmupConfig } from "../../domain/warmup/enrolment.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { WarmupMail } from "../../models/warmup/warmup-mail.ts";
import { askTreatment, loadDue, postpone } from "../../store/warmup/engagements.ts";
import { loadGround } from "../../store/warmup/ground.ts";
import { type Certificate, makeCertificate } from "../fakes/certificate.ts";
import { type FakeImap, type ImapOptions, startImap } from "../fakes/imap.ts";
import { startWorld, type World } from "../support/world.ts";
import { enrolled, mailNow, type Planted, plant, rawMail } from "./planted.ts";
import { HASTY } from "./warmup-world.ts";

let world: World;
let certificate: Certificate;
let egress: Egress & { close(): Promise<void> };
const servers: FakeImap[] = [];

beforeAll(async () => {
  world = await startWorld();
  certificate = await makeCertificate();
  egress = createEgress({
    allow: parseAllow("localhost:*,127.0.0.1:*"),
    ownAddresses: [],
    dnsServers: [],
    extraCa: certificate.cert,
  });
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});
afterAll(async () => {
  await egress.close();
  await world.close();
});

interface Treating {
  ann: Mailbox;
  bob: Mailbox;
  imap: FakeImap;
  /** An email of Ann's that came to Bob's folder and is due. */
  came(folder?: string, more?: Partial<WarmupMail>): Promise<Planted>;
  /** Bob's mailbox does what is due. */
  engage(): Promise<void>;
}

const SPAM = { rescue: true, important: false, answer: false };

/** Bob with a real IMAP server, and Ann who wrote to him. */
async function treating(options: Partial<ImapOptions> = {}, config: Partial<WarmupConfig> = {}): Promise<Treating> {
  const [ann, bob] = [await enrolled(world, "ann@a.test"), await enrolled(world, "bob@b.test", config)];
  const imap = await startImap({ certificate, user: "bob@b.test", password: "pw", secure: true, ...options });
  servers.push(imap);
  const server = { host: "localhost", port: imap.port, security: "SSL_TLS" as const };
  const open = async () => treatOverImap(await openImap(egress, server, { user: "bob@b.test", password: "pw" }));
  return {
    ann,
    bob,
    imap,
    async came(folder = "INBOX", more = {}) {
      const planted = await plant(ann, bob);
      const { mail, messageId, subject } = planted;
      imap.deliver(
        rawMail({ From: ann.email, To: bob.email, Subject: subject, "Message-ID": messageId }).replaceAll("\n", "\r\n"),
        folder,
      );
      const uid = imap.folder(folder).at(-1)?.uid ?? 0;
      const isJunk = folder !== "INBOX" && folder !== "Archive";
      const landed = {
        folder: isJunk ? ("SPAM" as const) : ("INBOX" as const),
        provider: "SMTP" as const,
        at: new Date(),
      };
      const wish = isJunk ? SPAM : { rescue: false, important: false, answer: false };
      const place = { folder, uidValidity: "", uid };
      await WarmupMail.updateOne(
        { _id: mail._id },
        { $set: { state: "SENT", landed, wish, place, engageAt: new Date(), ...more } },
      );
      return planted;
    },
    async engage() {
      const ground = await loadGround(bob.workspaceId, bob._id);
      if (ground !== null) await engageMailbox(open, ground, HASTY);
    },
  };
}

const idsIn = (imap: FakeImap, folder: string) =>
  imap.folder(folder).map(({ raw }) => /^message-id: *(<.*>)/im.exec(raw.toString())?.[1]);
const flagsIn = (imap: FakeImap, folder: string) => imap.folder(folder).flatMap(({ flags }) => flags);

test("a warmup email in the inbox is marked as read, flagged if important, and moved to the warmup folder, which is created", async () => {
  const { imap, came, engage, ann } = await treating();
  const [first, second] = [
    await came(),
    await came("INBOX", { wish: { rescue: false, important: true, answer: false } }),
  ];
  await engage();
  expect(idsIn(imap, "INBOX")).toEqual([]);
  expect(idsIn(imap, "Warmup").sort()).toEqual([first.messageId, second.messageId].sort());
  expect(flagsIn(imap, "Warmup").filter((flag) => flag === "\\Flagged")).toHaveLength(1);
  expect(flagsIn(imap, "Warmup").filter((flag) => flag === "\\Seen")).toHaveLength(2);
  const mail = await mailNow(second.mail._id);
  expect(mail.engaged).toMatchObject({
    readAt: expect.any(Date),
    importantAt: expect.any(Date),
    filedAt: expect.any(Date),
    rescuedAt: null,
  });
  expect(mail.place?.folder).toBe("Warmup");
  expect((mail.engageAt?.getTime() ?? 0) - Date.now()).toBeGreaterThan(29 * DAY_MS);
  const [day] = await scoped(ann.workspaceId).WarmupDay.find({ mailboxId: ann._id });
  expect(day).toMatchObject({ engaged: 2, rescued: 0 });
});

test("a warmup email in Junk is rescued and read, which counts once, and the next treatment deletes the email from the warmup folder", async () => {
  const { imap, came, engage, ann } = await treating();
  const { mail, messageId } = await came("Junk");
  imap.change("Junk", imap.folder("Junk")[0]?.uid ?? 0, { flags: ["$Junk"] });
  await engage();
  await WarmupMail.updateOne({ _id: mail._id }, { $set: { engageAt: new Date() } });
  await engage();
  expect([idsIn(imap, "Junk"), idsIn(imap, "INBOX"), idsIn(imap, "Warmup")]).toEqual([[], [], []]);
  const { engaged } = await mailNow(mail._id);
  expect(engaged).toMatchObject({ rescuedAt: expect.any(Date), readAt: expect.any(Date) });
  const [day] = await scoped(ann.workspaceId).WarmupDay.find({ mailboxId: ann._id });
  expect(day).toMatchObject({ engaged: 1, rescued: 1 });
  expect(messageId).toMatch(/^</);
});

test("without a warmup folder a rescued email stays in the inbox with the keyword $NotJunk", async () => {
  const { imap, came, engage } = await treating({}, { folder: "" });
  const { messageId } = await came("Junk");
  imap.change("Junk", imap.folder("Junk")[0]?.uid ?? 0, { flags: ["$Junk"] });
  await engage();
  expect(idsIn(imap, "INBOX")).toEqual([messageId]);
  expect(flagsIn(imap, "INBOX")).toEqual(expect.arrayContaining(["\\Seen", "$NotJunk"]));
  expect(flagsIn(imap, "INBOX")).not.toContain("$Junk");
});

test("a Junk folder with a name in another language is found, and warmup emails are rescued from it", async () => {
  const junk = { named: "Courrier indésirable", onTheWire: "Courrier ind&AOk-sirable" };
  const { imap, came, engage } = await treating({ junkName: junk.onTheWire }, { folder: "" });
  const { messageId, mail } = await came(junk.onTheWire);
  await WarmupMail.updateOne({ _id: mail._id }, { $set: { "place.folder": junk.named } });
  await engage();
  expect(idsIn(imap, "INBOX")).toEqual([messageId]);
});

test("without MOVE emails are copied and deleted, and without UIDPLUS no email of the mailbox's owner is expunged", async () => {
  for (const without of [["MOVE"], ["MOVE", "UIDPLUS"]]) {
    const { imap, came, engage } = await treating({ without });
    imap.deliver("From: eve@x.test\r\nMessage-ID: <kept@x.test>\r\n\r\nKept\r\n");
    imap.change("INBOX", imap.folder("INBOX")[0]?.uid ?? 0, { flags: ["\\Deleted"] });
    const [one, two] = [await came(), await came("Junk")];
    await engage();
    expect([without, idsIn(imap, "Warmup").sort()]).toEqual([without, [one.messageId, two.messageId].sort()]);
    // The mail that its owner has marked is still there; without UIDPLUS ours lie beside it, marked too
    expect(idsIn(imap, "INBOX")).toContain("<kept@x.test>");
    if (without.includes("UIDPLUS"))
      expect(imap.folder("INBOX").every(({ flags }) => flags.includes("\\Deleted"))).toBe(true);
    else expect(idsIn(imap, "INBOX")).toEqual(["<kept@x.test>"]);
  }
});

test("on a server without keywords a warmup email is rescued and read without keywords", async () => {
  const { imap, came, engage } = await treating({ allowsKeywords: false }, { folder: "" });
  const { messageId } = await came("Junk");
  await engage();
  expect(idsIn(imap, "INBOX")).toEqual([messageId]);
  expect(flagsIn(imap, "INBOX")).toEqual(["\\Seen"]);
});

test("a warmup email that the server does not let out of Junk stays there and is tried again later", async () => {
  const { imap, came, engage } = await treating({ refuses: ["UID MOVE"] });
  const { mail, messageId } = await came("Junk");
  await engage();
  expect([idsIn(imap, "Junk"), idsIn(imap, "INBOX")]).toEqual([[messageId], []]);
  const { engaged, engageAt } = await mailNow(mail._id);
  expect([engaged.rescuedAt, engaged.readAt]).toEqual([null, null]);
  expect((engageAt?.getTime() ?? 0) - Date.now()).toBeGreaterThan(MINUTE_MS);
});

test("a warmup email that can be copied out of Junk but not deleted there is copied once", async () => {
  const { imap, came, engage } = await treating({ without: ["MOVE"], refuses: ["UID EXPUNGE"] });
  const { mail, messageId } = await came("Junk");
  for (let attempt = 0; attempt < 3; attempt++) {
    await engage();
    await WarmupMail.updateOne({ _id: mail._id, "engaged.filedAt": null }, { $set: { engageAt: new Date() } });
  }
  expect(idsIn(imap, "Warmup")).toEqual([messageId]);
  expect(await mailNow(mail._id)).toMatchObject({
    engaged: { rescuedAt: expect.any(Date), filedAt: expect.any(Date) },
  });
});

test("a warmup email that a person has moved, answered or deleted is left alone", async () => {
  const { imap, came, engage } = await treating();
  const [moved, answered, deleted] = [await came(), await came(), await came()];
  const uidOf = ({ messageId }: Planted) =>
    imap.folder("INBOX").find(({ raw }) => raw.toString().includes(messageId))?.uid ?? 0;
  imap.change("INBOX", uidOf(moved), { moveTo: "Archive" });
  imap.change("INBOX", uidOf(deleted), "delete");
  imap.change("INBOX", uidOf(answered), { flags: ["\\Answered"] });
  await engage();
  expect(idsIn(imap, "INBOX")).toEqual([answered.messageId]);
  expect(idsIn(imap, "Archive")).toEqual([moved.messageId]);
  expect(flagsIn(imap, "Archive")).toEqual([]);
  for (const { mail } of [moved, answered, deleted])
    expect(await mailNow(mail._id)).toMatchObject({ engageAt: null, engaged: { readAt: null } });
});

test("the next attempt completes the rescue or filing that an interrupted attempt began", async () => {
  const { imap, came, engage } = await treating();
  const [inInbox, inFolder] = [await came("Junk"), await came()];
  imap.change("Junk", imap.folder("Junk")[0]?.uid ?? 0, { moveTo: "INBOX" });
  await engage();
  // As if an attempt had filed the second and died before it could record that
  await WarmupMail.updateOne(
    { _id: inFolder.mail._id },
    {
      $set: {
        engageAt: new Date(),
        place: { folder: "INBOX", uidValidity: "", uid: 99 },
        engaged: { readAt: null, rescuedAt: null, importantAt: null, repliedAt: null, filedAt: null },
      },
    },
  );
  await engage();
  expect(await mailNow(inInbox.mail._id)).toMatchObject({
    engaged: { rescuedAt: expect.any(Date), filedAt: expect.any(Date) },
  });
  expect(await mailNow(inFolder.mail._id)).toMatchObject({
    engaged: { readAt: expect.any(Date), filedAt: expect.any(Date) },
    place: { folder: "Warmup" },
  });
  expect(idsIn(imap, "Warmup")).toHaveLength(2);
});

test("after 30 days a filed warmup email is deleted, and no other email in the folder", async () => {
  const { imap, came, engage } = await treating();
  const { mail } = await came();
  await engage();
  imap.deliver("From: eve@x.test\r\nMessage-ID: <own@x.test>\r\n\r\nOwn\r\n", "Warmup");
  await WarmupMail.updateOne({ _id: mail._id }, { $set: { engageAt: new Date() } });
  await engage();
  expect(idsIn(imap, "Warmup")).toEqual(["<own@x.test>"]);
  expect((await mailNow(mail._id)).engageAt).toBeNull();
});

test("deleting a filed warmup email is retried every few hours while the mailbox is unreachable", async () => {
  const { bob, came, engage } = await treating();
  const { mail } = await came();
  await engage();
  for (let days = 0; days < 4; days++) {
    await WarmupMail.updateOne({ _id: mail._id }, { $set: { engageAt: new Date() } });
    await postpone(await loadDue(bob._id, new Date()));
    expect(((await mailNow(mail._id)).engageAt?.getTime() ?? 0) - Date.now()).toBeGreaterThan(3 * HOUR_MS);
  }
});

test("the copy of a warmup email in Sent is filed too, and deleted after 30 days", async () => {
  const { imap, bob, ann, engage } = await treating();
  const { mail, messageId, subject } = await plant(bob, ann);
  imap.deliver(
    rawMail({ From: bob.email, To: ann.email, Subject: subject, "Message-ID": messageId }).replaceAll("\n", "\r\n"),
    "Sent",
  );
  const sentCopy = { folder: "Sent", uidValidity: "", uid: imap.folder("Sent")[0]?.uid ?? 0 };
  await WarmupMail.updateOne({ _id: mail._id }, { $set: { sentCopy, tidyAt: new Date() } });
  await engage();
  expect([idsIn(imap, "Sent"), idsIn(imap, "Warmup")]).toEqual([[], [messageId]]);
  const { tidyAt } = await mailNow(mail._id);
  expect((tidyAt?.getTime() ?? 0) - Date.now()).toBeGreaterThan(29 * DAY_MS);
  await WarmupMail.updateOne({ _id: mail._id }, { $set: { tidyAt: new Date() } });
  await engage();
  expect([idsIn(imap, "Warmup"), (await mailNow(mail._id)).tidyAt]).toEqual([[], null]);
});

test("a user can have all warmup emails flagged or rescued from Junk immediately, filed emails included", async () => {
  const { imap, came, engage, bob } = await treating({}, { spamRescueRate: 0 });
  const filed = await came();
  await engage();
  const junk = await came("Junk", { wish: { rescue: false, important: false, answer: false } });
  await engage();
  expect(idsIn(imap, "Junk")).toEqual([junk.messageId]);
  await askTreatment(bob.workspaceId, bob._id, "important");
  await askTreatment(bob.workspaceId, bob._id, "rescue");
  await engage();
  expect(idsIn(imap, "Junk")).toEqual([]);
  expect(idsIn(imap, "Warmup").sort()).toEqual([filed.messageId, junk.messageId].sort());
  expect(imap.folder("Warmup").every(({ flags }) => flags.includes("\\Flagged"))).toBe(true);
});
