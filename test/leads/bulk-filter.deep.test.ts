import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { scoped } from "../../models/scoped.ts";
import { until } from "../fakes/wait.ts";
import { leads, useSetup, whenEnded, world } from "./bulk-filter-setup.ts";

useSetup();

test("a bulk change by a filter affects only leads that match at the call, and all of them unless the job is cancelled, whatever changes meanwhile", async () => {
  const step = fc.constantFrom("create", "delete", "tag", "cancel", "wait");
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 6 }), async (steps) => {
      const { rest, workspaceId } = await world.workspace();
      await leads(rest, 450, "a");
      const { Job, Lead } = scoped(workspaceId);
      const before = new Set((await Lead.find({ tags: "a" })).map(({ _id }) => _id));
      const call = rest.post("/leads/manage", { action: "bulkAddTags", tags: ["b"], filter: { tags: "a" } });
      await until(async () => (await Job.count({})) > 0, { deadlineMs: 20_000, what: "the job" });
      const [job] = await Job.find({});
      const jobId = job?._id ?? "";
      for (const [at, what] of steps.entries()) {
        if (what === "create") await rest.post("/leads", { email: `late${at}@x.example`, tags: ["a"] });
        if (what === "delete") await rest.post("/leads/manage", { action: "delete", leadId: [...before][at * 40] });
        if (what === "tag")
          await rest.post("/leads/manage", { action: "bulkRemoveTags", tags: ["a"], ids: [...before].slice(-20) });
        if (what === "cancel") await rest.post(`/jobs/${jobId}/cancel`);
        if (what === "wait") await call;
      }
      await call;
      const end = await whenEnded(rest, jobId);
      const now = await Lead.find({});
      const changed = now.filter(({ tags }) => tags.includes("b"));
      expect(changed.every(({ _id }) => before.has(_id))).toBe(true);
      if (end.status === "COMPLETED") expect(changed).toHaveLength(now.filter(({ _id }) => before.has(_id)).length);
      else expect([end.status, end.result.changed >= changed.length]).toEqual(["CANCELLED", true]);
    }),
    { numRuns: 8 },
  );
}, 120_000);
