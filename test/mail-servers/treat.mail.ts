import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import { engageMailbox } from "../../activities/warmup/engage.ts";
import { treatOverImap } from "../../activities/warmup/imap-mailbox.ts";
import { logout, openImap } from "../../connectors/imap/connection.ts";
import { watchedFolders } from "../../connectors/imap/folders.ts";
import { createEgress } from "../../connectors/net/connect.ts";
import type { Egress } from "../../connectors/net/egress.ts";
import { parseAllow } from "../../domain/access/allowed-hosts.ts";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import type { WarmupConfig } from "../../domain/warmup/enrolment.ts";
import { freePort } from "../../embedded/ports.ts";
import { WarmupMail } from "../../models/warmup/warmup-mail.ts";
import { loadGround } from "../../store/warmup/ground.ts";
import { type Certificate, makeCertificate } from "../fakes/certificate.ts";
import { startWorld, type World } from "../support/world.ts";
import { enrolled, mailNow, plant, rawMail } from "../warmup/planted.ts";
import { HASTY } from "../warmup/warmup-world.ts";
import { type DovecotOptions, startDovecot } from "./dovecot.ts";
import { makeGround } from "./ground.ts";

const BOB = "bob@b.test";
const PASSWORD = "mail-servers";
let world: World;
let certificate: Certificate;
let egress: Egress & { close(): Promise<void> };
const ends: (() => Promise<void>)[] = [];

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
  for (const end of ends.splice(0)) await end();
});
afterAll(async () => {
  await egress.close();
  await world.close();
});

/** Bob with a Dovecot of his own, and Ann who wrote to him. */
async function treating(options: Partial<DovecotOptions> = {}, config: Partial<WarmupConfig> = {}) {
  const [ann, bob] = [await enrolled(world, "ann@a.test"), await enrolled(world, BOB, config)];
  const ground = await makeGround({ certificate, password: PASSWORD });
  const dovecot = await startDovecot({ ...ground, port: await freePort(), ...options });
  ends.push(async () => {
    await dovecot.stop();
    await ground.remove();
  });
  const server = { host: "localhost", port: dovecot.port, security: "SSL_TLS" as const };
  const open = () => openImap(egress, server, { user: BOB, password: PASSWORD });
  return {
    async can(capability: string) {
      const client = await open();
      const { capabilities } = client;
      logout(client);
      return capabilities.has(capability);
    },
    async foldersSeen() {
      const client = await open();
      const folders = await watchedFolders(client);
      logout(client);
      return folders;
    },
    /** An email of Ann's lies in a folder and is due; its id, and its Message-ID. */
    async came(folder: string, isJunk: boolean): Promise<{ id: string; messageId: string }> {
      const { mail, messageId, subject } = await plant(ann, bob);
      const raw = rawMail({ From: ann.email, To: BOB, Subject: subject, "Message-ID": messageId });
      await dovecot.save(BOB, folder, raw.replaceAll("\n", "\r\n"));
      const landed = {
        folder: isJunk ? ("SPAM" as const) : ("INBOX" as const),
        provider: "SMTP" as const,
        at: new Date(),
      };
      const wish = { rescue: isJunk, important: true, answer: false };
      const place = { folder, uidValidity: "", uid: 0 };
      await WarmupMail.updateOne(
        { _id: mail._id },
        { $set: { state: "SENT", landed, wish, place, engageAt: new Date() } },
      );
      return { id: mail._id, messageId };
    },
    async engage() {
      const loaded = await loadGround(bob.workspaceId, bob._id);
      if (loaded !== null) await engageMailbox(async () => treatOverImap(await open()), loaded, HASTY);
    },
    save: (folder: string, raw: string) => dovecot.save(BOB, folder, raw),
    /** The emails of a folder, and the flags and keywords that all of them have. */
    async inFolder(folder: string) {
      const mails = (await dovecot.mails(BOB, folder)) ?? [];
      const [first] = mails;
      const flags = first?.flags.filter((flag) => mails.every((mail) => mail.flags.includes(flag))) ?? [];
      return { ids: mails.map(({ messageId }) => messageId).sort(), flags };
    },
  };
}

const TREATED = { readAt: expect.any(Date), filedAt: expect.any(Date), importantAt: expect.any(Date) };
const nothing = { ids: [], flags: [] };

test("Junk in another language is known by its use: mail is taken out of it, marked as no junk, read and filed", async () => {
  const junk = "Unerwünschte Werbung";
  const { foldersSeen, came, engage, inFolder } = await treating({ junk });
  expect(await foldersSeen()).toContainEqual({ path: junk, use: "JUNK" });
  const [inJunk, inInbox] = [await came(junk, true), await came("INBOX", false)];
  await engage();
  expect([await inFolder(junk), await inFolder("INBOX")]).toEqual([nothing, nothing]);
  const put = await inFolder("Warmup");
  expect(put.ids).toEqual([inJunk.messageId, inInbox.messageId].sort());
  expect(put.flags).toEqual(expect.arrayContaining(["\\Seen", "\\Flagged"]));
  expect(await mailNow(inJunk.id)).toMatchObject({
    engaged: { ...TREATED, rescuedAt: expect.any(Date) },
    place: { folder: "Warmup" },
  });
  expect(await mailNow(inInbox.id)).toMatchObject({ engaged: { ...TREATED, rescuedAt: null } });
});

test("where there is no Junk, mail in the inbox is read and filed all the same", async () => {
  const { foldersSeen, came, engage, inFolder } = await treating({ junk: null });
  expect((await foldersSeen()).map(({ use }) => use)).toEqual(["INBOX", "SENT", "ARCHIVE"]);
  const { messageId } = await came("INBOX", false);
  await engage();
  expect([(await inFolder("INBOX")).ids, (await inFolder("Warmup")).ids]).toEqual([[], [messageId]]);
});

test("where all folders lie below the inbox, the warmup folder is made there and found again", async () => {
  const { foldersSeen, came, engage, inFolder } = await treating({ prefix: "INBOX." });
  expect(await foldersSeen()).toContainEqual({ path: "INBOX.Junk", use: "JUNK" });
  const first = await came("INBOX.Junk", true);
  await engage();
  const second = await came("INBOX", false);
  await engage();
  expect((await inFolder("INBOX.Warmup")).ids).toEqual([first.messageId, second.messageId].sort());
  expect((await inFolder("INBOX.Warmup")).flags).toContain("\\Seen");
  expect(await mailNow(second.id)).toMatchObject({ place: { folder: "INBOX.Warmup" } });
});

test("a warmup folder whose name the server divides is made as the server likes it, and found again", async () => {
  const { came, engage, inFolder } = await treating({ prefix: "INBOX." }, { folder: "Post.Übung" });
  const first = await came("INBOX", false);
  await engage();
  const second = await came("INBOX", false);
  await engage();
  expect((await inFolder("INBOX.Post.Übung")).ids).toEqual([first.messageId, second.messageId].sort());
});

const ABLE = "IMAP4rev1 LITERAL+ SASL-IR LOGIN-REFERRALS ID ENABLE IDLE NAMESPACE SPECIAL-USE LIST-EXTENDED";
test.each([
  ["MOVE", `${ABLE} UIDPLUS`],
  ["MOVE and UIDPLUS", ABLE],
])("a server without %s copies and removes, and expunges nothing of its owner's", async (_, capability) => {
  const { can, came, engage, inFolder, save } = await treating({ capability });
  expect(await can("MOVE")).toBe(false);
  const [inJunk, inInbox] = [await came("Junk", true), await came("INBOX", false)];
  await save("INBOX", rawMail({ From: "eve@x.test", "Message-ID": "<kept@x.test>" }));
  await engage();
  expect((await inFolder("INBOX")).ids).toEqual(["<kept@x.test>"]);
  expect((await inFolder("Junk")).ids).toEqual([]);
  expect((await inFolder("Warmup")).ids).toEqual([inJunk.messageId, inInbox.messageId].sort());
});

test("the mark that an email is no junk stays with it where it lies in the end", async () => {
  const { came, engage, inFolder } = await treating({}, { folder: "" });
  const { messageId } = await came("Junk", true);
  await engage();
  const { ids, flags } = await inFolder("INBOX");
  expect([ids, flags.filter((flag) => /junk/i.test(flag))]).toEqual([[messageId], ["$NotJunk"]]);
});

test("an email that the server lets no one move out of Junk is left there, and tried again later", async () => {
  const { came, engage, inFolder } = await treating({ guarded: "Junk" });
  const { id, messageId } = await came("Junk", true);
  await engage();
  expect((await inFolder("Junk")).ids).toEqual([messageId]);
  const { engageAt, engaged } = await mailNow(id);
  expect(engaged.readAt).toBeNull();
  expect((engageAt?.getTime() ?? 0) - Date.now()).toBeGreaterThan(MINUTE_MS);
});

test("an email that can be copied out of Junk but not removed from it is copied once", async () => {
  const { came, engage, inFolder } = await treating({ guarded: "Junk", capability: `${ABLE} UIDPLUS` });
  const { id, messageId } = await came("Junk", true);
  for (let attempt = 0; attempt < 3; attempt++) {
    await engage();
    await WarmupMail.updateOne({ _id: id, "engaged.filedAt": null }, { $set: { engageAt: new Date() } });
  }
  const lying = await Promise.all(["Junk", "INBOX", "Warmup"].map(async (folder) => (await inFolder(folder)).ids));
  expect(lying).toEqual([[messageId], [], [messageId]]);
  expect(await mailNow(id)).toMatchObject({ engaged: { ...TREATED, rescuedAt: expect.any(Date) } });
});
