import { expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { agentOf } from "../support/mcp.ts";
import { dailyRound, dns, mailbox, useSetup, world } from "./dns-setup.ts";

useSetup();

test("a tracking domain fails at the third failed daily check in a row, and a passed check restarts the count", async () => {
  const { rest, id, Mailbox } = await mailbox();
  const round = async () => {
    await Mailbox.updateOne({ _id: id }, { $set: { "trackingDomain.checkedAt": new Date(0) } });
    await world.temporal?.client.workflow.execute("dailyDnsChecks", {
      taskQueue: "engine",
      workflowId: newId("tst"),
      args: [],
    });
    return (await rest.get(`/mailboxes/${id}`)).body.trackingDomain.status;
  };
  await rest.post("/mailboxes/tracking-domain", { action: "set", mailboxId: id, domain: "track.sender.test" });
  expect(await round()).toBe("PENDING");
  dns.zone["track.sender.test"] = { CNAME: ["localhost"] };
  expect(await round()).toBe("VERIFIED");
  delete dns.zone["track.sender.test"];
  expect([await round(), await round(), await round()]).toEqual(["VERIFIED", "VERIFIED", "FAILED"]);
});

test("the daily check fails the workspace's tracking domain at the third fault in a row, and a passed check verifies the domain again", async () => {
  const { key, rest, workspaceId } = await world.workspace();
  const agent = await agentOf(world, key);
  const call = async (args: Record<string, unknown> = {}) => (await agent.call("workspace_tracking_domain", args)).body;
  const server = { host: "localhost", port: 1, security: "SSL_TLS" as const };
  for (const email of ["ann@sender.test", "bob@elsewhere.test"])
    await scoped(workspaceId).Mailbox.insert({ _id: newId("mbx"), email, username: email, smtp: server, imap: server });
  /** Which mailboxes say that they cannot be tracked any more. */
  const troubled = async () => {
    const items = (await rest.get("/mailboxes")).body;
    const failed = items.filter(({ health }: { health: { issues: string[] } }) =>
      health.issues.includes("TRACKING_DOMAIN_FAILED"),
    );
    return failed.map(({ email }: { email: string }) => email);
  };
  await call({ action: "set", domain: "track.sender.test" });
  const statuses = async (rounds: number) => {
    const seen: string[] = [];
    for (let round = 0; round < rounds; round++) {
      await dailyRound(workspaceId);
      seen.push((await call()).status);
    }
    return seen;
  };
  dns.zone["track.sender.test"] = { CNAME: ["localhost"] };
  expect(await statuses(1)).toEqual(["VERIFIED"]);
  dns.zone["track.sender.test"] = "servfail";
  expect(await statuses(3)).toEqual(["VERIFIED", "VERIFIED", "VERIFIED"]);
  dns.zone["track.sender.test"] = { CNAME: ["elsewhere.test"] };
  expect(await statuses(3)).toEqual(["VERIFIED", "VERIFIED", "FAILED"]);
  expect(await call()).toMatchObject({ status: "FAILED", error: "The CNAME record of the domain points elsewhere" });
  expect(await troubled()).toEqual(["ann@sender.test"]);
  dns.zone["track.sender.test"] = { CNAME: ["localhost"] };
  expect(await statuses(1)).toEqual(["VERIFIED"]);
  expect(await troubled()).toEqual([]);
  await call({ action: "remove" });
  await agent.close();
});
