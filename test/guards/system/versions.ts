import type { Guard } from "../guard.ts";

/** Which version of the workers gets the work, and how workers end. */
const TEST = "test/system/versions.test.ts";
const COMMAND = "test/system/deployment-command.test.ts";

export const VERSIONS: Guard[] = [
  {
    guard: "a version does not become current by itself while the current one has workers on every queue",
    file: "worker/deployment.ts",
    text: "if (unservedSince === null || performance.now() - unservedSince < unservedMs) return followMs;",
    instead: "",
    test: TEST,
  },
  {
    guard: "a version gets work only if its workers poll every queue",
    file: "runtime/deployment.ts",
    text: "if (without.length === 0) return;",
    instead: "if (without.length >= 0) return;",
    test: COMMAND,
  },
  {
    guard: "a rollback is refused while an open run cannot continue on the version before",
    file: "runtime/deployment.ts",
    text: "await assertReplays(client, buildId);",
    instead: "",
    test: COMMAND,
  },
  {
    guard: "a run that stays on its version ends by itself when the workers of that version are gone",
    file: "temporal/run.ts",
    text: "...(isPinned(workflow) && { workflowExecutionTimeout: PINNED_TIMEOUT }),",
    instead: "",
    test: TEST,
  },
  {
    guard: "workers of another version than the current one do not hide that it has none",
    file: "temporal/missing.ts",
    text: "if (queues.length === 0) continue;",
    instead: "continue;",
    test: "test/system/versions.deep.test.ts",
  },
  {
    guard: "a worker whose poller has failed is not ready",
    file: "api/health.ts",
    text: "&& (worker === undefined || isPolling(worker))",
    instead: "",
    test: TEST,
  },
  {
    guard: "a worker ends within the 30 seconds after which Kubernetes kills it",
    file: "config.ts",
    text: ".default(28)",
    instead: ".default(68)",
    test: "test/rules/compose-file.test.ts",
  },
];
