import type { Guard } from "../guard.ts";

const ORDERS = "test/database/leases.test.ts";
const TABLE = "test/database/shared-work.test.ts";

/** How processes share the outbox and the loops of queue `engine`. */
export const SHARED_WORK_GUARDS: Guard[] = [
  {
    guard: "A process stops before its lease is over, by its own clock",
    file: "mongo/lease-holder.ts",
    text: "const isHeld = ({ kind, parts }: Use) => nowMs() < endsAt && ",
    instead: "const isHeld = ({ kind, parts }: Use) => ",
    test: ORDERS,
  },
  {
    guard: "A lease is measured from before the renewal was asked for",
    file: "mongo/lease-holder.ts",
    text: "endsAt = askedAt + LEASE_MS",
    instead: "endsAt = nowMs() + LEASE_MS",
    test: ORDERS,
  },
  {
    guard: "Clocks may run apart while a lease lasts",
    file: "mongo/lease-holder.ts",
    text: "LEASE_MS - MARGIN_MS",
    instead: "LEASE_MS",
    test: ORDERS,
  },
  {
    guard: "A table that another process has changed since it was read is not replaced",
    file: "mongo/lease-holder.ts",
    text: "if (await store.replace(table.version, plan)) {",
    instead: "if ((await store.replace(table.version, plan)) || true) {",
    test: ORDERS,
  },
  {
    guard: "No part is taken from a process with a lease",
    file: "mongo/lease-plan.ts",
    text: "(holder.until > table.at && !isGone(holder))",
    instead: "!isGone(holder)",
    test: ORDERS,
  },
  {
    guard: "The table in the database is replaced only in the version that was read",
    file: "mongo/leases.ts",
    text: "updateOne({ _id: TABLE, version }, change)",
    instead: "updateOne({ _id: TABLE }, change)",
    test: TABLE,
    only: "another process has written",
  },
  {
    guard: "Parts in use are not given up",
    file: "mongo/lease-plan.ts",
    text: "if (!isBusy(kind, part)) owners",
    instead: "owners",
    test: TABLE,
    only: "parts in use",
  },
  {
    guard: "Parts that must be given up come into no new use",
    file: "mongo/lease-holder.ts",
    text: ".filter((part) => !isIn(excess, kind, part)) : []",
    instead: " : []",
    test: TABLE,
    only: "parts in use",
  },
  {
    guard: "The id of a process says nothing on another machine",
    file: "mongo/process-mark.ts",
    text: "place === undefined || place !== placeOfProcess()",
    instead: "place === undefined",
    test: TABLE,
    only: "died on the same machine",
  },
  {
    guard: "A round runs in one process",
    file: "worker/rounds.ts",
    text: "const work = share.use(({ lost }) => round(lost));",
    instead: "const work = share.use(({ lost }) => round(lost)) ?? round(stopping.signal);",
    test: TABLE,
    only: "rounds are repeated",
  },
  {
    guard: "A row without a part is executed by the process of its workspace alone",
    file: "worker/dispatcher.ts",
    text: "parts.has(outboxPartOf(workspaceId))",
    instead: "parts.has(outboxPartOf(workspaceId)) || true",
    test: "test/system/shared-outbox.test.ts",
    only: "two processes share the outbox",
  },
];
