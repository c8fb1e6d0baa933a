import type { Guard } from "../guard.ts";

/** The checks of `npm run doctor`. */
const [FAST, DEEP] = ["test/system/doctor.test.ts", "test/system/doctor.deep.test.ts"];

export const DOCTOR: Guard[] = [
  {
    guard: "doctor ends with exit code 1 when a check failed",
    file: "api/cli/doctor.ts",
    text: "process.exitCode = hasFailure(findings) ? 1 : 0;",
    instead: "",
    test: FAST,
    only: "example value as SECRET_KEY",
  },
  {
    guard: "doctor notices a SECRET_KEY that does not open the stored secrets",
    file: "runtime/doctor/settings.ts",
    text: "if (!(error instanceof AppError))",
    instead: "if (error instanceof Error)",
    test: FAST,
    only: "does not open the stored secrets",
  },
  {
    guard: "doctor notices that PUBLIC_URL leads to another deployment",
    file: "runtime/doctor/public-url.ts",
    text: "const isOurs = keys.some(({ publicKey }) => served.includes(publicKey));",
    instead: "const isOurs = true;",
    test: FAST,
    only: "leads to another deployment",
  },
  {
    guard: "doctor warns of a certificate that ends within 14 days",
    file: "runtime/doctor/public-url.ts",
    text: "if (days >= FEWEST_DAYS)",
    instead: "if (days >= 0)",
    test: FAST,
    only: "certificate trusted and valid for 14 days",
  },
  {
    guard: "doctor notices missing search attributes",
    file: "runtime/doctor/temporal.ts",
    text: "if (unusable.length === 0)",
    instead: "if (unusable.length >= 0)",
    test: FAST,
    only: "without search attributes",
  },
  {
    guard: "doctor notices clocks that differ",
    file: "runtime/doctor/clock.ts",
    text: "const byMs = Math.abs(aheadMs);",
    instead: "const byMs = 0 * aheadMs;",
    test: FAST,
    only: "a clock of MongoDB",
  },
  {
    guard: "doctor recognises a standalone server behind an address that names a replica set",
    file: "mongo/diagnosis.ts",
    text: 'if (hello["setName"] === undefined) return "STANDALONE";',
    instead: "",
    test: DEEP,
    only: "a standalone server",
  },
  {
    guard: "doctor notices that no majority confirms a write",
    file: "mongo/diagnosis.ts",
    text: 'code === WRITE_CONCERN_FAILED ? "LATE"',
    instead: 'code === WRITE_CONCERN_FAILED ? "CONFIRMED"',
    test: DEEP,
    only: "no majority confirms",
  },
  {
    guard: "doctor notices rights that the user of MongoDB lacks",
    file: "mongo/diagnosis.ts",
    text: "NEEDED.filter((one) => !held.includes(one))",
    instead: "NEEDED.filter(() => false)",
    test: DEEP,
    only: "without the rights of readWrite",
  },
  {
    guard: "doctor notices a missing index",
    file: "mongo/indexes.ts",
    text: "const missing = one.indexes.flatMap(({ name }) => (names.has(name) ? [] : [name]));",
    instead: "const missing = one.indexes.flatMap(({ name }) => (names.has(name) ? [] : []));",
    test: DEEP,
    only: "a missing index",
  },
  {
    guard: "The address of a replica set may name several servers with their ports",
    file: "mongo/uri.ts",
    text: 'servers: servers.split(",").filter(Boolean)',
    instead: "servers: [servers]",
    test: "test/database/connection.test.ts",
  },
];
