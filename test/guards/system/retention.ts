import type { Guard } from "../guard.ts";

const RETENTION = "test/evidence/retention.test.ts";

export const RETENTION_GUARDS: Guard[] = [
  {
    guard: "Only emails that were stored before the cut lose their bodies",
    file: "store/evidence/old-texts.ts",
    text: "return { createdAt: trusted({ $lt: cut }), $or:",
    instead: "return { createdAt: trusted({ $lt: new Date(cut.getTime() * 2) }), $or:",
    test: RETENTION,
    only: "younger emails and emails of other workspaces",
  },
  {
    guard: "An email of unknown outcome keeps its text",
    file: "store/evidence/old-texts.ts",
    text: 'const FINAL = ["SENT", "BOUNCED"];',
    instead: 'const FINAL = ["SENT", "BOUNCED", "UNKNOWN"];',
    test: RETENTION,
  },
  {
    guard: "Only finished jobs that are old enough are deleted",
    file: "store/evidence/retention.ts",
    text: "{ finishedAt: trusted({ $lt: cut }) }",
    instead: "{ finishedAt: trusted({ $lt: new Date() }) }",
    test: RETENTION,
    only: "old finished jobs are deleted",
  },
  {
    guard: "The network of a hit is removed on its day",
    file: "store/tracking/hits.ts",
    text: "const isOver = address === null || (endsOn !== null && endsOn <= today);",
    instead: "const isOver = address === null;",
    test: RETENTION,
    only: "the network of a hit is removed",
  },
  {
    guard: "A new retention can be corrected before its first round",
    file: "store/evidence/retention.ts",
    text: "isAny ? new Date(Date.now() + FIRST_AFTER_MS) : null",
    instead: "isAny ? new Date(Date.now()) : null",
    test: RETENTION,
    only: "the bodies of old emails are emptied",
  },
  {
    guard: "The worker takes the daily rounds",
    file: "worker/purger.ts",
    text: "      await retainAll(turn);\n",
    instead: "",
    test: "test/evidence/purge.test.ts",
    only: "the worker takes the daily round",
  },
];
