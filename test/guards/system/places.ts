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
  {
    guard: "A wrong build has an exit code of its own, so that the job of the Helm chart is not repeated",
    file: "api/cli/database-prepare.ts",
    text: "process.exitCode = 2",
    instead: "process.exitCode = 1",
    test: PREPARE,
    only: "for another build",
  },
  {
    guard: "SIGTERM ends the preparation of the database, also in the first process of a container",
    file: "api/cli/database.ts",
    text: "const stop = () => stopping.abort()",
    instead: "const stop = () => {}",
    test: PREPARE,
    only: "SIGTERM ends it",
  },
  {
    guard: "A certificate authority that is no certificate is refused by the name of its setting",
    file: "config.ts",
    text: "if (caPath !== null) new X509Certificate",
    instead: "if (caPath === undefined) new X509Certificate",
    test: HOSTED,
    only: "TLS file without",
  },
  {
    guard: "A client certificate that is no certificate is refused by the name of its setting",
    file: "config.ts",
    text: "if (certPath !== null) createSecureContext",
    instead: "if (certPath === undefined) createSecureContext",
    test: HOSTED,
    only: "TLS file without",
  },
  {
    guard: "A file that is no private key is refused by the name of its setting",
    file: "config.ts",
    text: "if (keyPath !== null) createSecureContext",
    instead: "if (keyPath === undefined) createSecureContext",
    test: HOSTED,
    only: "TLS file without",
  },
  {
    guard: "A private key of another certificate is refused by the name of its setting",
    file: "config.ts",
    text: "if (pair.every((part) => part)) createSecureContext",
    instead: "if (pair.length === 0) createSecureContext",
    test: HOSTED,
    only: "TLS file without",
  },
  {
    guard: "Doctor reports TLS settings that the Temporal library refuses, instead of ending",
    file: "runtime/doctor/temporal.ts",
    text: "return withSkipped([reportUnusable()], UNSEEN);",
    instead: "throw new Error();",
    test: HOSTED,
    only: "certificate in a variable",
  },
];
