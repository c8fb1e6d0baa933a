import { expect, test } from "@jest/globals";
import { checkTemporal } from "../../runtime/doctor/temporal.ts";
import { loadDeployment, setRampingVersion } from "../../temporal/deployment.ts";
import { createMissingCheck } from "../../temporal/missing.ts";
import { until } from "../fakes/wait.ts";
import { useVersions } from "./versioned-workers.ts";

const [OLD, NEW] = ["1.1.0-old", "1.2.0-new"];
const DEADLINE = { deadlineMs: 60_000 };
/** Longer than a worker that has ended counts as one that polls. */
const SILENCE = { deadlineMs: 150_000 };

const versions = useVersions();

const missing = () => createMissingCheck(() => versions.client)();

async function versionFinding() {
  const { address, namespace } = versions.where;
  const findings = await checkTemporal({ connection: { address }, namespace }, { isEmbedded: false });
  return findings.find(({ check }) => check === "Worker version");
}

test("when the workers of the current version end, /readyz and doctor say so, and a version with workers on every queue takes over, also from a ramp and a ramp that is left", async () => {
  await Promise.all([versions.start(OLD), versions.start(NEW)]);
  await versions.makeCurrent(NEW);
  await until(async () => (await missing()).length === 0, { ...DEADLINE, what: "workers on every queue" });
  expect(await setRampingVersion(versions.client, OLD, 10)).toBeNull();
  await versions.stop(NEW);
  const isReported = async () =>
    (await missing()).some(({ message }) => message.includes(`No worker of version ${NEW}`));
  await until(isReported, { ...SILENCE, what: "the missing workers to be reported" });
  const isFailed = async () => (await versionFinding())?.status === "FAIL";
  await until(isFailed, { ...SILENCE, what: "doctor to fail" });
  expect(await versionFinding()).toMatchObject({ advice: expect.stringContaining("npm run deployment") });
  const older = versions.follow(OLD);
  await until(() => older.state() === "CURRENT", { ...DEADLINE, what: "the older version to take over" });
  expect(versions.lines.join("")).toContain("has taken it over");
  expect(await loadDeployment(versions.client)).toMatchObject({ current: OLD, ramp: null });
  expect(await setRampingVersion(versions.client, NEW, 10)).toBeNull();
  const isEnded = async () => (await loadDeployment(versions.client))?.ramp === null;
  await until(isEnded, { ...DEADLINE, what: "the ramp without workers to end" });
  await until(async () => (await missing()).length === 0, { ...DEADLINE, what: "workers of the current version" });
}, 400_000);
