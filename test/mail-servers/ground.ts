import { execFile } from "node:child_process";
import { chmod, chown, mkdir, mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Certificate } from "../fakes/certificate.ts";

const run = promisify(execFile);
/** The user `nobody`, who owns the Maildirs. */
export const UID = 65_534;

/** The folder in which both servers live. They touch nothing outside it. */
export interface Ground {
  dir: string;
  queueDir: string;
  mailDir: string;
  certificate: Certificate;
  /** The password of every user. */
  password: string;
}

export async function makeGround(
  keys: Pick<Ground, "certificate" | "password">,
): Promise<Ground & { remove(): Promise<void> }> {
  const dir = await mkdtemp(join(tmpdir(), "outreach-mail-"));
  // The servers' processes give up root and must still be able to enter the folder
  await chmod(dir, 0o755);
  const [queueDir, mailDir, dataDir] = ["queue", "mail", "postfix-data"].map((name) => join(dir, name)) as [
    string,
    string,
    string,
  ]; // three names
  await mkdir(join(queueDir, "private"), { recursive: true });
  await mkdir(mailDir);
  await chown(mailDir, UID, UID);
  await mkdir(dataDir);
  const owner = await idOf("postfix");
  await chown(dataDir, owner, owner);
  await chown(join(queueDir, "private"), owner, 0);
  return { dir, queueDir, mailDir, ...keys, remove: () => rm(dir, { recursive: true, force: true }) };
}

async function idOf(user: string): Promise<number> {
  return Number((await run("id", ["-u", user])).stdout);
}

/** Whether a process listens on a port of this machine. */
export function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true));
    socket.once("error", () => resolve(false));
    socket.on("close", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}
