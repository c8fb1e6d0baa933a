import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import type { Certificate } from "../fakes/certificate.ts";
import { until } from "../fakes/wait.ts";

export interface Caddy {
  /** Its output so far. */
  log(): string;
  stop(): Promise<void>;
}

export interface CaddyPlace {
  /** Where it keeps its certificates. An empty one is a proxy that has none yet. */
  folder: string;
  /** `host:port` of the service. */
  service: string;
  httpsPort: number;
  httpPort: number;
  /** What its own authority signs with. */
  root: Certificate;
}

/**
 * Caddy with the very file of docker-compose.yml, but on other ports, and with its own authority in place of the public
 * one.
 */
export async function startCaddy({ folder, service, httpsPort, httpPort, root }: CaddyPlace): Promise<Caddy> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "root.crt"), root.cert);
  await writeFile(join(folder, "root.key"), root.key, { mode: 0o600 });
  const own = [
    "local_certs",
    "skip_install_trust",
    `http_port ${httpPort}`,
    `https_port ${httpsPort}`,
    `storage file_system ${join(folder, "storage")}`,
    `pki {\n\t\tca local {\n\t\t\troot {\n\t\t\t\tcert ${join(folder, "root.crt")}\n\t\t\t\tkey ${join(folder, "root.key")}\n\t\t\t}\n\t\t}\n\t}`,
  ];
  const file = (await readFile("ops/caddy/Caddyfile", "utf8")).replace(
    "\tadmin off\n",
    `\tadmin off\n\t${own.join("\n\t")}\n`,
  );
  const config = join(folder, "Caddyfile");
  await writeFile(config, file);
  const env = { PATH: process.env["PATH"], HOME: folder, SERVICE: service };
  const child = spawn(process.env["CADDY_BIN"] ?? "caddy", ["run", "--config", config, "--adapter", "caddyfile"], {
    env,
  });
  let written = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      written += text;
    });
  }
  const ended = once(child, "exit");
  await until(() => listens(httpsPort), { deadlineMs: 60_000, what: "Caddy to listen" }).catch((err: unknown) => {
    child.kill("SIGKILL");
    throw new Error(`Caddy did not start: ${written}`, { cause: err });
  });
  return {
    log: () => written,
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(true)).on("error", () => resolve(false));
    socket.on("connect", () => socket.destroy());
  });
}
