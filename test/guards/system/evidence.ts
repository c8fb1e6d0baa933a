import type { Guard } from "../guard.ts";

const EXPORT = "test/evidence/export.test.ts";
const PURGE = "test/evidence/purge.test.ts";
const EVIDENCE = "test/evidence/evidence.test.ts";

/** The export of a workspace, its remains after deletion, and the evidence about a lead. */
export const EVIDENCE_GUARDS: Guard[] = [
  {
    guard: "A field that is marked as a secret is in no export",
    file: "mongo/schema.ts",
    text: 'Reflect.get(options, "isSecret") !== true',
    instead: 'Reflect.get(options, "isSecret") !== 1',
    test: EXPORT,
    only: "every collection is described",
  },
  {
    guard: "A sealed value is in no export, even where no field is marked",
    file: "domain/evidence/export-lines.ts",
    text: "return isSealed ? null : value;",
    instead: "return isSealed && false ? null : value;",
    test: EXPORT,
    only: "an export contains every document",
  },
  {
    guard: "Who may not read everything exports nothing",
    file: "operations/evidence/export-workspace.ts",
    text: 'ALL_SCOPES.filter((scope) => scope.endsWith(":read"));',
    instead: 'ALL_SCOPES.filter((scope) => scope === "account:read" && scope.endsWith(":none"));',
    test: EXPORT,
    only: "an export requires all scopes",
  },
  {
    guard: "The link of a deleted workspace's export opens nothing",
    file: "operations/export-at.ts",
    text: "if (!(await isStanding(workspaceId))) return null;",
    instead: "void isStanding;",
    test: EXPORT,
    only: "the download link of an export",
  },
  {
    guard: "An export has no file of an earlier export",
    file: "store/evidence/export-part.ts",
    text: "$not: { $gte: EXPORT_FILE,",
    instead: '$not: { $gte: "zzzz",',
    test: EXPORT,
    only: "a page that two workers",
  },
  {
    guard: "A purge that another process is at is left to it",
    file: "store/purge-workspaces.ts",
    text: "{ $and: [...due, free] }",
    instead: "{ $and: free === null ? [] : due }",
    test: PURGE,
    only: "an interrupted purge",
  },
  {
    guard: "What is written during a purge is purged",
    file: "store/purge-workspaces.ts",
    text: "while ((await purgeRound(workspaceId, { ...(endRuns && { endRuns }), afterChunk })) > 0);",
    instead: "await purgeRound(workspaceId, { ...(endRuns && { endRuns }), afterChunk });",
    test: PURGE,
    only: "documents written during",
  },
  {
    guard: "The runs of what is purged are ended",
    file: "worker/purger.ts",
    text: "await Promise.all(ids.map((id) => calls(() => endRun(client, id, ENDED))));",
    instead: "void [client, ids, calls, endRun, ENDED];",
    test: PURGE,
    only: "the workspace's open runs",
  },
  {
    guard: "A link whose mail a restore may have lost does not say that nothing more will come",
    file: "operations/suppression/unsubscribe.ts",
    text: "&& !(await wasLostInRestore(madeAt))",
    instead: "&& wasLostInRestore !== null",
    test: PURGE,
    only: "an unsubscribe link shows",
  },
  {
    guard: "A file of evidence with a changed line is not genuine",
    file: "domain/evidence/signature.ts",
    text: "if (!verify(null, lines, createPublicKey(key.publicKey), value))",
    instead: "if (verify(null, lines, createPublicKey(key.publicKey), value) === null)",
    test: EVIDENCE,
    only: "any changed byte",
  },
  {
    guard: "A signature has one spelling",
    file: "domain/evidence/signature.ts",
    text: "if (!last.equals(Buffer.from(signatureLine(keyId, value))))",
    instead: "if (last.length === 0)",
    test: EVIDENCE,
    only: "any changed byte",
  },
];
