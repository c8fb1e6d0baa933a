import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type ParsedMail, simpleParser } from "mailparser";
import { Workspace } from "../../models/access/workspace.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { MAIL_DEADLINE, until } from "../fakes/wait.ts";
import { type SendingWorld, startSendingWorld } from "../sending/sending-world.ts";

const NOW = { value: 0, unit: "MINUTES" };
const TARGET = "https://www.shop.test/a%20b?q=é&x=1#top";
const HTML = [
  '<p>Hello, <a href="https://www.shop.test/a%20b?q=é&amp;x=1#top">shop</a>, <a href="https://other.test/">other</a>,',
  '<a href="ftp://files.test/">files</a>, <a href="{{unsubscribeLink}}">no more</a></p>',
].join("\n");
const TRACKED = { trackOpens: true, trackClicks: true, conversionDomains: ["shop.test"], unsubscribeLink: true };

let sending: SendingWorld;
beforeAll(async () => {
  sending = await startSendingWorld();
}, 90_000);
afterAll(() => sending.close(), 30_000);

const VERIFIED = {
  status: "VERIFIED",
  expectedCname: "localhost",
  checkedAt: new Date(),
  error: null,
  failedChecks: 0,
} as const;

/** Gives both mailboxes a domain, or none, and the workspace another one. */
async function domains(own: object | null, shared: object | null): Promise<void> {
  await scoped(sending.workspaceId).Mailbox.updateMany(
    { _id: trusted({ $gt: "" }) },
    { $set: { trackingDomain: own } },
  );
  await Workspace.updateOne({ _id: sending.workspaceId }, { $set: { trackingDomain: shared } });
}

interface Received {
  to: string;
  mail: ParsedMail;
  html: string;
  cid: string;
}

async function received(email: string, settings: object, more: object = {}): Promise<Received> {
  const steps = [{ subject: "Hello", body: HTML, delay: NOW, ...more }];
  const path = await sending.campaign([email], steps, { settings });
  await sending.launch(path);
  await until(() => sending.mailsTo(email).length > 0, { ...MAIL_DEADLINE, what: "the mail" });
  const [sent] = sending.mailsTo(email);
  const mail = await simpleParser(sent?.raw ?? "");
  const recipient = await scoped(sending.workspaceId).Recipient.findOne({ email });
  return { to: email, mail, html: mail.html || "", cid: recipient?.cid ?? "" };
}

/**
 * The first of several emails that is as asked: a worker reads a workspace every few seconds, and may not know its
 * changes yet.
 */
async function receivedSo(name: string, settings: object, isMeant: (one: Received) => boolean): Promise<Received> {
  let tries = 0;
  const next = async () => {
    const one = await received(`${name}${++tries}@people.test`, settings);
    return isMeant(one) ? one : null;
  };
  const found = await until(next, { ...MAIL_DEADLINE, what: `a mail to ${name} as it is meant` });
  if (found === null) throw new Error("until returns what it found");
  return found;
}

const sendTo = (to: string) => scoped(sending.workspaceId).Send.findOne({ to });
const hrefsIn = (html: string) =>
  [...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, url = ""]) => url.replaceAll("&amp;", "&"));
/** The tracking domain is no name on this machine: its requests go to the service itself. */
const follow = (url: string) =>
  fetch(url.replace(/^http:\/\/t\.a\.test:3000/, sending.world.baseUrl), { redirect: "manual" });

test("with a verified tracking domain, links and pixel use that domain, redirect to the original targets and identify email and link", async () => {
  await domains({ ...VERIFIED, domain: "t.a.test" }, null);
  const { mail, html, cid } = await received("tracked@people.test", TRACKED);
  const [shop = "", other = "", files, unsubscribe = "", pixel = "", ...more] = hrefsIn(html);
  expect([shop, other, pixel].map((url) => url.replace(/[^/]+$/, ""))).toEqual([
    "http://t.a.test:3000/t/c/",
    "http://t.a.test:3000/t/c/",
    "http://t.a.test:3000/t/o/",
  ]);
  expect([files, more]).toEqual(["ftp://files.test/", []]);
  expect(unsubscribe).toMatch(/^http:\/\/t\.a\.test:3000\/u\/v1\./);
  expect(mail.headers.get("list")).toMatchObject({ unsubscribe: { url: unsubscribe } });
  // The text part has the author's words as they are, and no address that is ours but the one to unsubscribe
  expect(mail.text).toContain(`shop (${TARGET})`);
  expect(mail.text).not.toContain("/t/");

  const send = await sendTo("tracked@people.test");
  const target = `https://www.shop.test/a%20b?q=é&x=1&svc=${cid}#top`;
  expect(send?.tracking).toEqual({
    opens: true,
    clicks: true,
    links: [
      { url: target, converts: true },
      { url: "https://other.test/", converts: false },
    ],
  });
  // Readers of the thread see what was written
  expect(send?.content?.html).toContain('href="https://www.shop.test/a%20b?q=é&amp;x=1#top"');
  expect(send?.content?.html).not.toContain("/t/");

  const answers = [await follow(shop), await follow(other), await follow(pixel)];
  expect(answers.map(({ status, headers }) => [status, headers.get("location")])).toEqual([
    [302, target.replace("é", "%C3%A9")],
    [302, "https://other.test/"],
    [200, null],
  ]);
  const hits = () => scoped(sending.workspaceId).Hit.find({ sendId: send?._id ?? "" });
  await until(async () => (await hits()).length === 3, { ...MAIL_DEADLINE, what: "three hits" });
  const named = (await hits()).map(({ kind, linkIndex }) => `${kind} ${linkIndex}`);
  expect(named.sort()).toEqual(["CLICK 0", "CLICK 1", "OPEN null"]);
});

test("if the workspace enables the invisible link, tracked emails contain that link, and following the link is not stored as a click", async () => {
  await domains({ ...VERIFIED, domain: "t.a.test" }, null);
  const { rest } = sending;
  const set = (honeypotLink: boolean) => rest.post("/workspace", { action: "update", patch: { honeypotLink } });
  expect(await set(true)).toMatchObject({ status: 200, body: { honeypotLink: true } });
  const { mail, html, to } = await receivedSo("trapped", TRACKED, (one) => one.html.includes("aria-hidden"));
  await received("open@people.test", {});
  expect(await set(false)).toMatchObject({ status: 200, body: { honeypotLink: false } });
  const [, hidden = "", then] = /<a href="([^"]*)" aria-hidden="true" tabindex="-1"><\/a>(<img )?/.exec(html) ?? [];
  expect(hidden).toMatch(/^http:\/\/t\.a\.test:3000\/t\/c\/v1\./);
  expect(then).toBe("<img ");
  expect(mail.text).not.toContain("/t/");
  const send = await sendTo(to);
  expect(send?.tracking).toMatchObject({ hiddenLink: true });
  expect(send?.content?.html).not.toContain("aria-hidden");
  expect((await sendTo("open@people.test"))?.tracking).toBeNull();
  expect(await follow(hidden)).toMatchObject({ status: 200, redirected: false });
  const hits = () => scoped(sending.workspaceId).Hit.find({ sendId: send?._id ?? "" });
  await until(async () => (await hits()).length === 1, { ...MAIL_DEADLINE, what: "its hit" });
  expect(await hits()).toMatchObject([{ kind: "HIDDEN", linkIndex: null }]);
});

test("the workspace's tracking domain is used for mailboxes with the same registrable domain, and for no others", async () => {
  await domains(null, { ...VERIFIED, domain: "go.a.test" });
  const isOurs = ({ mail }: Received) => mail.from?.value[0]?.address === "ann@a.test";
  const isUnderIt = ({ html }: Received) => html.includes("http://go.a.test:3000/t/c/");
  const shared = await receivedSo("shared", TRACKED, (one) => isUnderIt(one) === isOurs(one));
  expect((await sendTo(shared.to))?.tracking === null).toBe(!isOurs(shared));
});

test("without a verified tracking domain an email is sent untracked, and links that feed conversions carry the cid themselves", async () => {
  await domains({ ...VERIFIED, status: "FAILED", domain: "t.a.test" }, { ...VERIFIED, domain: "t.elsewhere.test" });
  const { to, mail, html, cid } = await receivedSo("untracked", TRACKED, (one) => !one.html.includes("/t/c/"));
  expect(html).toContain(`<a href="https://www.shop.test/a%20b?q=é&amp;x=1&amp;svc=${cid}#top">shop</a>`);
  expect(html).toContain('<a href="https://other.test/">other</a>');
  expect(html).not.toMatch(/\/t\/[oc]\/|<img/);
  expect(mail.text).toContain(`shop (${TARGET})`);
  expect((await sendTo(to))?.tracking).toBeNull();
  await domains({ ...VERIFIED, domain: "t.a.test" }, null);
  const plain = await received("plain@people.test", { ...TRACKED, textOnly: true });
  expect([plain.mail.html, (await sendTo("plain@people.test"))?.tracking]).toEqual([false, null]);
  expect(plain.mail.text).toContain(`https://www.shop.test/a%20b?q=é&x=1&svc=${plain.cid}#top`);
});

test("a campaign without tracking sends emails without pixel or tracked links, also under a verified domain", async () => {
  await domains({ ...VERIFIED, domain: "t.a.test" }, null);
  const { html } = await received("quiet@people.test", {});
  expect(html).not.toMatch(/\/t\/[oc]\/|<img|svc=/);
  expect((await sendTo("quiet@people.test"))?.tracking).toBeNull();
});

test("test emails, previews and approvals show the original links", async () => {
  await domains({ ...VERIFIED, domain: "t.a.test" }, null);
  const { rest } = sending;
  const path = await sending.campaign(["asked@people.test"], [{ subject: "Hello", body: HTML, delay: NOW }], {
    settings: { ...TRACKED, approvalMode: "ALL" },
  });
  const preview = await rest.post(`${path}/sequence/preview`, {});
  expect(preview.body.html).toContain('href="https://www.shop.test/a%20b?q=é&amp;x=1#top"');
  expect(preview.body.html).not.toMatch(/\/t\/[oc]\/|svc=/);
  expect(await rest.post(`${path}/test-send`, { toEmail: "me@a.test" })).toMatchObject({ status: 200 });
  const [test] = sending.mailsTo("me@a.test");
  const parsed = await simpleParser(test?.raw ?? "");
  expect(parsed.html).toContain("https://www.shop.test/a%20b?q=");
  expect(parsed.html).not.toMatch(/\/t\/[oc]\/|svc=|<img/);
  expect((await sendTo("me@a.test"))?.tracking).toBeNull();

  await sending.launch(path);
  const waiting = async () => (await rest.get("/approvals?status=PENDING")).body.items?.[0];
  await until(async () => (await waiting()) !== undefined, { ...MAIL_DEADLINE, what: "the question" });
  const { id } = await waiting();
  // The text was approved: the approval holds even if the domain fails before the email leaves
  await domains(null, null);
  expect(await rest.post(`/approvals/${id}`, { action: "approve" })).toMatchObject({ status: 200 });
  await until(() => sending.mailsTo("asked@people.test").length > 0, { ...MAIL_DEADLINE, what: "the mail" });
  const mail = await simpleParser(sending.mailsTo("asked@people.test")[0]?.raw ?? "");
  expect(mail.html).toContain('<a href="https://other.test/">other</a>');
});
