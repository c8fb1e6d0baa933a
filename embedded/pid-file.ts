import { execFile } from "node:child_process";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";

const Shape = z.object({ pid: z.int(), port: z.int(), parent: z.int(), command: z.string() });

/** What runs on a data folder: the server, its port, the process that started it, and the server's arguments. */
export type PidRecord = z.output<typeof Shape>;

/** Null when there is no record, or none that can be read. */
export async function readRecord(home: string, name: string): Promise<PidRecord | null> {
  try {
    return Shape.parse(JSON.parse(await readFile(join(home, `${name}.pid`), "utf8")));
  } catch {
    return null;
  }
}

/** The record when its process is alive and is still the server that was started; otherwise null. */
export async function liveRecord(home: string, name: string): Promise<PidRecord | null> {
  const record = await readRecord(home, name);
  if (!record || !isAlive(record.pid)) return null;
  return (await commandOf(record.pid))?.includes(record.command) ? record : null;
}

export async function writeRecord(home: string, name: string, record: PidRecord): Promise<void> {
  const file = join(home, `${name}.pid`);
  await writeFile(`${file}.part`, JSON.stringify(record));
  await rename(`${file}.part`, file);
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (err) {
    return typeof err === "object" && err !== null && "code" in err && err.code === "EPERM";
  }
}

/** The command line of a process, with its arguments joined by blanks; null when the process is gone or the system does not show it. */
export async function commandOf(pid: number): Promise<string | null> {
  try {
    return (await readFile(`/proc/${pid}/cmdline`, "utf8")).replaceAll("\0", " ").trim() || null;
  } catch {
    return ps(pid, "args=");
  }
}

/** The parent of a process; null when the process is gone or the system does not show it. */
export async function parentOf(pid: number): Promise<number | null> {
  try {
    const status = await readFile(`/proc/${pid}/status`, "utf8");
    return Number(/^PPid:\s*(\d+)/m.exec(status)?.[1]) || null;
  } catch {
    return Number(await ps(pid, "ppid=")) || null;
  }
}

async function ps(pid: number, column: "args=" | "ppid="): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)("ps", ["-o", column, "-p", String(pid)]);
    return stdout.trim() || null;
  } catch {
    return null;
  }
}
