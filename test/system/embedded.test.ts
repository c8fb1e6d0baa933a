import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "@jest/globals";
import { Client, Connection } from "@temporalio/client";
import { TestWorkflowEnvironment } from "@temporalio/testing";
import { claim, launch, whenReady } from "../../embedded/child.ts";
import { startMongod } from "../../embedded/mongod.ts";
import { isAlive, writeRecord } from "../../embedded/pid-file.ts";
import { assertFree } from "../../embedded/ports.ts";
import { cacheThenRoads, install, type Road } from "../../embedded/programs/cache.ts";
import {
  find,
  onPath,
  type Program,
  type Source,
  sourceFromVariable,
  versionCheck,
} from "../../embedded/programs/find.ts";
import { findTemporal } from "../../embedded/programs/temporal-program.ts";
import { vendorRoad } from "../../embedded/programs/vendor.ts";
import { startTemporal } from "../../embedded/temporal.ts";
import { findTestServer } from "../../embedded/temporal-test-server.ts";
import { inPages } from "../support/temporal-pages.ts";
import { env, found, log, newFolder, until, useSetup } from "./embedded-setup.ts";

useSetup();

/** A program whose paths are their versions, and of which only versions that start with 2 are supported. */
const program: Program = {
  name: "gadget",
  remedy: "Set GADGET_BIN.",
  async check(path) {
    if (!path.startsWith("2")) throw new Error(`${path} is too old`);
    return path;
  },
};

function source(name: string, path?: string): Source {
  return {
    name,
    async find() {
      if (!path) throw new Error(`${name} is empty`);
      return path;
    },
  };
}

async function script(path: string, body: string): Promise<string> {
  await writeFile(path, `#!/bin/sh\n${body}\n`);
  await chmod(path, 0o755);
  return path;
}

async function listening(): Promise<{ server: Server; port: number }> {
  const server = createServer(() => {}).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || !address) throw new Error("not a TCP server");
  return { server, port: address.port };
}

test("the first source with a supported version is used, and later sources are not asked", async () => {
  const never: Source = { name: "never", find: () => Promise.reject(new Error("must not be asked")) };
  const sources = [source("GADGET_BIN"), source("PATH", "1.9"), source("cache", "2.1"), never];
  expect(await find(program, sources, log)).toEqual({ path: "2.1", version: "2.1", source: "cache" });
});

test("when no program is found, the error lists each source, why the source failed and which variable to set", async () => {
  const sources = [
    sourceFromVariable("GADGET_BIN", undefined),
    onPath("gadget", await newFolder()),
    source("cache", "1.0"),
  ];
  await expect(find(program, sources, log)).rejects.toThrow(
    "No usable gadget was found. Tried:\n  GADGET_BIN: not set\n  PATH: no gadget in it\n  cache: 1.0 is too old\nSet GADGET_BIN.",
  );
});

test("a configured binary that cannot be used is logged, even if another program is found", async () => {
  const lines: string[] = [];
  await find(program, [sourceFromVariable("GADGET_BIN", "1.9"), onPath("gadget", ""), source("cache", "2.1")], (line) =>
    lines.push(line),
  );
  expect(lines).toEqual(["GADGET_BIN: 1.9 is too old", "gadget 2.1: 2.1 (cache)"]);
});

test("a program is taken from the first PATH folder with an executable file of that name", async () => {
  const folder = await newFolder();
  const [plain, first, second] = [join(folder, "plain"), join(folder, "first"), join(folder, "second")];
  for (const path of [plain, first, second]) await mkdir(path);
  await writeFile(join(plain, "gadget"), "not executable");
  const wanted = await script(join(first, "gadget"), "");
  await script(join(second, "gadget"), "");
  expect(await onPath("gadget", ["", plain, first, second].join(":")).find()).toBe(wanted);
});

test.each([
  ["gadget v6.0.5", "6.0.5"],
  ["gadget v10.2.0", "10.2.0"],
])("a program that prints %s is accepted where version 6.0 is required", async (printed, version) => {
  const path = await script(join(await newFolder(), "gadget"), `echo '${printed}'`);
  expect(await versionCheck(/v(\d+\.\d+\.\d+)/, [6, 0])(path)).toBe(version);
});

test.each([
  ["echo gadget v5.9.9", /is 5\.9\.9, older than 6\.0/],
  ["echo hello", /names no version/],
  ["exit 3", /Command failed/],
])("a program whose version check runs `%s` is refused", async (body, reason) => {
  const path = await script(join(await newFolder(), "gadget"), body);
  await expect(versionCheck(/v(\d+\.\d+\.\d+)/, [6, 0])(path)).rejects.toThrow(reason);
});

test("a cached program is used before any download, whichever source the program came from", async () => {
  const cache = await newFolder();
  const road = (name: string): Road => ({
    name,
    entry: `gadget-${name}`,
    make: () => Promise.reject(new Error("must not be gone")),
  });
  const path = await script(join(cache, "gadget-second"), "");
  const any: Program = { ...program, check: async () => "2.0" };
  expect(await find(any, cacheThenRoads(any, cache, [road("first"), road("second")], log), log)).toMatchObject({
    path,
    source: "cache (gadget-second)",
  });
});

test("processes that start at the same time share one download, and never see a half-written program", async () => {
  const cache = await newFolder();
  const code = `
    import { appendFile, writeFile } from "node:fs/promises";
    import { install } from ${JSON.stringify(join(import.meta.dirname, "../../embedded/programs/cache.ts"))};
    const [cache] = process.argv.slice(1);
    const make = async (part) => {
      await appendFile(cache + "/fetches", "x");
      await writeFile(part, "");
      await new Promise((resolve) => setTimeout(resolve, 200));
      await writeFile(part, "whole");
    };
    const { readFile } = await import("node:fs/promises");
    const check = async (path) => {
      if ((await readFile(path, "utf8")) !== "whole") throw new Error("half written");
      return "2.0";
    };
    await install({ name: "gadget", remedy: "", check }, cache, { name: "fetch", entry: "gadget-2.0", make }, () => {});
  `;
  const args = ["--no-warnings", "--input-type=module", "-e", code, cache];
  const children = [1, 2, 3].map(() => spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] }));
  expect(await Promise.all(children.map((child) => once(child, "exit")))).toEqual([
    [0, null],
    [0, null],
    [0, null],
  ]);
  expect(await readFile(join(cache, "fetches"), "utf8")).toBe("x");
  expect((await readdir(cache)).filter((name) => name.endsWith(".part"))).toEqual([]);
});

test("a downloaded program that does not run on this machine is not kept in the cache", async () => {
  const cache = await newFolder();
  const make = (part: string) => writeFile(part, "broken");
  const check = () => Promise.reject(new Error("does not run"));
  await expect(
    install({ ...program, check }, cache, { name: "fetch", entry: "gadget-2.0", make }, log),
  ).rejects.toThrow("does not run");
  expect(await readdir(cache)).toEqual(["gadget-2.0.lock"]);
});

test("a vendor that does not answer is given up before the download is tried", async () => {
  const { server, port } = await listening();
  const road = vendorRoad(
    { name: "vendor", entry: "gadget", url: `http://127.0.0.1:${port}/`, script: "no-such-script.ts", args: [] },
    log,
  );
  await expect(road.make("gadget.part")).rejects.toThrow(`127.0.0.1:${port} does not answer`);
  server.close();
});

test("a taken port is refused with the process that holds the port and the variable that changes the port", async () => {
  const { server, port } = await listening();
  await expect(assertFree(port, "MONGOD_PORT")).rejects.toThrow(
    new RegExp(`^Port ${port} is taken by .+ \\(process ${process.pid}\\): .+MONGOD_PORT`),
  );
  const holder = startMongod({ dataDir: await newFolder(), port, ...found });
  await expect(holder).rejects.toThrow(/MONGOD_PORT/);
  server.close();
  await once(server, "close");
  await assertFree(port, "MONGOD_PORT");
});

test("an orphaned server recorded for the data folder is ended; an unrelated process with a recorded id is not", async () => {
  const home = await newFolder();
  const orphan = spawn("sleep", ["600"], { stdio: "ignore" });
  const stranger = spawn("sleep", ["601"], { stdio: "ignore" });
  const record = { port: 1, parent: 1, command: "600" };
  await writeRecord(home, "orphan", { ...record, pid: orphan.pid ?? 0 });
  await writeRecord(home, "stranger", { ...record, pid: stranger.pid ?? 0 });
  const ended = once(orphan, "exit");
  (await claim(home, "orphan"))();
  (await claim(home, "stranger"))();
  await ended;
  expect(isAlive(stranger.pid ?? 0)).toBe(true);
  stranger.kill();
});

test("a server that ignores SIGTERM is killed", async () => {
  const home = await newFolder();
  const script = "trap '' TERM; echo deaf; while :; do sleep 0.1; done";
  const child = await launch({ name: "stubborn", binary: "sh", args: ["-c", script], home, port: 1 });
  await until(async () => (await child.lastWords()).includes("deaf"));
  await child.stop();
  expect(child.exit()).toEqual({ code: null, signal: "SIGKILL" });
});

test("a server that has ended is not ready, even if another process answers on its port", async () => {
  const home = await newFolder();
  const child = await launch({ name: "brief", binary: "sh", args: ["-c", "echo taken; exit 3"], home, port: 1 });
  await child.exited;
  await expect(whenReady(child, "brief", async () => true)).rejects.toThrow(
    "brief ended with exit code 3; its last lines:\ntaken",
  );
});

test("Temporal keeps its workflows over a restart, and existing data gets new search attributes", async () => {
  const dataDir = await newFolder();
  const first = await startTemporal({ dataDir, port: 0, pages: null, searchAttributes: ["WorkspaceId"], ...found });
  await inTemporal(first.address, (client) =>
    client.workflow.start("waits", { workflowId: "kept", taskQueue: "nobody" }),
  );
  await first.stop();
  const second = await startTemporal({ dataDir, port: 0, pages: null, ...found });
  const kept = await inTemporal(second.address, (client) => client.workflow.getHandle("kept").describe());
  expect(kept.status.name).toBe("RUNNING");
  const attributes = await inTemporal(second.address, ({ connection }) =>
    connection.operatorService.listSearchAttributes({ namespace: "default" }),
  );
  expect(Object.keys(attributes.customAttributes ?? {})).toEqual(expect.arrayContaining(["WorkspaceId", "JobType"]));
  await second.stop();
});

inPages("a Temporal CLI that serves its web pages to everybody is used only when no web pages are wanted", async () => {
  const cli = join(await newFolder(), "temporal");
  await writeFile(cli, "#!/bin/sh\necho 'temporal version 1.9.1 (Server 1.32.1, UI 2.54.1)'\n", { mode: 0o755 });
  const lines: string[] = [];
  const search = { binary: cli, env, log: (line: string) => lines.push(line) };
  expect((await findTemporal(search)).path).toBe(cli);
  expect((await findTemporal({ ...search, withPages: true })).path).not.toBe(cli);
  expect(lines.join("\n")).toContain(`TEMPORAL_BIN: ${cli} answers everybody on its web pages`);
});

test.each(["linux", "win32"])(
  "a server ends when its parent process is killed, with the method for %s",
  async (platform) => {
    const script = fileURLToPath(new URL("./guarded-parent.ts", import.meta.url));
    const parent = spawn(process.execPath, ["--no-warnings", script, platform], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [printed] = await Promise.race([once(parent.stdout, "data"), once(parent, "exit")]);
    const pids: number[] = JSON.parse(String(printed));
    expect(pids.map(isAlive)).toEqual([true, true]);
    parent.kill("SIGKILL");
    await until(() => pids.every((pid) => !isAlive(pid)));
  },
);

test("the time-skipping test server that is found works with the Temporal SDK", async () => {
  const { path } = await findTestServer(undefined, env, log);
  const environment = await TestWorkflowEnvironment.createTimeSkipping({
    server: { executable: { type: "existing-path", path } },
  });
  expect(await environment.currentTimeMs()).toBeGreaterThan(0);
  await environment.teardown();
});

async function inTemporal<T>(
  address: string,
  use: (client: Client & { connection: Connection }) => Promise<T>,
): Promise<T> {
  const connection = await Connection.connect({ address });
  try {
    return await use(Object.assign(new Client({ connection }), { connection }));
  } finally {
    await connection.close();
  }
}
