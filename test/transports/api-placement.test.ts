import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { endedTest, placesOf, QUICK } from "../deliverability/placement-world.ts";
import type { Rest } from "../support/rest.ts";
import { type ApiPeers, PEERS, type PeerTransport, startApiPeers } from "./api-peers.ts";

const PATH = "/deliverability/placement-tests";
const { GMAIL_API: ANN, GRAPH: GINA, SMTP_IMAP: BOB } = PEERS;

let here: ApiPeers;
let rest: Rest;
const ids: Record<string, string> = {};
beforeAll(async () => {
  here = await startApiPeers(QUICK);
  const workspace = await here.world.workspace();
  rest = workspace.rest;
  for (const transport of Object.keys(PEERS) as PeerTransport[])
    ids[PEERS[transport]] = await here.join(workspace.workspaceId, transport);
}, 120_000);
afterAll(() => here.close());

async function placed(from: string[], to: string[]): Promise<string[]> {
  const idsOf = (emails: string[]) => emails.map((email) => ids[email]);
  const { body } = await rest.post(PATH, { mailboxIds: idsOf(from), testMailboxIds: idsOf(to) });
  return placesOf(await endedTest(rest, body.id), ids);
}

test("a placement test finds its emails in the inbox and in spam of mailboxes that use an API, also if an API sent them", async () => {
  here.filing = (to) => (to === ANN ? "SPAM" : "INBOX");
  expect(await placed([BOB, GINA], [ANN])).toEqual([`${BOB} > ${ANN}: SPAM`, `${GINA} > ${ANN}: SPAM`]);
  here.filing = (to) => (to === GINA ? "SPAM" : "INBOX");
  expect(await placed([BOB, ANN], [GINA])).toEqual([`${ANN} > ${GINA}: SPAM`, `${BOB} > ${GINA}: SPAM`]);
  here.filing = () => "INBOX";
  expect(await placed([BOB], [ANN, GINA])).toEqual([`${BOB} > ${ANN}: INBOX`, `${BOB} > ${GINA}: INBOX`]);
}, 180_000);

test("a test email in a tab of Gmail's inbox, or in another folder at Microsoft, counts as OTHER", async () => {
  here.filing = () => "TAB";
  expect(await placed([BOB], [ANN, GINA])).toEqual([`${BOB} > ${ANN}: OTHER`, `${BOB} > ${GINA}: OTHER`]);
}, 120_000);

test("a test email that does not arrive counts as missing, and a test mailbox whose permission is missing gets an error", async () => {
  here.filing = () => "LOST";
  const { scopes } = here.gmail.mailbox(ANN);
  const granted = scopes.splice(0);
  try {
    expect(await placed([BOB], [ANN, GINA])).toEqual([`${BOB} > ${ANN}: AUTH_FAILED`, `${BOB} > ${GINA}: MISSING`]);
  } finally {
    scopes.push(...granted);
  }
}, 120_000);
