import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { RequestInit, Response } from "undici";
import type { WriteLine } from "./find.ts";
import { runTool } from "./tool.ts";

/** An archive of a vendor, from which one file is needed. */
export interface Archive {
  url: string;
  /** The path of the file in the archive. */
  member: string;
  sha256: string;
}

/**
 * Extracts the needed file to `path`. @throws Error when the archive does not have the known hash; it is then not
 * opened at all.
 */
export async function fetchMember({ url, member, sha256 }: Archive, path: string, log: WriteLine): Promise<void> {
  const folder = await mkdtemp(join(dirname(path), "download-"));
  try {
    const file = join(folder, "archive");
    log(`Downloading ${url} …`);
    await download(url, file);
    const found = await sha256Of(file);
    if (found !== sha256) throw new Error(`${url} has the SHA-256 ${found} instead of ${sha256}`);
    await runTool({ doing: `Unpacking ${member}`, command: "tar", args: ["-xf", file, "-C", folder, member] }, log);
    await rename(join(folder, member), path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The SHA-256 of a file in hexadecimal, as sha256sum writes it. */
export async function sha256Of(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}

async function download(url: string, file: string): Promise<void> {
  await request(url, {}, async ({ ok, status, body }) => {
    if (!ok || body === null) throw new Error(`${url} answers ${status}`);
    await pipeline(Readable.from(body), createWriteStream(file));
  });
}

/**
 * Requests a vendor's address. On a machine that reaches the internet only through a proxy, it uses `HTTP_PROXY`,
 * `HTTPS_PROXY` and `NO_PROXY`, as pip, Go and both vendors' downloaders do by themselves. `use` reads the answer,
 * whose connection is closed afterwards.
 */
export async function request<T>(url: string, init: RequestInit, use: (response: Response) => Promise<T>): Promise<T> {
  // Loaded here, because hardly any start downloads something
  const { EnvHttpProxyAgent, fetch } = await import("undici");
  const dispatcher = new EnvHttpProxyAgent();
  try {
    return await use(await fetch(url, { ...init, dispatcher }));
  } finally {
    await dispatcher.destroy();
  }
}
