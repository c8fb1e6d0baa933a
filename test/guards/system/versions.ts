import type { Guard } from "../guard.ts";

/** Which version of the workers gets the work, and how workers end. */
const TEST = "test/system/versions.test.ts";
const FOLLOWING = "test/system/version-following.test.ts";
const COMMAND = "test/system/deployment-command.deep.test.ts";

export const VERSIONS: Guard[] = [
  {
    guard: "a version does not become current by itself while the current one has a worker on any queue",
    file: "worker/deployment.ts",
    text: "!isPolledBy(polling, other) &&",
    instead: "",
    test: FOLLOWING,
  },
  {
    guard: "a version does not become current by itself unless its workers poll every queue",
    file: "worker/deployment.ts",
    text: "&& queuesWithout(polling, buildId).length === 0",
    instead: "",
    test: FOLLOWING,
  },
  {
    guard: "no share of the work stays with another version when a version gets all work",
    file: "temporal/deployment.ts",
    text: "if (now?.ramp) await requestRamp(client, null, 0, now.token);",
    instead: "",
    test: FOLLOWING,
  },
  {
    guard: "a refusal of Temporal does not end the following of a version",
    file: "worker/deployment.ts",
    text: 'failure.refusal === "UNIMPLEMENTED" ? null : refusedMs',
    instead: "null",
    test: FOLLOWING,
  },
  {
    guard: "a Temporal server that does not describe the versions of the workers is not reported as unreachable",
    file: "temporal/missing.ts",
    text: "return loadDeployment(client, VERSIONS_MS).catch(() => null);",
    instead: "return loadDeployment(client, VERSIONS_MS);",
    test: FOLLOWING,
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
    text: "assertServed(deployment, polling, buildId); await assertReplays(client, buildId);",
    instead: "assertServed(deployment, polling, buildId);",
    test: COMMAND,
  },
  {
    guard: "a ramp does not end or shrink while an open run cannot continue on the current version",
    file: "runtime/deployment.ts",
    text: "if (count === 0) continue;",
    instead: "continue;",
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
    test: FOLLOWING,
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
