import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { pino } from "pino";
import { createOpenApi } from "../../activities/inbox/api-access.ts";
import { createLogins } from "../../activities/mailboxes/logins.ts";
import { engageMailbox } from "../../activities/warmup/engage.ts";
import { openToTreat } from "../../activities/warmup/open-mailbox.ts";
import { createEgress } from "../../connectors/net/connect.ts";
import type { Egress } from "../../connectors/net/egress.ts";
import { parseAllow } from "../../domain/access/allowed-hosts.ts";
import { DEFAULT_CONFIG } from "../../domain/warmup/enrolment.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { WarmupMail } from "../../models/warmup/warmup-mail.ts";
import { askTreatment } from "../../store/warmup/engagements.ts";
import { loadGround } from "../../store/warmup/ground.ts";
import { answerWith } from "../fakes/gmail/faults.ts";
import { badGateway } from "../fakes/gmail/refusals.ts";
import { type FakeGmail, startGmail } from "../fakes/gmail/server.ts";
import { type FakeGraph, startGraph } from "../fakes/graph/server.ts";
import { startWorld, type World } from "../support/world.ts";
import { enrolled, mailNow, type Planted, plant, rawMail } from "../warmup/planted.ts";
import { HASTY } from "../warmup/warmup-world.ts";
import { APIS, type Api, apiMailboxIn, providersAt } from "./api-world.ts";

const OWNER: Readonly<Record<Api, string>> = { GMAIL_API: "ann@a.test", GRAPH: "gina@g.test" };
const FOLDERS = { INBOX: "inbox", Junk: "junkemail", Archive: "archive", Sent: "sentitems" } as const;

let world: World;
let egress: Egress;
let gmail: FakeGmail;
let graph: FakeGraph;
let partner: Mailbox;
const owners = new Map<Api, Mailbox>();

beforeAll(async () => {
  gmail = await startGmail({ knows: (token) => (token === OWNER.GMAIL_API ? token : null) });
  graph = await startGraph({ mailboxes: [{ address: OWNER.GRAPH }], knows: (token) => ({ address: token }) });
  world = await startWorld();
  egress = createEgress({ allow: parseAllow("localhost:*,127.0.0.1:*"), ownAddresses: [], dnsServers: [] });
  partner = await enrolled(world, "bob@b.test");
  for (const api of APIS) {
    const { workspaceId } = await world.workspace();
    const _id = await apiMailboxIn(world, workspaceId, api, OWNER[api]);
    const { Mailbox, WarmupEnrolment } = scoped(workspaceId);
    const pools = [{ type: "SHARED", share: 1 }];
    await WarmupEnrolment.insert({ _id, email: OWNER[api], config: DEFAULT_CONFIG, pools, startedAt: new Date() });
    const mailbox = await Mailbox.get(_id);
    if (mailbox !== null) owners.set(api, mailbox);
  }
}, 60_000);
afterAll(async () => {
  await egress.close();
  await world.close();
  await Promise.all([gmail.close(), graph.close()]);
});

function ownerOf(api: Api): Mailbox {
  const mailbox = owners.get(api);
  if (mailbox === undefined) throw new Error(`No mailbox at ${api}`);
  return mailbox;
}

/** The mailbox does what is due. */
async function engage(api: Api): Promise<void> {
  const { workspaceId, _id } = ownerOf(api);
  const { keyRing } = world.services;
  const deps = { egress, keyRing, providers: providersAt(gmail, graph), log: pino({ level: "silent" }) };
  const openApi = createOpenApi({ ...deps, logins: createLogins(deps) });
  const noImap = () => Promise.reject(new Error("A mailbox at an API is not opened by IMAP"));
  const ground = await loadGround(workspaceId, _id);
  if (ground !== null) await engageMailbox(openToTreat(noImap, openApi), ground, HASTY);
}

const hasNo = { rescue: false, important: false, answer: false };

/** A partner's email that came to the mailbox and is due. `id`: the provider's. */
async function came(
  api: Api,
  folder: "INBOX" | "Junk" | "Archive" = "INBOX",
  more: Partial<WarmupMail> = {},
): Promise<Planted & { id: string }> {
  const planted = await plant(partner, ownerOf(api));
  const id = await putInto(api, folder, planted);
  const isJunk = folder === "Junk";
  const landed = { folder: isJunk ? ("SPAM" as const) : ("INBOX" as const), provider: "SMTP" as const, at: new Date() };
  const wish = { ...hasNo, rescue: isJunk };
  const place = { folder, uidValidity: id, uid: 1 };
  const due = { state: "SENT" as const, landed, wish, place, engageAt: new Date(), ...more };
  await WarmupMail.updateOne({ _id: planted.mail._id }, { $set: due });
  return { ...planted, id };
}

async function putInto(api: Api, folder: keyof typeof FOLDERS, { messageId, subject }: Planted): Promise<string> {
  const ends = folder === "Sent" ? { From: OWNER[api], To: partner.email } : { From: partner.email, To: OWNER[api] };
  const raw = Buffer.from(rawMail({ ...ends, Subject: subject, "Message-ID": messageId }).replaceAll("\n", "\r\n"));
  if (api === "GMAIL_API") {
    const labelIds = { INBOX: ["INBOX", "UNREAD"], Junk: ["SPAM", "UNREAD"], Archive: ["UNREAD"], Sent: ["SENT"] }[
      folder
    ];
    return gmail.mailbox(OWNER[api]).receive(raw, { labelIds }).id;
  }
  const isReceived = folder !== "Sent";
  const item = await graph.mailbox(OWNER[api]).add({ folder: FOLDERS[folder], raw, isReceived, isRead: !isReceived });
  return item.immutableId;
}

/** Where an email is and how its reader sees it: the folder or the label, and its marks. */
function stateOf(api: Api, id: string): string {
  if (api === "GMAIL_API") {
    const { labels, messages } = gmail.mailbox(OWNER[api]);
    return (messages.get(id)?.labelIds ?? ["gone"])
      .map((label) => labels.get(label) ?? label)
      .toSorted()
      .join(" ");
  }
  const { folders, items } = graph.mailbox(OWNER[api]);
  const item = items.get(id);
  const folder = folders.find((each) => each.id === item?.folderId)?.displayName ?? "gone";
  return `${folder} ${item?.isRead ? "read" : "unread"} ${item?.flagStatus}`;
}

const moveToTrash = (api: Api, id: string) => {
  if (api === "GMAIL_API") gmail.mailbox(OWNER[api]).relabel(id, { addLabelIds: ["TRASH"], removeLabelIds: ["INBOX"] });
  else {
    const mailbox = graph.mailbox(OWNER[api]);
    const item = mailbox.items.get(id);
    if (item !== undefined) mailbox.move(item, mailbox.idOf("deleteditems"));
  }
};

test.each(APIS)(
  "over %s an email is read, flagged if important, and filed; one in spam is rescued first",
  async (api) => {
    const plain = await came(api);
    const important = await came(api, "INBOX", { wish: { ...hasNo, important: true } });
    const junk = await came(api, "Junk");
    const stays = await came(api, "Junk", { wish: hasNo });
    await engage(api);
    const states = [plain, important, junk, stays].map(({ id }) => stateOf(api, id));
    expect(states).toEqual(
      api === "GMAIL_API"
        ? ["Warmup", "STARRED Warmup", "IMPORTANT Warmup", "SPAM UNREAD"]
        : ["Warmup read notFlagged", "Warmup read flagged", "Warmup read notFlagged", "Junk Email unread notFlagged"],
    );
    expect((await mailNow(junk.mail._id)).engaged).toMatchObject({
      readAt: expect.any(Date),
      rescuedAt: expect.any(Date),
      filedAt: expect.any(Date),
    });
    // A person asks for the rest
    await askTreatment(ownerOf(api).workspaceId, ownerOf(api)._id, "rescue");
    await engage(api);
    expect(stateOf(api, stays.id)).toContain("Warmup");
  },
);

test.each(APIS)("over %s an email that its owner has answered, deleted or moved is left alone", async (api) => {
  const [answered, deleted, moved] = [await came(api), await came(api, "Archive"), await came(api)];
  if (api === "GMAIL_API") {
    const mailbox = gmail.mailbox(OWNER[api]);
    const { threadId } = mailbox.message(answered.id);
    const raw = Buffer.from(rawMail({ From: OWNER[api], To: partner.email, Subject: `Re: ${answered.subject}` }));
    mailbox.add(raw, { threadId, labelIds: ["SENT"], at: Date.now() + 1_000 });
    mailbox.relabel(moved.id, { removeLabelIds: ["INBOX"] });
  } else {
    const mailbox = graph.mailbox(OWNER[api]);
    const [reply, away] = [answered, moved].map(({ id }) => mailbox.items.get(id));
    if (reply !== undefined) reply.lastVerb = 102;
    if (away !== undefined) mailbox.move(away, mailbox.idOf("archive"));
  }
  moveToTrash(api, deleted.id);
  const before = [answered, deleted, moved].map(({ id }) => stateOf(api, id));
  await engage(api);
  expect([answered, deleted, moved].map(({ id }) => stateOf(api, id))).toEqual(before);
  for (const { mail } of [answered, deleted, moved])
    expect(await mailNow(mail._id)).toMatchObject({ engageAt: null, engaged: { readAt: null } });
});

test.each(APIS)("over %s the next attempt completes what an interrupted one began", async (api) => {
  await came(api);
  // The warmup folder exists from here on
  await engage(api);
  const [junk, plain] = [await came(api, "Junk"), await came(api)];
  // One attempt ends when the first email has left spam, and another one had filed the second email
  if (api === "GMAIL_API") {
    const mailbox = gmail.mailbox(OWNER[api]);
    const label = [...mailbox.labels].find(([, name]) => name === "Warmup")?.[0] ?? "";
    mailbox.relabel(plain.id, { addLabelIds: [label], removeLabelIds: ["INBOX", "UNREAD"] });
    gmail.fault("labels.list", answerWith(badGateway));
  } else {
    const mailbox = graph.mailbox(OWNER[api]);
    const folder = mailbox.folders.find(({ displayName }) => displayName === "Warmup");
    const item = mailbox.items.get(plain.id);
    if (item !== undefined) mailbox.move(item, folder?.id ?? "");
    graph.fault({ on: "move", answer: "lost", after: true });
  }
  await expect(engage(api)).rejects.toMatchObject({ code: "CONNECT_FAILED" });
  expect(stateOf(api, junk.id)).toMatch(/inbox/i);
  await engage(api);
  for (const { id, mail } of [junk, plain]) {
    expect(stateOf(api, id)).toContain("Warmup");
    expect((await mailNow(mail._id)).engaged.readAt).toEqual(expect.any(Date));
  }
  expect((await mailNow(junk.mail._id)).engaged.rescuedAt).toEqual(expect.any(Date));
});

test.each(APIS)("over %s a filed email is moved to the bin after 30 days, and the copy in Sent too", async (api) => {
  const got = await came(api);
  const own = await plant(ownerOf(api), partner);
  const copyId = await putInto(api, "Sent", own);
  const sentCopy = { folder: "Sent", uidValidity: copyId, uid: 1 };
  await WarmupMail.updateOne({ _id: own.mail._id }, { $set: { sentCopy, tidyAt: new Date() } });
  await engage(api);
  expect([stateOf(api, got.id), stateOf(api, copyId)].every((state) => state.includes("Warmup"))).toBe(true);
  await WarmupMail.updateOne({ _id: got.mail._id }, { $set: { engageAt: new Date() } });
  await WarmupMail.updateOne({ _id: own.mail._id }, { $set: { tidyAt: new Date() } });
  await engage(api);
  const bin = api === "GMAIL_API" ? "TRASH" : "Deleted Items";
  for (const id of [got.id, copyId]) expect(stateOf(api, id)).toContain(bin);
  expect([(await mailNow(got.mail._id)).engageAt, (await mailNow(own.mail._id)).tidyAt]).toEqual([null, null]);
});

test.each(APIS)("over %s an email that was read by IMAP before is found by its Message-ID", async (api) => {
  const { id } = await came(api, "INBOX", { place: { folder: "INBOX", uidValidity: "7", uid: 12 } });
  await engage(api);
  expect(stateOf(api, id)).toContain("Warmup");
});

test.each(APIS)("over %s an email stays where it is if the warmup folder has no name", async (api) => {
  const { workspaceId, _id } = ownerOf(api);
  const { WarmupEnrolment } = scoped(workspaceId);
  await WarmupEnrolment.updateOne({ _id }, { $set: { "config.folder": "" } });
  const { id } = await came(api, "Junk");
  await engage(api);
  await WarmupEnrolment.updateOne({ _id }, { $set: { "config.folder": "Warmup" } });
  expect(stateOf(api, id)).toBe(api === "GMAIL_API" ? "IMPORTANT INBOX" : "Inbox read notFlagged");
});
