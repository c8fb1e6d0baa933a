import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import type { ImapFlow } from "imapflow";
import { logout, openImap } from "../../connectors/imap/connection.ts";
import { firstSeenIn, nothingSeen, readPlaces } from "../../connectors/imap/places.ts";
import { createEgress } from "../../connectors/net/connect.ts";
import type { Egress } from "../../connectors/net/egress.ts";
import { parseAllow } from "../../domain/access/allowed-hosts.ts";
import { placementEndOf, placementPeriodOf, placementRatesOf } from "../../domain/deliverability/placement.ts";
import { makeCertificate } from "../fakes/certificate.ts";
import { type FakeImap, startImap } from "../fakes/imap.ts";

let imap: FakeImap;
let egress: Egress;
let client: ImapFlow;
beforeAll(async () => {
  const certificate = await makeCertificate();
  imap = await startImap({ certificate, user: "seed@seed.test", password: "secret", secure: true });
  egress = createEgress({ allow: parseAllow("localhost:*"), ownAddresses: [], extraCa: certificate.cert });
}, 30_000);
afterAll(async () => {
  logout(client);
  await imap.close();
  await egress.close();
});
beforeEach(async () => {
  if (client !== undefined) logout(client);
  client = await openImap(
    egress,
    { host: "localhost", port: imap.port, security: "SSL_TLS" },
    { user: "seed@seed.test", password: "secret" },
  );
});

let count = 0;
function mail(headers: string[] = []): { id: string; raw: string } {
  const id = `<${++count}@a.test>`;
  return {
    id,
    raw: [`Message-ID: ${id}`, "From: ann@a.test", "Subject: Hello", ...headers, "", "Hello", ""].join("\r\n"),
  };
}

test("a test email is recognized by Message-ID or by our mark header, and the folder where the email was first seen counts", async () => {
  const [inbox, junk, marked] = [mail(), mail(), mail(["X-Mail-Ref: ABCDEF0123"])];
  imap.deliver(inbox.raw);
  imap.deliver(junk.raw, "Junk");
  imap.deliver(marked.raw, "Archive");
  const seen = nothingSeen();
  await readPlaces(client, seen);
  expect([
    firstSeenIn(seen, [inbox.id]),
    firstSeenIn(seen, [junk.id]),
    firstSeenIn(seen, ["abcdef0123"]),
    firstSeenIn(seen, ["<none@a.test>"]),
  ]).toEqual(["INBOX", "SPAM", "OTHER", undefined]);
  // Its reader moves it, and later emails are found too
  imap.deliver(inbox.raw, "Junk");
  const late = mail();
  imap.deliver(late.raw);
  await readPlaces(client, seen);
  expect([firstSeenIn(seen, [inbox.id]), firstSeenIn(seen, [late.id])]).toEqual(["INBOX", "INBOX"]);
});

test("a test email that arrives during the reading counts as in the inbox, even if the folder of all mail shows the email first", async () => {
  const arriving = mail();
  const open = client.mailboxOpen.bind(client);
  client.mailboxOpen = async (path, options) => {
    // INBOX and Junk have been read by now
    if (path === "Archive" && imap.folder("Archive").every(({ raw }) => !raw.includes(arriving.id))) {
      imap.deliver(arriving.raw);
      imap.deliver(arriving.raw, "Archive");
    }
    return open(path, options);
  };
  const seen = nothingSeen();
  await readPlaces(client, seen);
  expect(firstSeenIn(seen, [arriving.id])).toBe("INBOX");
});

test("a renumbered folder is read from the beginning, and a folder that cannot be opened is skipped", async () => {
  const seen = nothingSeen();
  await readPlaces(client, seen);
  imap.renumber("Junk");
  const junk = mail();
  imap.deliver(junk.raw, "Junk");
  const open = client.mailboxOpen.bind(client);
  client.mailboxOpen = async (path, options) => {
    if (path === "Sent") throw Object.assign(new Error("Command failed"), { responseStatus: "NO" });
    return open(path, options);
  };
  await readPlaces(client, seen);
  expect(firstSeenIn(seen, [junk.id])).toBe("SPAM");
});

test.each([
  [{ total: 4, inbox: 2, spam: 1, other: 0, missing: 1, errors: 0 }, "COMPLETED", [0.5, 0.25, 0.25]],
  [{ total: 4, inbox: 1, spam: 0, other: 1, missing: 0, errors: 2 }, "COMPLETED_WITH_ERRORS", [0.5, 0, 0]],
  [{ total: 2, inbox: 0, spam: 0, other: 0, missing: 0, errors: 2 }, "FAILED", [null, null, null]],
])(
  "a placement test with the counts %j ends as %s with the right rates",
  (tally, end, [inboxRate, spamRate, missingRate]) => {
    expect([placementEndOf(tally), placementRatesOf(tally)]).toEqual([end, { inboxRate, spamRate, missingRate }]);
  },
);

test.each([
  ["DAILY", "2026-11-24T23:59:59Z", "DAILY:2026-11-24"],
  ["WEEKLY", "2026-11-23T00:00:00Z", "WEEKLY:2026-11-23"],
  ["WEEKLY", "2026-11-29T23:59:59Z", "WEEKLY:2026-11-23"],
  ["WEEKLY", "2026-11-30T00:00:00Z", "WEEKLY:2026-11-30"],
] as const)("a %s placement test at %s belongs to the period %s", (schedule, at, period) => {
  expect(placementPeriodOf(schedule, Date.parse(at))).toBe(period);
});
