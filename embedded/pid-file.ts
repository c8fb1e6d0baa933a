import { execFile } from "node:child_process";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";

const Shape = z.object({ pid: z.int(), port: z.int(), parent: z.int(), command: z.string() });

/** The server that runs on a data folder, its port, the process that started it, and its arguments. */
export type PidRecord = z.output<typeof Shape>;

/** Null when there is no readable record. */
async function readRecord(home: string, name: string): Promise<PidRecord | null> {
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
  return unquoted((await commandOf(record.pid)) ?? "").includes(unquoted(record.command)) ? record : null;
}

/** Windows shows a command line as it was quoted for it. */
function unquoted(command: string): string {
  return command.replace(/["\\]/g, "");
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

/**
 * The command line of a process, with its arguments joined by blanks; null when the process is gone or the system does
 * not show it.
 */
export async function commandOf(pid: number): Promise<string | null> {
  try {
    return (await readFile(`/proc/${pid}/cmdline`, "utf8")).replaceAll("\0", " ").trim() || null;
  } catch {
    return askSystem(pid, "command");
  }
}

/** The parent of a process; null when the process is gone or the system does not show it. */
export async function parentOf(pid: number): Promise<number | null> {
  try {
    const status = await readFile(`/proc/${pid}/status`, "utf8");
    return Number(/^PPid:\s*(\d+)/m.exec(status)?.[1]) || null;
  } catch {
    return Number(await askSystem(pid, "parent")) || null;
  }
}

/** The answer about a process on a system without `/proc`. `ps` cuts long lines unless an option forbids it. */
async function askSystem(pid: number, about: "command" | "parent"): Promise<string | null> {
  const [program, args] =
    process.platform === "win32" ? ["powershell.exe", fromWindows(pid, about)] : ["ps", fromPs(pid, about)];
  try {
    const { stdout } = await promisify(execFile)(program, args, { windowsHide: true });
    return stdout.trim() || null;
  } catch {
    return null;
  }
}

function fromPs(pid: number, about: "command" | "parent"): string[] {
  return ["-ww", "-o", about === "command" ? "args=" : "ppid=", "-p", String(pid)];
}

function fromWindows(pid: number, about: "command" | "parent"): string[] {
  const property = about === "command" ? "CommandLine" : "ParentProcessId";
  return [
    "-NoProfile",
    "-NonInteractive",
    "-Command",
    `(Get-CimInstance Win32_Process -Filter "ProcessId=${pid}").${property}`,
  ];
}
