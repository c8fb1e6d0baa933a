import { PassThrough } from "node:stream";
import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import { ImapFlow } from "imapflow";
import SMTPConnection from "nodemailer/lib/smtp-connection/index.js";
import { makeCertificate } from "./certificate.ts";
import { type FakeImap, startImap } from "./imap.ts";
import { type FakeSmtp, startSmtp } from "./smtp.ts";
import { type Answer, accept, drip, drop, greylist, loseReply, refuse, silence, slow } from "./smtp-answers.ts";
import { until } from "./wait.ts";

const MAIL =
  "From: ann@a.test\r\nTo: bob@b.test\r\nMessage-ID: <1@a.test>\r\nX-Mail-Ref: abcd2345\r\nSubject: A long\r\n subject\r\n\r\n.dot\r\nh\u00e4llo\r\n";
const user = "ann@a.test";
const password = "correct horse";

let certificate: { key: string; cert: string };
let smtp: FakeSmtp;
let imap: FakeImap;
const open: SMTPConnection[] = [];

beforeAll(async () => {
  certificate = await makeCertificate();
  smtp = await startSmtp({ certificate, accounts: { [user]: password } });
  imap = await startImap({ certificate, user, password });
});

afterEach(() => {
  for (const client of open.splice(0)) client.close();
  smtp.setRules(() => accept);
  smtp.setSenders(() => accept);
  smtp.setGreeting(accept);
  smtp.ledger.length = 0;
  smtp.attempts.length = 0;
});

afterAll(async () => {
  await smtp.close();
  await imap.close();
});

type Failure = Error & { code?: string; responseCode?: number; command?: string; response?: string };

/** Resolves to the server's reply to the final dot, and rejects with what the mail library makes of any other end. */
async function send(
  to: string | string[] = "bob@b.test",
  {
    pass = password,
    timeoutMs = 5000,
    content = MAIL,
  }: { pass?: string; timeoutMs?: number; content?: string | PassThrough } = {},
): Promise<string> {
  const client = new SMTPConnection({
    host: "127.0.0.1",
    port: smtp.port,
    requireTLS: true,
    tls: { ca: certificate.cert, servername: "localhost" },
    socketTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
  });
  open.push(client);
  return new Promise((resolve, reject) => {
    client.once("error", reject);
    client.connect((unreachable) => {
      if (unreachable) return reject(unreachable);
      client.login({ credentials: { user, pass } }, (refused) => {
        if (refused) return reject(refused);
        client.send({ from: user, to }, content, (failed, info) => (failed ? reject(failed) : resolve(info.response)));
      });
    });
  });
}

async function failureOf(sending: Promise<string>): Promise<Failure> {
  return sending.then(
    (response) => Promise.reject(new Error(`The server accepted: ${response}`)),
    (failure: Failure) => failure,
  );
}

const always = (answer: Answer) => () => answer;

test("an accepted email is in the ledger once, with envelope, ids and exact bytes", async () => {
  expect(await send(["bob@b.test", "carl@c.test"])).toMatch(/^250 /);
  expect(smtp.ledger).toMatchObject([
    {
      from: user,
      user,
      to: ["bob@b.test", "carl@c.test"],
      messageId: "<1@a.test>",
      mailRef: "abcd2345",
      subject: "A long subject",
      answered: "250",
    },
  ]);
  expect(smtp.ledger[0]?.raw.toString()).toBe(MAIL);
  expect(smtp.attempts.map(({ stage }) => stage)).toEqual(["RCPT", "RCPT", "DATA", "CONTENT"]);
});

test("a wrong password or an account with a configured refusal cannot log in", async () => {
  expect(await failureOf(send("bob@b.test", { pass: "wrong" }))).toMatchObject({ code: "EAUTH", responseCode: 535 });
  smtp.setAccounts({ [user]: { code: 454, text: "4.7.0 Try later" } });
  expect(await failureOf(send())).toMatchObject({ responseCode: 454 });
  smtp.setAccounts({ [user]: password });
  expect(smtp.ledger).toEqual([]);
});

test("a server without TLS accepts a login from a client without TLS", async () => {
  const plain = await startSmtp({ certificate, startTls: false });
  const client = new SMTPConnection({ host: "127.0.0.1", port: plain.port, ignoreTLS: true });
  open.push(client);
  await new Promise<void>((resolve, reject) => {
    client.once("error", reject);
    client.connect(() =>
      client.login({ credentials: { user, pass: "anything" } }, (refused) => (refused ? reject(refused) : resolve())),
    );
  });
  await plain.close();
});

test.each([
  ["RCPT", refuse(550, "5.1.1 User unknown"), 550],
  ["DATA", refuse(554, "5.7.1 Not now", "DATA"), 554],
  ["DOT", refuse(552, "5.3.4 Too big", "DOT"), 552],
  ["RCPT", refuse(452, "4.2.2 Mailbox full"), 452],
])("an email refused at %s is not in the ledger", async (_stage, answer, responseCode) => {
  smtp.setRules(always(answer));
  expect(await failureOf(send())).toMatchObject({
    responseCode,
    response: expect.stringContaining(String(responseCode)),
  });
  expect(smtp.ledger).toEqual([]);
});

test("a refused sender gets the refusal at MAIL FROM", async () => {
  smtp.setSenders(always(refuse(550, "5.7.1 Suspended", "MAIL")));
  expect(await failureOf(send())).toMatchObject({ responseCode: 550, command: "MAIL FROM" });
  expect(smtp.attempts).toEqual([]);
});

test("a refusal in the greeting makes sending fail before any attempt", async () => {
  smtp.setGreeting(refuse(421, "4.3.2 Closing", "CONNECT"));
  await failureOf(send());
  expect(smtp.attempts).toEqual([]);
});

test("a 421 at RCPT closes the connection", async () => {
  smtp.setRules(always(refuse(421, "4.7.0 Slow down")));
  await failureOf(send());
  await until(() => smtp.connections() === 0, { deadlineMs: 2000, what: "the connection to be closed" });
  expect(smtp.ledger).toEqual([]);
});

test("greylisting refuses only the first attempt for each recipient", async () => {
  smtp.setRules((_rcpt, attempt) => greylist(attempt));
  expect(await failureOf(send("grey@b.test"))).toMatchObject({ responseCode: 450 });
  expect(await send("grey@b.test")).toMatch(/^250 /);
});

test.each([
  ["before RCPT is answered", drop("RCPT"), []],
  ["before the final dot is read", drop("CONTENT"), []],
  ["after the final dot, the mail lost", loseReply({ kept: false }), []],
  ["after the final dot, the mail kept", loseReply({ kept: true }), [{ answered: "dropped" }]],
])(
  "a connection dropped %s fails at the client, and the ledger contains the email only if the server kept the email",
  async (_when, answer, ledger) => {
    smtp.setRules(always(answer));
    const failure = await failureOf(send());
    expect(failure.responseCode).toBeUndefined();
    expect(smtp.ledger).toMatchObject(ledger);
    expect(smtp.ledger).toHaveLength(ledger.length);
  },
);

test.each([
  ["RCPT", silence("RCPT"), []],
  ["the final dot, the mail kept", silence("DOT", { kept: true }), [{ answered: "silent" }]],
])(
  "silence at %s makes the client time out, and only a kept email is in the ledger",
  async (_stage, answer, ledger) => {
    smtp.setRules(always(answer));
    expect(await failureOf(send("bob@b.test", { timeoutMs: 200 }))).toMatchObject({ code: "ETIMEDOUT" });
    expect(smtp.ledger).toMatchObject(ledger);
  },
);

test("slow and trickling replies arrive complete", async () => {
  smtp.setRules((rcpt) => (rcpt.startsWith("slow") ? slow(50) : drip("DOT", 2)));
  expect(await send("slow@b.test")).toMatch(/^250 /);
  expect(await send("drip@b.test")).toBe("250 OK: message queued");
  expect(smtp.ledger).toHaveLength(2);
});

test("an email that the client aborts halfway is not in the ledger", async () => {
  const content = new PassThrough();
  content.write("Subject: half\r\n\r\nhello\r\n");
  send("bob@b.test", { content }).catch(() => {});
  await until(() => smtp.attempts.length === 3, { deadlineMs: 2000, what: "the content to begin" });
  for (const client of open.splice(0)) client.close();
  await until(() => smtp.connections() === 0, { deadlineMs: 2000, what: "the connection to be gone" });
  expect(smtp.ledger).toEqual([]);
});

test("ten simultaneous connections are all served", async () => {
  await Promise.all(Array.from({ length: 10 }, (_, index) => send(`to${index}@b.test`)));
  expect(new Set(smtp.ledger.flatMap(({ to }) => to)).size).toBe(10);
  expect(new Set(smtp.ledger.map(({ session }) => session)).size).toBe(10);
});

async function reader(port = imap.port): Promise<ImapFlow> {
  const client = new ImapFlow({
    host: "127.0.0.1",
    port,
    secure: false,
    doSTARTTLS: true,
    tls: { ca: certificate.cert, servername: "localhost" },
    auth: { user, pass: password },
    logger: false,
  });
  client.on("error", () => {});
  await client.connect();
  return client;
}

test("a delivery is announced to an idling client, and the email can be read byte for byte", async () => {
  const client = await reader();
  await client.mailboxOpen("INBOX");
  const announced = new Promise((resolve) => client.once("exists", resolve));
  const idle = client.idle();
  imap.deliver(MAIL);
  expect(await announced).toMatchObject({ path: "INBOX", count: 1 });
  const mail = await client.fetchOne("1", { source: true });
  await idle;
  expect(mail).toMatchObject({ source: Buffer.from(MAIL) });
  await client.logout();
});

test("a copy appended to Sent keeps its flags and can be found by Message-ID, and the folders show their special uses", async () => {
  const client = await reader();
  await client.append("Sent", MAIL, ["\\Seen"]);
  expect(imap.folder("Sent")).toMatchObject([{ flags: ["\\Seen"], raw: Buffer.from(MAIL) }]);
  await client.mailboxOpen("Sent");
  expect(await client.search({ header: { "message-id": "<1@a.test>" } }, { uid: true })).toEqual([1]);
  expect((await client.list()).map(({ path, specialUse }) => [path, specialUse])).toEqual(
    expect.arrayContaining([
      ["INBOX", "\\Inbox"],
      ["Sent", "\\Sent"],
      ["Junk", "\\Junk"],
      ["Archive", "\\Archive"],
    ]),
  );
  await client.logout();
});

test("dropping the IMAP server disconnects idling clients", async () => {
  const client = await reader();
  await client.mailboxOpen("INBOX");
  const closed = new Promise<void>((resolve) => client.once("close", resolve));
  client.idle().catch(() => {});
  imap.drop();
  await closed;
  await until(() => imap.connections() === 0, { deadlineMs: 2000, what: "the sockets to be gone" });
});
