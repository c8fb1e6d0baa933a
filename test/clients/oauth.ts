import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { freePort } from "../../embedded/ports.ts";
import type { Service } from "../demo/service.ts";
import { until } from "../fakes/wait.ts";
import { browserAt } from "../support/browser.ts";
import { attempt, npmFolder, pipFolder } from "./tools.ts";
import { AUTHLIB, CONFORMANCE, FASTMCP } from "./versions.ts";

const ACCOUNT = { email: "owner@doors.test", password: "a password of the doors", name: "Owner" };
const CALLBACK_DEADLINE = { deadlineMs: 20_000, what: "the callback of a client" };

/** Clients that others wrote connect by OAuth: a person walks through our pages for each of them. */
export async function oauthLegs(service: Service): Promise<void> {
  const link = (await readFile(join(service.dataDir, "first-sign-in"), "utf8")).trim();
  const browser = browserAt(service.url);
  await browser.submit(await browser.open(link), ACCOUNT);
  await attempt(
    "conformance suite, authorization",
    () => npmFolder("conformance", CONFORMANCE),
    async (tools) => {
      const suite = join(tools, "node_modules/@modelcontextprotocol/conformance/dist/index.js");
      const port = await freePort();
      const args = [
        "authorization",
        "--url",
        service.url,
        "--client-id",
        await registered(service.url, port),
        "--port",
        String(port),
      ];
      const said = await walked(service.url, process.execPath, [suite, ...args], tools);
      if (!/ 0 failed/.test(said) || /[1-9]\d* failed/.test(said)) throw new Error(said);
      return /Total: (.*)/.exec(said)?.[1] ?? "";
    },
  );
  await attempt(
    "Authlib",
    () => pipFolder("authlib", ...AUTHLIB),
    (tools) => walkedInPython(service.url, tools, "authlib_client.py"),
  );
  await attempt(
    "fastmcp by OAuth",
    () => pipFolder("fastmcp", FASTMCP),
    (tools) => walkedInPython(service.url, tools, "fastmcp_client.py"),
  );
}

async function registered(issuer: string, port: number): Promise<string> {
  const metadata = { redirect_uris: [`http://127.0.0.1:${port}/callback`], client_name: "Conformance suite" };
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${issuer}/oauth/register`, { method: "POST", headers, body: JSON.stringify(metadata) });
  const { client_id }: { client_id?: unknown } = JSON.parse(await answer.text());
  return String(client_id);
}

async function walkedInPython(issuer: string, tools: string, script: string): Promise<string> {
  const said = await walked(
    issuer,
    join(tools, "venv/bin/python"),
    [fileURLToPath(new URL(script, import.meta.url)), issuer],
    tools,
  );
  return said.trim().split("\n").at(-1) ?? "";
}

/** Runs a client to its end, and goes wherever it sends a person. Returns its output, or throws it on a failure. */
async function walked(issuer: string, program: string, args: string[], cwd: string): Promise<string> {
  const child = spawn(program, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
  const said: string[] = [];
  let walk = Promise.resolve();
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on("line", (line) => {
      said.push(line);
      const [address] = line.match(/https?:\/\/\S+\/oauth\/authorize\?\S+/) ?? [];
      if (address !== undefined) walk = allow(issuer, address).catch((err) => void said.push(String(err)));
    });
  }
  const [code] = await once(child, "close");
  await walk;
  if (code !== 0) throw new Error(said.join("\n"));
  return said.join("\n");
}

/** Signs in, allows what is ticked, and opens the address that the browser is sent back to. */
async function allow(issuer: string, address: string): Promise<void> {
  const browser = browserAt(issuer);
  const page = await browser.submit(await browser.open(address), ACCOUNT);
  const { url } = await browser.submit(page, { decision: "allow" });
  await until(() => fetch(url).catch(() => null), CALLBACK_DEADLINE);
}
