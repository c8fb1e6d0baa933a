import type { Guard } from "./guard.ts";

export const STORE: Guard[] = [
  {
    guard: "What a later version asks of the outbox is not settled by one that does not know it",
    file: "worker/follow.ts",
    text: '      throw unknown("kind", kind);',
    instead: "      return;",
    test: "test/system/stored-outbox.test.ts",
    only: "an outbox row of a later version",
  },
  {
    guard: "Of processes that start at once one alone prepares the database",
    file: "mongo/lease.ts",
    text: "    if ((await rows.updateOne(isOver, held)).matchedCount === 0) return null;",
    instead: "    await rows.updateOne({ _id }, held);",
    test: "test/system/migrations.test.ts",
    only: "of processes that start at once",
  },
  {
    guard: "A process that has lost its lease on the database takes down no migration as done",
    file: "mongo/lease.ts",
    text: "    else lose();",
    instead: "",
    test: "test/system/migrations.test.ts",
    only: "has lost its lease",
  },
  {
    guard: "A program leaves a database alone that a newer one has migrated",
    file: "mongo/migrate.ts",
    text: "  if (newest > last) {",
    instead: "  if (newest < 0) {",
    test: "test/system/migrations.test.ts",
    only: "a newer program has migrated",
  },
  {
    guard: "Nobody uses an index that another process has under construction",
    file: "mongo/migrate.ts",
    text: "!isLeased && ",
    instead: "",
    test: "test/system/migrations.test.ts",
    only: "a process that finds another one migrating",
  },
  {
    guard: "An index whose keys or options changed under its name is built anew",
    file: "mongo/indexes.ts",
    text: "  return found.filter((index) => !wanted.has(described(index))).map(({ name }) => name);",
    instead: "  return found.filter(({ name }) => !indexes.some((index) => index.name === name)).map(({ name }) => name);",
    test: "test/system/migrations.test.ts",
    only: "under the same name is rebuilt",
  },
];
