import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../embedded/ports.ts";
import { until } from "../fakes/wait.ts";

/** A real rspamd with the rules of its package, on ports of its own, that asks one name server. */
export interface Rspamd {
  url: string;
  /** The port at which it is taught. */
  control: number;
  stop(): Promise<void>;
}

/**
 * Starts it; the first start compiles its patterns, which takes a while. `dns` is `host:port` of the name server,
 * `more` are further files of its configuration, or others than these.
 */
export async function startRspamd(dns: string, more: Record<string, string> = {}): Promise<Rspamd> {
  const dir = await mkdtemp(join(tmpdir(), "outreach-rspamd-"));
  const [port, control] = [await freePort(), await freePort()];
  for (const folder of ["local.d", "override.d", "run", "db", "log"]) await mkdir(join(dir, folder));
  const [host, dnsPort] = dns.split(":");
  const files = {
    "local.d/options.inc": `dns { nameserver = ["${host}:${dnsPort}:1"]; timeout = 0.3s; retransmits = 1; }\ncontrol_socket = "${dir}/run/control mode=0600";`,
    "local.d/worker-normal.inc": `bind_socket = "127.0.0.1:${port}"; count = 1;`,
    "local.d/worker-controller.inc": `bind_socket = "127.0.0.1:${control}"; password = "unused"; count = 1;`,
    "local.d/worker-proxy.inc": "enabled = false;",
    "local.d/worker-fuzzy.inc": "enabled = false;",
    "local.d/logging.inc": `type = "file"; filename = "${dir}/log/rspamd.log"; level = "warning";`,
    // Neither of them answers without a network or a database
    "local.d/fuzzy_check.conf": "enabled = false;",
    "local.d/redis.conf": "",
    ...more,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(dir, name), `${text}\n`);
  const vars = { LOCAL_CONFDIR: dir, DBDIR: join(dir, "db"), RUNDIR: join(dir, "run"), LOGDIR: join(dir, "log") };
  const args = [
    "-f",
    "-i",
    "-c",
    "/etc/rspamd/rspamd.conf",
    ...Object.entries(vars).map(([name, value]) => `--var=${name}=${value}`),
  ];
  const child = spawn("/usr/bin/rspamd", args, { stdio: "ignore" });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const url = `http://127.0.0.1:${port}`;
  const isUp = async () => (await fetch(`${url}/ping`).catch(() => null))?.ok === true;
  await until(isUp, {
    deadlineMs: 150_000,
    what: `rspamd to answer: ${await readFile(join(dir, "log/rspamd.log"), "utf8").catch(() => "")}`,
  });
  return {
    url,
    control,
    async stop() {
      child.kill("SIGTERM");
      await ended;
      await rm(dir, { recursive: true, force: true });
    },
  };
}
