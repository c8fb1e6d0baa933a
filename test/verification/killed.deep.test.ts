import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { makeCertificate } from "../fakes/certificate.ts";
import { accept, hold } from "../fakes/smtp-answers.ts";
import { until } from "../fakes/wait.ts";
import { type KilledWorker, killedWorkerOf } from "../system/killed-worker.ts";
import {
  endedJob,
  foundBy,
  knows,
  receivedBy,
  startVerificationWorld,
  type VerificationWorld,
} from "./verification-world.ts";

const PEOPLE = Array.from({ length: 12 }, (_, n) => `p${n}`);
const HELD = "p5";
let verifying: VerificationWorld;
let worker: KilledWorker;
let letGo: (done: unknown) => void;
beforeAll(async () => {
  const held = new Promise((resolve) => {
    letGo = resolve;
  });
  const known = knows(...PEOPLE);
  verifying = await startVerificationWorld({
    zone: { ...receivedBy("firm"), ...receivedBy("other") },
    rules: (rcpt, attempt) =>
      rcpt === `${HELD}@firm.test` ? hold("RCPT", held) : rcpt.endsWith("other.test") ? accept : known(rcpt, attempt),
    etiquette: { mostAnHour: 1_000, conversationMs: 4_000, leaseMs: 8_000 },
    isWorked: false,
  });
  worker = await killedWorkerOf(verifying.world, (await makeCertificate()).cert, undefined, {
    verification: verifying.asking,
  });
}, 90_000);
afterAll(async () => {
  letGo(null);
  await worker.kill();
  await verifying.close();
}, 60_000);

test("a worker killed during verification probes no address twice: the address in progress is UNKNOWN, and the others continue", async () => {
  const { rest } = await verifying.world.workspace();
  worker.start();
  const emails = [...PEOPLE.map((name) => `${name}@firm.test`), "no@absent.test"];
  const { body } = await rest.post("/verification/jobs", { emails });
  const isHeld = () => verifying.smtp.attempts.some(({ to }) => to[0] === `${HELD}@firm.test`);
  await until(isHeld, { deadlineMs: 60_000, what: "the server to be asked about the one it does not answer" });
  await worker.kill();
  worker.start();
  const job = await endedJob(rest, body.id, 90_000);
  expect(job).toMatchObject({
    status: "COMPLETED",
    progress: { total: 13, processed: 13, succeeded: 13 },
    creditsUsed: 13,
  });
  const found = await foundBy(rest, body.id);
  expect(found[`${HELD}@firm.test`]).toBe("UNKNOWN PROBE_LOST");
  const others = PEOPLE.filter((name) => name !== HELD).map((name) => found[`${name}@firm.test`]);
  expect(new Set(others)).toEqual(new Set(["VALID ACCEPTED"]));
  const asked = verifying.smtp.attempts.map(({ to }) => to[0]).filter((to) => emails.includes(to ?? ""));
  expect(asked.toSorted()).toEqual([...new Set(asked)].toSorted());
  expect(asked).toHaveLength(12);
}, 180_000);
