import { setTimeout as sleep } from "node:timers/promises";
import pLimit from "p-limit";
import type { Logger } from "pino";
import { logout, openImap, troubleOf } from "../../connectors/imap/connection.ts";
import type { Egress } from "../../connectors/net/egress.ts";
import { whyUnreached } from "../../connectors/net/why-unreached.ts";
import { openSmtp, SmtpTrouble } from "../../connectors/smtp/connection.ts";
import { type KeyRing, open } from "../../domain/access/seal.ts";
import { CONNECTION_ERRORS, type ConnectionErrorCode } from "../../domain/mailboxes/connection-error.ts";
import type { ConnectionResult, ConnectionTestIds, SideResult } from "../../domain/mailboxes/connection-test.ts";
import { BULK_TEST, type ConnectionBatchIds, type TryableRow } from "../../domain/mailboxes/import.ts";
import { type Login, type MailServer, smtpLogin, type UserNames } from "../../domain/mailboxes/server.ts";
import { connectionErrorOf } from "../../domain/sending/smtp-trouble.ts";
import { scoped } from "../../models/scoped.ts";

export interface ConnectionDeps {
  egress: Egress;
  keyRing: KeyRing;
  log: Logger;
  /**
   * Milliseconds. No result is returned before the floor, so that a closed port and a blocked port look alike; a result
   * is always returned by the deadline.
   */
  limits?: { floorMs: number; deadlineMs: number };
}

export interface ConnectionActivities {
  tryMany(ids: ConnectionBatchIds): Promise<ConnectionResult[]>;
  tryServers(ids: ConnectionTestIds): Promise<ConnectionResult>;
}

const LIMITS = { floorMs: 300, deadlineMs: 25_000 };

/** The activities that test credentials from the network that sends the emails. */
export function connectionActivities({ egress, keyRing, log, limits = LIMITS }: ConnectionDeps): ConnectionActivities {
  /**
   * Logs in to both servers at the same time (rules/security 4.2). The password is decrypted here and afterwards erased
   * from the test record. A test that does not exist or was used before returns a refused login.
   */
  async function tryServers({ workspaceId, testId }: ConnectionTestIds): Promise<ConnectionResult> {
    const { ConnectionTest } = scoped(workspaceId);
    const trial = await ConnectionTest.get(testId);
    if (trial === null || trial.sealedPassword === null)
      return { smtp: failed("AUTH_FAILED"), imap: failed("AUTH_FAILED") };
    const place = { workspaceId, collection: "connection_tests", documentId: testId, field: "password" };
    const password = open(keyRing, place, trial.sealedPassword);
    const found = await tryBoth({ egress, log, limits }, trial, { user: trial.username, password }, trial);
    await ConnectionTest.updateOne({ _id: testId }, { $set: { sealedPassword: null } });
    return found;
  }

  /**
   * Tests every row of a batch and returns the results in the order of the rows. The stored rows are erased first, so a
   * batch that was used before has none.
   */
  async function tryMany({ workspaceId, batchId }: ConnectionBatchIds): Promise<ConnectionResult[]> {
    const { ConnectionBatch } = scoped(workspaceId);
    const batch = await ConnectionBatch.get(batchId);
    if (batch === null || batch.sealedRows === null) return [];
    const place = { workspaceId, collection: "connection_batches", documentId: batchId, field: "rows" };
    const rows: TryableRow[] = JSON.parse(open(keyRing, place, batch.sealedRows));
    await ConnectionBatch.updateOne({ _id: batchId }, { $set: { sealedRows: null } });
    const slots = pLimit(BULK_TEST.atOnce);
    return Promise.all(rows.map((row) => slots(() => rowAttempt({ egress, log })(row))));
  }

  return { tryServers, tryMany };
}

/** Returns a function that logs in to both servers of an import row. */
export function rowAttempt({
  egress,
  log,
}: Pick<ConnectionDeps, "egress" | "log">): (row: TryableRow) => Promise<ConnectionResult> {
  const limits = { floorMs: LIMITS.floorMs, deadlineMs: BULK_TEST.rowMs };
  return (row) =>
    tryBoth({ egress, log, limits }, row, { user: row.username ?? row.email, password: row.password }, row);
}

/**
 * Logs in to both servers at the same time. Returns no sooner than the floor and no later than the deadline. Never
 * throws.
 */
export async function tryBoth(
  { egress, log, limits = LIMITS }: Pick<ConnectionDeps, "egress" | "log" | "limits">,
  servers: { smtp: MailServer; imap: MailServer },
  login: Login,
  names: UserNames = {},
): Promise<ConnectionResult> {
  const [smtp, imap] = await Promise.all([
    testSide("smtp", async () => (await openSmtp(egress, servers.smtp, smtpLogin(login, names))).quit()),
    testSide("imap", async () => logout(await openImap(egress, servers.imap, login))),
    sleep(limits.floorMs),
  ]);
  return { smtp, imap };

  async function testSide(protocol: "smtp" | "imap", attempt: () => Promise<void>): Promise<SideResult> {
    const late = new AbortController();
    const timeout = sleep(limits.deadlineMs, failed("TIMEOUT"), { signal: late.signal, ref: false }).catch(() =>
      failed("TIMEOUT"),
    );
    const result = await Promise.race([
      timeout,
      attempt().then(
        () => ({ ok: true, error: null }),
        (err) => {
          const code = err instanceof SmtpTrouble ? connectionErrorOf(err.trouble) : troubleOf(err).code;
          const { host, port } = servers[protocol];
          log.info({ protocol, host, port, code, why: whyUnreached(err), err }, "connection test failed");
          return failed(code);
        },
      ),
    ]);
    late.abort();
    return result;
  }
}

function failed(code: ConnectionErrorCode): SideResult {
  return { ok: false, error: { code, message: CONNECTION_ERRORS[code] } };
}
