import { expect, test } from "@jest/globals";
import { buildIdOfSources } from "../../runtime/build-id.ts";
import { checkTemporal } from "../../runtime/doctor/temporal.ts";
import { loadDeployment, setCurrentVersion } from "../../temporal/deployment.ts";
import { startRun } from "../../temporal/run.ts";
import { dnsCheckRun } from "../../temporal/runs.ts";
import { until } from "../fakes/wait.ts";
import { command } from "../support/command.ts";
import { useVersions } from "./versioned-workers.ts";

/** `npm run deployment`: how an operator shows and changes which version of the workers gets the work. */
const OWN = buildIdOfSources();
const OLD = "1.1.0-old";
const DEADLINE = { deadlineMs: 60_000 };

const versions = useVersions();

function deployment(...args: string[]) {
  const { address, namespace } = versions.where;
  return command({ TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace }, "deployment", args);
}

function refusal(text: string) {
  return { code: 1, out: "", err: expect.stringContaining(text) };
}

async function versionFinding() {
  const { address, namespace } = versions.where;
  const findings = await checkTemporal({ connection: { address }, namespace }, { isEmbedded: false });
  return findings.find(({ check }) => check === "Worker version");
}

async function shows(line: string): Promise<void> {
  await until(async () => (await deployment("show")).out.includes(line), { ...DEADLINE, what: line });
}

test("the operator ramps a version, gives it all work and takes it back; each step without workers is refused", async () => {
  await versions.start(OLD);
  await versions.makeCurrent(OLD);
  await shows(`${OLD}  CURRENT  workers on every queue`);
  expect(await deployment("rollback")).toEqual(refusal("names no other version that was current before"));
  expect(await deployment("current")).toEqual(refusal(`does not know the version ${OWN}`));
  expect(await deployment("ramp", "0")).toEqual(refusal("No version gets a share"));

  await versions.start(OWN, ["engine", "smtp"]);
  await shows(`${OWN}  INACTIVE  no workers on the queues imap, webhook, feed, jobs  (the version of this program)`);
  for (const args of [["current"], ["ramp", "10"]])
    expect(await deployment(...args)).toEqual(refusal("polls the queues imap, webhook, feed, jobs"));
  expect(await versions.current()).toBe(OLD);
  await versions.start(OWN, ["imap", "webhook", "feed", "jobs"]);
  await shows(`${OWN}  INACTIVE  workers on every queue`);
  expect(await versionFinding()).toMatchObject({ status: "WARN", found: `${OLD} gets all work, and ${OWN} waits` });

  expect(await deployment("ramp", "20")).toMatchObject({
    code: 0,
    out: `${OWN} gets 20 % of the work now, ${OLD} the rest\n`,
  });
  expect(await versionFinding()).toMatchObject({
    status: "OK",
    found: `${OLD} is current, and ${OWN} gets 20 % of the work`,
  });
  expect(await deployment("show")).toMatchObject({ out: expect.stringContaining(`${OWN}  RAMPING 20 %`) });
  expect(await deployment("rollback")).toMatchObject({ code: 0, out: `${OLD} gets all work again\n` });
  expect((await loadDeployment(versions.client))?.ramp).toBeNull();
  expect(await deployment("ramp", "20")).toMatchObject({ code: 0 });
  expect(await deployment("ramp", "20", OLD)).toEqual(refusal("`ramp 0` ends the ramp"));
  expect(await deployment("current", OLD)).toMatchObject({ code: 0, out: `${OLD} gets all work again\n` });
  expect((await loadDeployment(versions.client))?.ramp).toBeNull();

  expect(await deployment("current")).toMatchObject({ code: 0, out: `${OWN} is current now and gets all work\n` });
  expect(await deployment("current")).toMatchObject({ code: 0, out: `${OWN} is current already\n` });
  expect(await deployment("ramp", "50")).toEqual(refusal("gets all work already"));
  expect(await deployment("rollback")).toMatchObject({ code: 0, out: `${OLD} is current again and gets all work\n` });
  expect(await versions.current()).toBe(OLD);
}, 240_000);

test("a way back is refused while an open run cannot continue on the older version, in a rollback as in a ramp that ends or shrinks", async () => {
  expect(await deployment("current")).toMatchObject({ code: 0 });
  const ids = { v: 1, workspaceId: "wsp_1", mailboxId: "mbx_1", probeId: "snd_1" } as const;
  const probe = await startRun(versions.client, dnsCheckRun(ids));
  const query = "WorkflowType = 'verifyMailboxDns' AND TemporalChangeVersion = 'probe-waits'";
  const isWaiting = async () => (await versions.client.workflow.count(query)).count === 1;
  await until(isWaiting, { ...DEADLINE, what: "a probe that waits" });
  const refused = refusal(`1 open run of verifyMailboxDns cannot continue on ${OLD}`);
  for (const args of [["rollback"], ["current", OLD], ["ramp", "10", OLD]])
    expect([args, await deployment(...args)]).toEqual([args, refused]);
  expect(await versions.current()).toBe(OWN);
  expect(await setCurrentVersion(versions.client, OLD)).toBeNull();
  expect(await deployment("ramp", "20")).toMatchObject({ code: 0 });
  expect(await deployment("ramp", "30")).toMatchObject({ code: 0 });
  for (const args of [["rollback"], ["current", OLD], ["ramp", "0"], ["ramp", "10"]])
    expect([args, await deployment(...args)]).toEqual([args, refused]);
  expect((await loadDeployment(versions.client))?.ramp).toEqual({ buildId: OWN, percent: 30 });
  expect(await deployment("current")).toMatchObject({ code: 0 });
  await probe.terminate();
  const isOver = async () => (await deployment("rollback")).code === 0;
  await until(isOver, { ...DEADLINE, what: "the rollback" });
  expect(await versions.current()).toBe(OLD);
}, 120_000);
