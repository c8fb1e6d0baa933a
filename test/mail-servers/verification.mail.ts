import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { ETIQUETTE, nobodyAt } from "../../domain/verification/etiquette.ts";
import { freePort } from "../../embedded/ports.ts";
import { makeCertificate } from "../fakes/certificate.ts";
import { type FakeDns, startDns, type Zone } from "../fakes/dns.ts";
import { realWorker } from "../support/real-worker.ts";
import { startWorld, type World } from "../support/world.ts";
import { endedJob, foundBy, HELO, receivedBy } from "../verification/verification-world.ts";
import { makeGround } from "./ground.ts";
import { type Postfix, startPostfix } from "./postfix.ts";

const GONE = ["gone1@firm.test", "gone2@firm.test", "gone3@firm.test"];
const DOMAINS = ["firm", "any", "grey", "block", "busy", "slow"];
/** The real settings, except for the quarter of an hour of greylisting and the patience with a tarpit. */
const PATIENCE = { greylistMs: 3_000, conversationMs: 8_000 };

let ground: Awaited<ReturnType<typeof makeGround>>;
let postfix: Postfix;
let dns: FakeDns;
let world: World;

beforeAll(async () => {
  ground = await makeGround({ certificate: await makeCertificate(), password: "mail-servers" });
  const receiving = await freePort();
  postfix = await startPostfix(
    ground,
    { submission: await freePort(), remote: await freePort(), dead: await freePort(), receiving },
    [],
  );
  const zone: Zone = Object.assign({}, ...DOMAINS.map(receivedBy));
  dns = await startDns(zone);
  const allow = DOMAINS.map((name) => `in.${name}-mx.test:${receiving}`).join(",");
  const etiquette = { ...ETIQUETTE, ...PATIENCE, port: receiving };
  world = await startWorld({ worker: realWorker({ dnsServers: [dns.server], allow, verifyHelo: HELO, etiquette }) });
}, 120_000);

afterAll(async () => {
  await world?.close();
  await dns?.close();
  await postfix?.stop();
  await ground?.remove();
}, 60_000);

test("a real Postfix is asked politely and sent nothing: who is there, who is not, any, greylisting, a block, a 421, a tarpit", async () => {
  const { rest } = await world.workspace();
  const emails = [
    ...["ann@firm.test", "bert@firm.test", ...GONE, "x@any.test", "ann@grey.test"],
    ...["ann@block.test", "bert@block.test", "ann@busy.test", "bert@busy.test", "ann@slow.test", "bert@slow.test"],
  ];
  const { body } = await rest.post("/verification/jobs", { emails });
  await endedJob(rest, body.id, 120_000);
  const log = await postfix.log();
  expect([await foundBy(rest, body.id), log]).toEqual([
    {
      "ann@firm.test": "VALID ACCEPTED",
      "bert@firm.test": "VALID ACCEPTED",
      ...Object.fromEntries(GONE.map((email) => [email, "INVALID USER_UNKNOWN"])),
      "x@any.test": "CATCH_ALL ACCEPTS_ANY",
      "ann@grey.test": "UNKNOWN GREYLISTED",
      "ann@block.test": "UNKNOWN HOST_REFUSES",
      "bert@block.test": "UNKNOWN HOST_REFUSES",
      "ann@busy.test": "UNKNOWN HOST_REFUSES",
      "bert@busy.test": "UNKNOWN HOST_REFUSES",
      "ann@slow.test": expect.stringMatching(/^UNKNOWN (?:UNCLEAR|HOST_REFUSES)$/),
      "bert@slow.test": expect.stringMatching(/^UNKNOWN (?:UNCLEAR|HOST_REFUSES)$/),
    },
    expect.any(String),
  ]);
  // Each session says its commands when it ends: one EHLO, one MAIL, and never DATA
  const sessions = log.split("\n").filter((line) => /disconnect from /.test(line) && / ehlo=1/.test(line));
  expect(sessions.length).toBeGreaterThanOrEqual(8);
  expect(sessions.filter((line) => / data| auth|mail=[2-9]/.test(line))).toEqual([]);
  expect(log).not.toMatch(/message-id=|status=sent/);
  const refused = log.split("\n").filter((line) => /reject: RCPT/.test(line));
  expect(refused.every((line) => line.includes("from=<>") && line.includes(`helo=<${HELO}>`))).toBe(true);
  // The same question again after greylisting, and an address that no one has asked for once a domain
  expect(refused.filter((line) => line.includes("to=<ann@grey.test>"))).toHaveLength(2);
  expect(refused.filter((line) => line.includes(`to=<${nobodyAt("firm.test")}>`))).toHaveLength(1);
  // Its log has whole seconds: questions that are two apart differ by one at least
  const seconds = refused
    .filter((line) => GONE.some((email) => line.includes(`to=<${email}>`)))
    .map((line) => /:\d\d:(\d\d) /.exec(line)?.[1]);
  expect([seconds.length, new Set(seconds).size]).toEqual([3, 3]);
}, 180_000);
