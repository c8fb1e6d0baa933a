import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { Service } from "../demo/service.ts";
import { attempt, npmFolder, pipFolder, runTool } from "./tools.ts";
import { CONFORMANCE, CONFORMANCE_OF_SERVERS, FASTMCP, INSPECTOR, MCP, MCP_REMOTE } from "./versions.ts";

/** The scenarios of the suite that any server can pass; the others want tools, prompts or resources made for them. */
const SCENARIOS = [
  "server-initialize",
  "ping",
  "tools-list",
  "prompts-list",
  "resources-list",
  "dns-rebinding-protection",
];

/** The same for revision 2026-07-28, which a later line of the suite knows. */
const MODERN_SCENARIOS = [
  "tools-list",
  "prompts-list",
  "resources-list",
  "sep-2164-resource-not-found",
  "caching",
  "http-header-validation",
  "dns-rebinding-protection",
];
const MODERN = ["--spec-version", "2026-07-28"];

/** Clients that others wrote connect with a key in a header. */
export async function keyLegs(service: Service): Promise<void> {
  const key = await service.apiKey();
  const url = `${service.url}/mcp`;
  for (const scenario of SCENARIOS) {
    await attempt(
      `conformance suite, ${scenario}`,
      () => npmFolder("conformance-of-servers", CONFORMANCE_OF_SERVERS),
      (tools) => conforms(service.url, key, scenario, tools),
    );
  }
  for (const scenario of MODERN_SCENARIOS) {
    await attempt(
      `conformance suite of 2026-07-28, ${scenario}`,
      () => npmFolder("conformance", CONFORMANCE),
      (tools) => conforms(service.url, key, scenario, tools, MODERN),
    );
  }
  await attempt(
    "inspector, strictly",
    () => npmFolder("inspector", INSPECTOR),
    async (tools) => {
      const header = ["--transport", "http", "--header", `Authorization: Bearer ${key}`];
      const asked = ["--cli", url, ...header, "--method", "tools/list", "--format", "json", "--strict"];
      return counted(await runTool(join(tools, "node_modules/.bin/mcp-inspector"), asked, tools, { HOME: tools }));
    },
  );
  for (const [name, requirement, script] of [
    ["mcp", MCP, "mcp_client.py"],
    ["fastmcp", FASTMCP, "fastmcp_client.py"],
  ] as const) {
    await attempt(
      `${name} of Python`,
      () => pipFolder(name, requirement),
      async (tools) => {
        const own = fileURLToPath(new URL(script, import.meta.url));
        return (await runTool(join(tools, "venv/bin/python"), [own, service.url, key], tools)).trim();
      },
    );
  }
  await attempt(
    "mcp-remote",
    () => npmFolder("mcp-remote", MCP_REMOTE),
    (tools) => overStdio(url, key, tools),
  );
}

async function conforms(
  service: string,
  key: string,
  scenario: string,
  tools: string,
  more: readonly string[] = [],
): Promise<string> {
  const { server, url } = await proxyTo(service, key);
  try {
    const suite = join(tools, "node_modules/.bin/conformance");
    const said = await runTool(suite, ["server", "--url", `${url}/mcp`, "--scenario", scenario, ...more], tools);
    const [, passed = "0", failed = "0"] = /Passed: (\d+)\/\d+, (\d+) failed/.exec(said) ?? [];
    if (passed === "0" || failed !== "0") throw new Error(said);
    return `${passed} passed`;
  } finally {
    server.close();
  }
}

/** The suite knows no credential, so this adds one; Host and Origin stay as they came. */
async function proxyTo(service: string, key: string): Promise<{ server: Server; url: string }> {
  const { hostname, port } = new URL(service);
  const server = createServer((req, res) => {
    const { method, url: path, headers } = req;
    const sent = request(
      { hostname, port, method, path, headers: { ...headers, authorization: `Bearer ${key}` } },
      (answer) => {
        res.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(res);
      },
    );
    sent.once("error", () => res.destroy());
    req.pipe(sent);
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  return { server, url: `http://localhost:${(server.address() as AddressInfo).port}` }; // it listens on a port
}

async function overStdio(url: string, key: string, tools: string): Promise<string> {
  const client = new Client({ name: "doors", version: "1.0.0" });
  const args = [
    join(tools, "node_modules/.bin/mcp-remote"),
    url,
    "--allow-http",
    "--header",
    `Authorization: Bearer ${key}`,
  ];
  const env = { PATH: process.env["PATH"] ?? "", HOME: tools, MCP_REMOTE_CONFIG_DIR: tools };
  const transport = new StdioClientTransport({ command: process.execPath, args, env, stderr: "ignore" });
  try {
    await client.connect(transport);
    return `${(await client.listTools()).tools.length} tools`;
  } finally {
    await client.close();
  }
}

function counted(said: string): string {
  const { tools, result }: { tools?: unknown[]; result?: { tools?: unknown[] } } = JSON.parse(said);
  const listed = tools ?? result?.tools ?? [];
  if (listed.length === 0) throw new Error(said);
  return `${listed.length} tools`;
}
