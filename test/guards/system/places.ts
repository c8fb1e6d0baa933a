import type { Guard } from "../guard.ts";

/** Where the service runs: hosted Temporal servers, and the database before an installation. */
const HOSTED = "test/system/hosted-temporal.test.ts";
const PREPARE = "test/system/database-prepare.test.ts";

export const PLACES: Guard[] = [
  {
    guard: "A certificate for Temporal without its key is refused, because it would be left out silently",
    file: "config.ts",
    text: "if (unset.length === 1)",
    instead: "if (unset.length > 2)",
    test: HOSTED,
    only: "certificate without its key",
  },
  {
    guard: "A file for TLS that cannot be read is refused by the name of its setting",
    file: "config.ts",
    text: "path === null || isReadable(path)",
    instead: "path === null || isReadable(path) || true",
    test: HOSTED,
    only: "certificate without its key",
  },
  {
    guard: "An empty variable of Temporal counts as unset, while its library would read it as a path",
    file: "config.ts",
    text: "(value ? [[name, value]] : [])",
    instead: "(value != null ? [[name, value]] : [])",
    test: HOSTED,
    only: "empty variable",
  },
  {
    guard: "A database is not migrated by another build than the one that the operator names",
    file: "api/cli/database-prepare.ts",
    text: "return expected === buildId ? null",
    instead: "return expected !== null ? null",
    test: PREPARE,
    only: "for another build",
  },
];
