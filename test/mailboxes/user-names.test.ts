import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { pino } from "pino";
import { createLogins } from "../../activities/mailboxes/logins.ts";
import { createConnections } from "../../activities/sending/connections.ts";
import { createEgress } from "../../connectors/net/connect.ts";
import { parseAllow } from "../../domain/access/allowed-hosts.ts";
import { NO_PROVIDERS } from "../../domain/mailboxes/provider.ts";
import { scoped } from "../../models/scoped.ts";
import { makeCertificate } from "../fakes/certificate.ts";
import { type FakeImap, startImap } from "../fakes/imap.ts";
import { type FakeSmtp, startSmtp } from "../fakes/smtp.ts";
import { until } from "../fakes/wait.ts";
import { realWorker } from "../support/real-worker.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";

const EMAIL = "ann@a.test";
const [USER, SMTP_USER, PASSWORD] = ["imap-user-17", "smtp-user-17", "names of users"];

let world: World;
let smtp: FakeSmtp;
let imap: FakeImap;
let ca: string;
const lines: string[] = [];

beforeAll(async () => {
  const certificate = await makeCertificate();
  ca = certificate.cert;
  smtp = await startSmtp({ certificate, secure: true, accounts: { [SMTP_USER]: PASSWORD } });
  imap = await startImap({ certificate, secure: true, user: USER, password: PASSWORD });
  const worker = realWorker({ extraCa: ca, onLog: (line) => lines.push(line) });
  world = await startWorld({ worker, settings: { egressAllow: "localhost:*" } });
}, 90_000);

afterAll(async () => {
  await world.close();
  await Promise.all([smtp.close(), imap.close()]);
}, 30_000);

function credentials(more: Record<string, unknown> = {}) {
  const servers = { smtpHost: "localhost", smtpPort: smtp.port, imapHost: "localhost", imapPort: imap.port };
  return { email: EMAIL, password: PASSWORD, ...servers, security: "SSL_TLS", ...more };
}

const tried = (rest: Rest, more: Record<string, unknown>) =>
  rest.post("/mailboxes/connect", { action: "smtpTest", credentials: credentials(more) });
const connected = (rest: Rest, more: Record<string, unknown>) =>
  rest.post("/mailboxes/connect", { action: "smtpConnect", credentials: credentials(more) });

test("a connection test logs in with the given user names, or with the email address where no user name is given", async () => {
  const { rest } = await world.workspace();
  const told = async (more: Record<string, unknown>) => {
    const { body } = await tried(rest, more);
    return [body.smtp.ok, body.imap.ok];
  };
  expect(await told({ username: USER, smtpUsername: SMTP_USER })).toEqual([true, true]);
  expect(await told({ username: USER })).toEqual([false, true]);
  expect(await told({ username: SMTP_USER })).toEqual([true, false]);
  expect(await told({ smtpUsername: SMTP_USER })).toEqual([true, false]);
  expect(await told({ username: null, smtpUsername: null })).toEqual([false, false]);
});

test("a mailbox shows its user names and uses them to read and send; the log contains neither user names nor password", async () => {
  const { rest, workspaceId } = await world.workspace();
  const { status, body } = await connected(rest, { username: USER, smtpUsername: SMTP_USER });
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { email: EMAIL, username: USER, smtpUsername: SMTP_USER },
  });
  const isRead = async () => (await rest.get(`/mailboxes/${body.id}`)).body.lastSyncAt !== null;
  await until(isRead, { deadlineMs: 30_000, what: "the mailbox to be read" });
  const mailbox = await scoped(workspaceId).Mailbox.get(body.id);
  if (mailbox === null) throw new Error("The mailbox is gone");
  const egress = createEgress({ allow: parseAllow("localhost:*"), ownAddresses: [], extraCa: ca });
  const log = pino({ level: "silent" });
  const logins = createLogins({ egress, keyRing: world.services.keyRing, providers: NO_PROVIDERS, log });
  const connections = createConnections(egress, logins, log);
  const raw = Buffer.from(`From: ${EMAIL}\r\nTo: bob@b.test\r\nSubject: By a user name\r\n\r\nHello\r\n`);
  const sent = await connections.use(mailbox, (line) => line.transmit("bob@b.test", raw, async () => true));
  expect(sent).toMatchObject({ kind: "sent" });
  expect(smtp.ledger.find(({ subject }) => subject === "By a user name")).toMatchObject({
    user: SMTP_USER,
    from: EMAIL,
  });
  connections.close();
  await egress.close();
  expect(lines.join("\n")).not.toMatch(new RegExp(`${USER}|${SMTP_USER}|${PASSWORD}`));
});

test("reconnecting replaces the user names of a mailbox; user names that the servers refuse change nothing", async () => {
  const { rest } = await world.workspace();
  const { body } = await connected(rest, { username: USER, smtpUsername: SMTP_USER });
  expect(await connected(rest, { username: null, smtpUsername: SMTP_USER })).toMatchObject({
    status: 422,
    body: { code: "MAILBOX_CONNECTION_FAILED", details: { smtp: { ok: true }, imap: { ok: false } } },
  });
  expect((await rest.get(`/mailboxes/${body.id}`)).body).toMatchObject({ username: USER, smtpUsername: SMTP_USER });
  smtp.setAccounts({ [USER]: PASSWORD });
  expect(await connected(rest, { username: USER, smtpUsername: null })).toMatchObject({
    body: { id: body.id, username: USER, smtpUsername: null },
  });
  smtp.setAccounts({ [SMTP_USER]: PASSWORD });
});

test.each(["", "   ", "a\nb", "a\u0000b", "x".repeat(321)])(
  "the user name %j is refused with the path of the field, and no connection is tried",
  async (name) => {
    const { rest, workspaceId } = await world.workspace();
    for (const field of ["username", "smtpUsername"]) {
      const answer = await connected(rest, { [field]: name });
      expect(answer).toMatchObject({
        status: 400,
        body: { code: "VALIDATION_FAILED", details: { issues: [{ path: `credentials.${field}` }] } },
      });
    }
    expect(await scoped(workspaceId).ConnectionTest.count()).toBe(0);
  },
);

test.each([
  ["username", "smtp_username"],
  ["User Name", "SMTP User"],
  ["imap_username", "smtpUserName"],
  ["IMAP Login", "SMTP-Login"],
])("a CSV import reads the user names from its columns %s and %s", async (user, smtpUser) => {
  const { rest } = await world.workspace();
  const { smtpPort, imapPort, ...row } = credentials();
  const rows = [
    { ...row, smtp_port: String(smtpPort), imap_port: String(imapPort), [user]: ` ${USER} `, [smtpUser]: SMTP_USER },
  ];
  const { body: test } = await rest.post("/mailboxes/import/test-bulk", { rows });
  expect(test.items).toMatchObject([{ email: EMAIL, ok: true }]);
  const { body: job } = await rest.post("/mailboxes/import/csv", { fileName: "m.csv", rows });
  const isOver = async () =>
    !["QUEUED", "RUNNING"].includes((await rest.get(`/mailboxes/import/${job.id}`)).body.status);
  await until(isOver, { deadlineMs: 30_000, what: "the end of the import" });
  expect((await rest.get("/mailboxes")).body).toMatchObject([
    { email: EMAIL, username: USER, smtpUsername: SMTP_USER },
  ]);
});
