import { createServer, type Server } from "node:http";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import SMTPConnection from "nodemailer/lib/smtp-connection/index.js";
import { type Sandbox, startSandbox } from "./sandbox.ts";
import { until } from "./wait.ts";

const mailbox = "ann@a.test";
let sandbox: Sandbox;
let site: Server;
let origin: string;
const posts: string[] = [];

beforeEach(async () => {
  posts.length = 0;
  site = createServer((request, response) => {
    posts.push(`${request.method} ${request.url}`);
    // the first attempt meets a service that is just starting
    response.writeHead(posts.length === 1 ? 503 : 200).end();
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  const address = site.address();
  origin = typeof address === "object" && address ? `http://127.0.0.1:${address.port}` : "";
  sandbox = await startSandbox({
    mailboxes: [mailbox, "zoe@a.test"],
    unsubscribeOrigin: origin,
    reactionMs: { min: 1, max: 20 },
    replyText: (person) => `Yes, ${person} would like to.`,
  });
});

afterEach(async () => {
  await sandbox.close();
  site.closeAllConnections();
  await new Promise((resolve) => site.close(resolve));
});

/** Sends one mail over a new connection, and returns what the client makes of it. */
async function send(to: string, id = to): Promise<string> {
  const client = new SMTPConnection({
    host: "127.0.0.1",
    port: sandbox.smtpPort,
    secure: true,
    tls: { ca: sandbox.certificate.cert, servername: "localhost" },
  });
  const mail = `From: ${mailbox}\r\nTo: ${to}\r\nSubject: Hello\r\nMessage-ID: <${id}>\r\nX-Mail-Ref: ref-${id}\r\nList-Unsubscribe: <https://track.test/u/${id}?a=1>, <mailto:${mailbox}>\r\n\r\nHello\r\n`;
  return new Promise<string>((resolve) => {
    client.once("error", (lost) => resolve(lost.message));
    client.connect(() =>
      client.login({ credentials: { user: mailbox, pass: sandbox.password } }, () =>
        client.send({ from: mailbox, to }, mail, (failed, info) => resolve(failed ? failed.message : info.response)),
      ),
    );
  }).finally(() => client.close());
}

async function inbox(of: string, count: number): Promise<string[]> {
  await until(() => sandbox.imapOf(of).folder("INBOX").length >= count, {
    deadlineMs: 5000,
    what: `${count} mails for ${of}`,
  });
  return sandbox
    .imapOf(of)
    .folder("INBOX")
    .map(({ raw }) => raw.toString());
}

test("simulated recipients react as the first part of their address says", async () => {
  const outcomes = await Promise.all(
    [
      "reply@x.test",
      "ooo@x.test",
      "hard@x.test",
      "refuse@x.test",
      "softdsn@x.test",
      "soft@x.test",
      "grey@x.test",
      "drop@x.test",
      "joe@x.test",
      "large@x.test",
    ].map((to) => send(to)),
  );
  expect(outcomes.map((outcome) => /\b([245]\d\d)\b/.exec(outcome)?.[1])).toEqual([
    "250",
    "250",
    "250",
    "550",
    "250",
    "452",
    "450",
    undefined,
    "250",
    "552",
  ]);
  const mails = (await inbox(mailbox, 4)).join("\n=====\n");
  expect(mails).toMatch(/^Subject: Re: Hello\r$/m);
  expect(mails).toContain("Yes, reply@x.test would like to.");
  expect(mails).toMatch(/^In-Reply-To: <reply@x.test>\r$/m);
  expect(mails).toMatch(/^Auto-Submitted: auto-replied\r$/m);
  expect(mails).toMatch(/^Status: 5\.1\.1\r$/m);
  expect(mails).toMatch(/^Status: 5\.2\.2\r$/m);
  expect(await send("grey@x.test", "grey-2")).toMatch(/^250/);
  expect(await send("drop@x.test", "drop-2")).toMatch(/^250/);
  expect(sandbox.report()).toMatchObject({
    kinds: {
      reply: { recipients: 1, attempts: 1, accepted: 1 },
      grey: { recipients: 1, attempts: 2, accepted: 1 },
      soft: { recipients: 1, attempts: 1, accepted: 0 },
      drop: { recipients: 1, attempts: 2, accepted: 2 },
      plain: { recipients: 1, attempts: 1, accepted: 1 },
      large: { recipients: 1, attempts: 1, accepted: 0 },
    },
    duplicates: [],
    afterStop: [],
  });
});

test("an unsubscribing recipient posts to the List-Unsubscribe path and repeats the POST until the service accepts", async () => {
  await send("unsub@x.test");
  await until(() => sandbox.report().stops.length === 1, { deadlineMs: 5000, what: "the unsubscription" });
  expect(posts).toEqual(["POST /u/unsub@x.test?a=1", "POST /u/unsub@x.test?a=1"]);
  expect(sandbox.report()).toMatchObject({
    stops: [{ recipient: "unsub@x.test", cause: "unsubscribed" }],
    unsubscribeFailures: [],
  });
});

test("the report shows an email sent twice, and emails sent after a reply or a refusal", async () => {
  await send("joe@x.test", "one");
  await send("joe@x.test", "one");
  await send("reply@x.test", "first");
  await inbox(mailbox, 1);
  await send("reply@x.test", "second");
  await send("refuse@x.test");
  await send("refuse@x.test");
  const { duplicates, afterStop } = sandbox.report();
  expect(duplicates).toMatchObject([{ recipient: "joe@x.test", messageId: "<one>" }]);
  expect(afterStop).toMatchObject([
    { recipient: "reply@x.test", cause: "replied", messageId: "<second>", isCampaignMail: true },
    { recipient: "refuse@x.test", cause: "refused" },
  ]);
});

test("an email between two sandbox mailboxes is delivered unchanged", async () => {
  await send("zoe@a.test");
  expect(await inbox("zoe@a.test", 1)).toEqual([sandbox.ledger[0]?.raw.toString()]);
});
