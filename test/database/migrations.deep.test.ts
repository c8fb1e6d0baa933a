import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "@jest/globals";
import { type Migration, migrate } from "../../mongo/migrate.ts";
import { until } from "../fakes/wait.ts";
import { counted, db, done, LEASE_MS, numbers, rows, uri, useSetup } from "./migrations-setup.ts";

useSetup();

test("other processes wait while a process migrates; when that process is killed, a waiting process runs the interrupted migration", async () => {
  const script = fileURLToPath(new URL("./migrator.ts", import.meta.url));
  const child = spawn(process.execPath, ["--no-warnings", script, uri, db.databaseName, String(LEASE_MS)], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = once(child, "exit");
  await until(async () => (await done().findOne({ _id: "half" })) !== null, {
    deadlineMs: 60_000,
    what: "the second migration",
  });
  const lease = () => rows().findOne({ _id: "lease" });
  const first = await lease();
  const ran: number[] = [];
  const again = (number: number): Migration => ({ ...counted(number), run: async () => void ran.push(number) });
  const next = migrate(db, { migrations: [again(1), again(2)], collections: [], leaseMs: LEASE_MS });
  const isPast = async () => ((await lease())?.until?.getTime() ?? 0) > (first?.until?.getTime() ?? 0) + LEASE_MS;
  await until(isPast, { deadlineMs: 60_000, what: "the lease to outlive its first time" });
  expect([ran, (await lease())?.holder]).toEqual([[], first?.holder]);

  child.kill("SIGKILL");
  await ended;
  await next;
  expect([ran, await numbers()]).toEqual([[2], [1, 2]]);
});
