import type { SetupFinding } from "../../domain/readiness.ts";
import { loadUnprepared, openConnection } from "../../models/connect.ts";
import {
  type ConnectionFault,
  findConnectionFault,
  isScriptingOn,
  loadRights,
  loadServer,
  loadTransactionLifetime,
  probeMajority,
  type Server,
} from "../../mongo/diagnosis.ts";
import { UnfitDatabase } from "../../mongo/unfit.ts";
import { readMongodbUri } from "../../mongo/uri.ts";
import { judgeClock } from "./clock.ts";
import { fail, ok, skip, warn } from "./finding.ts";

const CHECKS = {
  server: "MongoDB",
  version: "MongoDB version",
  set: "MongoDB replica set",
  writes: "MongoDB writes",
  transactions: "MongoDB transactions",
  scripting: "MongoDB scripting",
  user: "MongoDB user",
  indexes: "MongoDB indexes",
  clock: "MongoDB clock",
} as const;
const [OLDEST_MAJOR, LONGEST_TRANSACTION_S, MOST_NAMED] = [6, 10, 5];
const INITIATE = "Start every mongod with --replSet <name>, and run rs.initiate() in mongosh once";

export interface CheckedMongodb {
  findings: SetupFinding[];
  /** Whether the connection stays open, so that further checks can read the database. */
  isOpen: boolean;
}

/** Checks MongoDB and the user of its address. Changes nothing. `now` reads the clock of this machine. */
export async function checkMongodb(uri: string, now: () => number = Date.now): Promise<CheckedMongodb> {
  try {
    await openConnection(uri);
    const server = await loadServer(now);
    const findings = [ok(CHECKS.server, "it answers"), ...(await checkServer(server, uri))];
    return { findings, isOpen: true };
  } catch (error) {
    const reported = reportFault(await findConnectionFault(uri, error));
    return { findings: withSkipped(reported, "MongoDB cannot be used"), isOpen: false };
  }
}

/** What is reported when no MongoDB can be asked. */
export function skipMongodb(why: string, advice: string): SetupFinding[] {
  return withSkipped([skip(CHECKS.server, why, advice)], why);
}

function withSkipped(reported: SetupFinding[], why: string): SetupFinding[] {
  const left = Object.values(CHECKS).filter((check) => reported.every((finding) => finding.check !== check));
  return [...reported, ...left.map((check) => skip(check, why))];
}

function reportFault(fault: ConnectionFault): SetupFinding[] {
  const answers = ok(CHECKS.server, "it answers");
  switch (fault) {
    case "LOGIN_REFUSED":
      return [
        fail(
          CHECKS.server,
          "it refuses the login of MONGODB_URI",
          "Correct the user and the password, percent-encode special characters, and name the database of the user with authSource",
        ),
      ];
    case "STANDALONE":
      return [answers, fail(CHECKS.set, "it is a standalone server, which has no transactions", INITIATE)];
    case "NOT_INITIATED":
      return [answers, fail(CHECKS.set, "it is not initiated", "Run rs.initiate() in mongosh once")];
    case "NO_PRIMARY":
      return [
        answers,
        fail(
          CHECKS.set,
          "it has no primary that is reachable under the name by which the set knows it",
          "Start the missing members, and make sure that the host names of rs.conf() resolve on this machine",
        ),
      ];
    case "OTHER_SET":
      return [
        answers,
        fail(
          CHECKS.set,
          "it has another name than MONGODB_URI",
          "Correct replicaSet in MONGODB_URI; rs.conf() shows it",
        ),
      ];
    case "UNREACHABLE":
      return [
        fail(
          CHECKS.server,
          "it does not answer",
          "Check the host, port and TLS options of MONGODB_URI, that mongod runs, and that no firewall is in between",
        ),
      ];
  }
}

async function checkServer(server: Server, uri: string): Promise<SetupFinding[]> {
  const [majority, lifetime, scripting, rights, indexes] = await Promise.all([
    probeMajority(),
    loadTransactionLifetime(),
    isScriptingOn(),
    checkRights(uri),
    checkIndexes(),
  ]);
  return [
    judgeVersion(server.version),
    judgeSet(server),
    judgeMajority(majority),
    judgeLifetime(lifetime),
    judgeScripting(scripting),
    rights,
    indexes,
    judgeClock(CHECKS.clock, server.clock),
  ];
}

function judgeVersion(version: string): SetupFinding {
  const isOld = Number(version.split(".")[0]) < OLDEST_MAJOR;
  if (!isOld) return ok(CHECKS.version, `it is ${version}`);
  return fail(CHECKS.version, `it is ${version}`, `Upgrade to ${OLDEST_MAJOR}.0 or later, one major version at a time`);
}

function judgeSet({ setName, isRouter }: Server): SetupFinding {
  if (setName !== null) return ok(CHECKS.set, "it has a primary");
  return isRouter
    ? fail(CHECKS.set, "this is the router of a sharded cluster", "Use the address of one replica set")
    : fail(CHECKS.set, "it is a standalone server, which has no transactions", INITIATE);
}

function judgeMajority(majority: Awaited<ReturnType<typeof probeMajority>>): SetupFinding {
  switch (majority) {
    case "CONFIRMED":
      return ok(CHECKS.writes, "a majority of the members confirms them");
    case "LATE":
      return fail(
        CHECKS.writes,
        "no majority of the members confirmed a write within 4 s",
        "Start the missing members, and see in rs.status() which of them are behind",
      );
    case "FORBIDDEN":
      return fail(CHECKS.writes, "the user may not write", "Give the user of MONGODB_URI the role readWrite");
    case "FAILED":
      return fail(CHECKS.writes, "the server refused a write", "See the log of mongod, and the space on its disk");
  }
}

function judgeLifetime(seconds: number | null): SetupFinding {
  const set = `Set transactionLifetimeLimitSeconds to ${LONGEST_TRANSACTION_S} on every member`;
  if (seconds === null)
    return skip(
      CHECKS.transactions,
      "the user may not see after how many seconds the server aborts them",
      `${set}, and check it as an admin with db.adminCommand({ getParameter: 1, transactionLifetimeLimitSeconds: 1 })`,
    );
  const found = `the server aborts them after ${seconds} s`;
  if (seconds <= LONGEST_TRANSACTION_S) return ok(CHECKS.transactions, found);
  return warn(CHECKS.transactions, `${found}, for which the transaction of a killed process blocks others`, set);
}

function judgeScripting(isOn: boolean | null): SetupFinding {
  const advice = "Start every mongod with --noscripting";
  if (isOn === null) return skip(CHECKS.scripting, "it cannot be seen", advice);
  return isOn
    ? warn(CHECKS.scripting, "the server runs JavaScript in queries, and the service needs none", advice)
    : ok(CHECKS.scripting, "it is off");
}

async function checkRights(uri: string): Promise<SetupFinding> {
  const advice = "Give the user of MONGODB_URI the role readWrite on its database";
  const rights = await loadRights().catch(() => null);
  if (rights === null) return skip(CHECKS.user, "its rights cannot be seen", advice);
  if (rights.missing.length > 0) return fail(CHECKS.user, `it lacks the rights ${rights.missing.join(", ")}`, advice);
  if (rights.hasLogin) return ok(CHECKS.user, "it has all rights that the service needs");
  const isHere = readMongodbUri(uri).servers.every((server) => /^(localhost|127\.|\[::1\])/.test(server));
  return isHere
    ? ok(CHECKS.user, "the server needs no login, and its address is on this machine")
    : warn(
        CHECKS.user,
        "the server needs no login, so everyone who reaches it can read and change everything",
        "Switch on authorization, and make a user with the role readWrite",
      );
}

async function checkIndexes(): Promise<SetupFinding> {
  try {
    const { isNew, pendingMigrations, indexFaults } = await loadUnprepared();
    if (isNew) return skip(CHECKS.indexes, "the database is new, and the first start makes them");
    if (pendingMigrations === 0 && indexFaults.length === 0) return ok(CHECKS.indexes, "all are present");
    const named = indexFaults.slice(0, MOST_NAMED).join(", ");
    const more = indexFaults.length > MOST_NAMED ? ` and ${indexFaults.length - MOST_NAMED} more` : "";
    const faults = indexFaults.length === 0 ? [] : [`${named}${more} missing or different from this version`];
    const pending = pendingMigrations === 0 ? [] : [`${pendingMigrations} migrations have not run`];
    const advice = "Back up, then start the service, which prepares the database";
    return warn(CHECKS.indexes, [...pending, ...faults].join(", and "), advice);
  } catch (error) {
    if (error instanceof UnfitDatabase) return fail(CHECKS.indexes, error.message, null);
    return skip(CHECKS.indexes, "they cannot be read");
  }
}
