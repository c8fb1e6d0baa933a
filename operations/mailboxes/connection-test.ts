import { z } from "zod";
import { seal } from "../../domain/access/seal.ts";
import { AppError } from "../../domain/errors.ts";
import type { ConnectionResult } from "../../domain/mailboxes/connection-test.ts";
import type { UserNames } from "../../domain/mailboxes/server.ts";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { newId } from "../../mongo/ids.ts";
import { withinCap } from "../../store/daily-caps.ts";
import { connectionTestRun } from "../../temporal/runs.ts";
import type { Context } from "../context.ts";
import type { Servers } from "./credentials.ts";

const PER_MINUTE = 10;
const DEADLINE_MS = 28_000;

const side = z.object({
  ok: z.boolean().describe("Whether the connection works"),
  error: z
    .object({ code: z.string().describe("The error code"), message: z.string().describe("The error as a sentence") })
    .nullable()
    .describe("Why the connection failed"),
});
export const ConnectionTestResult = z.object({
  ok: z.boolean().describe("Whether SMTP and IMAP both work"),
  smtp: side.describe("The test of sending"),
  imap: side.describe("The test of reading"),
});

/**
 * Tests both servers from a worker, and waits for the result.
 * @throws AppError RATE_LIMITED beyond ten tests per minute and workspace, LIMIT_EXCEEDED beyond its limit of the day,
 * SERVICE_UNAVAILABLE while no worker responds
 */
export async function tryConnection(
  { workspaceId, services }: Context,
  { smtp, imap }: Servers,
  login: { email: string; password: string } & UserNames,
): Promise<ConnectionResult> {
  const { ConnectionTest } = scoped(workspaceId);
  await refuseTooManyTests(workspaceId);
  const _id = newId("tst");
  const place = { workspaceId, collection: "connection_tests", documentId: _id, field: "password" };
  const sealedPassword = seal(services.keyRing, place, login.password);
  const username = login.username ?? login.email;
  const test = { _id, username, smtpUsername: login.smtpUsername ?? null, smtp, imap, sealedPassword };
  return withinCap(workspaceId, { what: "CONNECTION_TESTS", count: 1, path: "credentials" }, async () => {
    await ConnectionTest.insert(test);
    const run = connectionTestRun({ v: 1, workspaceId, testId: _id });
    return services.engine.execute<ConnectionResult>(run, DEADLINE_MS);
  });
}

/** Limits connection tests; a batch of many rows counts as one test. @throws AppError RATE_LIMITED */
export async function refuseTooManyTests(workspaceId: string): Promise<void> {
  const { ConnectionBatch, ConnectionTest } = scoped(workspaceId);
  const recent = { createdAt: trusted({ $gt: new Date(Date.now() - MINUTE_MS) }) };
  const [tests, batches] = await Promise.all([ConnectionTest.count(recent), ConnectionBatch.count(recent)]);
  if (tests + batches < PER_MINUTE) return;
  throw new AppError("RATE_LIMITED", `At most ${PER_MINUTE} connection tests a minute`, {
    retryAfterSeconds: MINUTE_MS / 1_000,
  });
}
