import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer as createHttp, type RequestListener, request } from "node:http";
import { createServer as createHttps } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { archiveRoad } from "../../embedded/programs/vendor.ts";
import { type Certificate, makeCertificate } from "../fakes/certificate.ts";

/** A download from a vendor is used only if it is what the vendor is known to have published. */
const run = promisify(execFile);
const log = () => {};
/** A host that is reached through a proxy only: no resolver knows it. */
const VENDOR = "vendor.test";
const closing: (() => void)[] = [];
let folder: string;
let archive: Buffer;
let sha256: string;
let certificate: Certificate;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "outreach-downloads-"));
  await mkdir(join(folder, "pack", "bin"), { recursive: true });
  await writeFile(join(folder, "pack", "bin", "mongod"), "#!/bin/sh\necho wanted\n");
  await chmod(join(folder, "pack", "bin", "mongod"), 0o755);
  await run("tar", ["-czf", join(folder, "pack.tgz"), "-C", folder, "pack"]);
  archive = await readFile(join(folder, "pack.tgz"));
  sha256 = createHash("sha256").update(archive).digest("hex");
  certificate = await makeCertificate([VENDOR]);
  await writeFile(join(folder, "ca.pem"), certificate.cert);
});

afterAll(async () => {
  for (const close of closing) close();
  await rm(folder, { recursive: true, force: true });
});

async function serving(answers: (path: string) => Buffer | string | null, isTls = false): Promise<string> {
  const listener: RequestListener = (req, res) => {
    const answer = answers(req.url ?? "");
    res.writeHead(answer === null ? 404 : 200, { "Content-Length": Buffer.byteLength(answer ?? "") }).end(answer ?? "");
  };
  const server = isTls ? createHttps(certificate, listener) : createHttp(listener);
  await once(server.listen(0, "127.0.0.1"), "listening");
  closing.push(() => server.close());
  const { port } = server.address() as AddressInfo; // a TCP server has no other kind of address
  return `${isTls ? "https" : "http"}://127.0.0.1:${port}`;
}

async function fetched(url: string, wanted: string): Promise<string> {
  const into = await mkdtemp(join(folder, "cache-"));
  const road = archiveRoad({ name: "release", entry: "gadget", url, member: "pack/bin/mongod", sha256: wanted }, log);
  await road.make(join(into, "gadget.part")).finally(async () => {
    expect((await readdir(into)).filter((name) => name !== "gadget.part")).toEqual([]);
  });
  return (await run(join(into, "gadget.part"))).stdout;
}

test("an archive with the expected hash yields the program in the archive", async () => {
  const url = await serving(() => archive);
  expect(await fetched(`${url}/pack.tgz`, sha256)).toBe("wanted\n");
});

test("an archive with a wrong hash, or a failed download, installs nothing", async () => {
  const url = await serving((path) => (path === "/pack.tgz" ? archive : null));
  await expect(fetched(`${url}/pack.tgz`, "0".repeat(64))).rejects.toThrow(
    /has the SHA-256 [0-9a-f]{64} instead of 0000/,
  );
  await expect(fetched(`${url}/other.tgz`, sha256)).rejects.toThrow("answers 404");
});

/** A proxy that leads every request for the vendor to `target`, and counts them. */
async function proxyTo(target: string): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const { port } = new URL(target);
  const proxy = createHttp((req, res) => {
    asked.push(req.url ?? "");
    const { pathname } = new URL(req.url ?? "", target);
    req.pipe(
      request({ port, path: pathname, method: req.method }, (answer) =>
        answer.pipe(res.writeHead(answer.statusCode ?? 500)),
      ),
    );
  });
  proxy.on("connect", (req, socket) => {
    asked.push(req.url ?? "");
    const through = connect(Number(port), "127.0.0.1", () => socket.write("HTTP/1.1 200 OK\r\n\r\n"));
    through.pipe(socket).pipe(through);
    for (const side of [through, socket]) side.on("error", () => {});
  });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  closing.push(() => proxy.close());
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, asked }; // a TCP server has no other kind of address
}

test("on a machine that reaches the vendor only through a proxy, the archive is downloaded through that proxy", async () => {
  const proxy = await proxyTo(await serving((path) => (path === "/pack.tgz" ? archive : null)));
  await expect(fetched(`http://${VENDOR}/pack.tgz`, sha256)).rejects.toThrow(`${VENDOR} does not answer`);
  process.env["HTTP_PROXY"] = proxy.url;
  try {
    expect(await fetched(`http://${VENDOR}/pack.tgz`, sha256)).toBe("wanted\n");
    expect(proxy.asked.length).toBeGreaterThan(1);
  } finally {
    delete process.env["HTTP_PROXY"];
  }
});

/** The vendor of MongoDB, as its downloader finds it by the address of a mirror. */
async function mongod(beside: string | null, trusts = true, isBehindProxy = false): Promise<string> {
  const mirror = await serving(
    (path) => (path.endsWith(".sha256") ? beside : path.endsWith(".tgz") ? archive : null),
    true,
  );
  const into = await mkdtemp(join(folder, "mongod-"));
  const { PATH = "", HOME = "" } = process.env;
  const proxied = isBehindProxy && {
    HTTPS_PROXY: (await proxyTo(mirror)).url,
    MONGOMS_DOWNLOAD_MIRROR: `https://${VENDOR}`,
  };
  const env = {
    PATH,
    HOME,
    MONGOMS_DOWNLOAD_MIRROR: mirror,
    ...proxied,
    ...(trusts && { NODE_EXTRA_CA_CERTS: join(folder, "ca.pem") }),
  };
  const script = join(import.meta.dirname, "../../embedded/programs/download-mongod.ts");
  const { stdout } = await run(process.execPath, ["--no-warnings", script, "8.2.6", into], { env });
  const path = stdout.trim().split("\n").at(-1) ?? "";
  return (await run(path)).stdout;
}

test("a downloaded mongod is used only if the hash matches the vendor's and the vendor's TLS certificate is trusted", async () => {
  expect(await mongod(`${sha256}  mongodb.tgz\n`)).toBe("wanted\n");
  expect(await mongod(`${sha256}  mongodb.tgz\n`, true, true)).toBe("wanted\n");
  await expect(mongod(`${"0".repeat(64)}  mongodb.tgz\n`)).rejects.toThrow(/its vendor publishes 0000/);
  await expect(mongod(null)).rejects.toThrow(/sha256/);
  await expect(mongod(`${sha256}  mongodb.tgz\n`, false)).rejects.toThrow(/certificate|self-signed/);
});
