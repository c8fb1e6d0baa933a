import { execFile } from "node:child_process";
import { randomInt } from "node:crypto";
import { readdir, readFile, readlink } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { promisify } from "node:util";
import { commandOf } from "./pid-file.ts";

/**
 * Below the range from which systems assign ports by themselves (Linux from 32768), because a port of that range may be
 * taken before its server has started.
 */
const [LOWEST, HIGHEST] = [10_000, 32_000];
const TRIES = 50;

/** A TCP port of 127.0.0.1 on which no one listened a moment ago. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries++) {
    const port = await listen(randomInt(LOWEST, HIGHEST));
    if (port !== null) return port;
  }
  throw new Error(`${TRIES} ports between ${LOWEST} and ${HIGHEST} are taken`);
}

/**
 * Refuses a port on which something listens.
 * @throws Error that names the port, its holder when the system shows it, and the variable that changes the port.
 */
export async function assertFree(port: number, variable: string): Promise<void> {
  if ((await listen(port)) === null) throw await portTakenError(port, variable);
}

/** The same error, for a server that found its port taken after all. */
export async function portTakenError(port: number, variable: string): Promise<Error> {
  const holder = await holderOf(port);
  return new Error(
    `Port ${port} is taken${holder ? ` by ${holder}` : ""}: stop that, or set ${variable} to another port`,
  );
}

/** Whether something listens on the port. */
export function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}

/** Binds the port and releases it again; null when it is taken. */
function listen(port: number): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (err) => ("code" in err && err.code === "EADDRINUSE" ? resolve(null) : reject(err)));
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : null));
    });
  });
}

/** `mongod (process 4711)`, or null when the system does not show the process, as with other users' processes. */
async function holderOf(port: number): Promise<string | null> {
  const pid = (await pidFromProc(port)) ?? (await pidFromLsof(port));
  if (pid === null) return null;
  const command = await commandOf(pid);
  const program = command?.split(" ")[0]?.split("/").at(-1) ?? "an unnamed program";
  return `${program} (process ${pid})`;
}

async function pidFromProc(port: number): Promise<number | null> {
  const inode = await listeningInode(port);
  if (!inode) return null;
  for (const pid of (await names("/proc")).filter((name) => /^\d+$/.test(name))) {
    for (const fd of await names(`/proc/${pid}/fd`)) {
      const target = await readlink(`/proc/${pid}/fd/${fd}`).catch(() => "");
      if (target === `socket:[${inode}]`) return Number(pid);
    }
  }
  return null;
}

/**
 * Lines of /proc/net/tcp: slot, local address:port in hexadecimal, remote address, state (0A means listening), …, and
 * in the tenth column the inode.
 */
async function listeningInode(port: number): Promise<string | undefined> {
  const hex = port.toString(16).toUpperCase().padStart(4, "0");
  for (const table of ["/proc/net/tcp", "/proc/net/tcp6"]) {
    const text = await readFile(table, "utf8").catch(() => "");
    const rows = text.split("\n").map((line) => line.trim().split(/\s+/));
    const row = rows.find((columns) => columns[1]?.endsWith(`:${hex}`) && columns[3] === "0A");
    if (row) return row[9];
  }
  return undefined;
}

async function pidFromLsof(port: number): Promise<number | null> {
  const { stdout } = await promisify(execFile)("lsof", ["-nP", "-t", `-iTCP:${port}`, "-sTCP:LISTEN"]).catch(() => ({
    stdout: "",
  }));
  return Number.parseInt(stdout, 10) || null;
}

async function names(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}
