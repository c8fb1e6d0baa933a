import { readFileSync, writeFileSync } from "node:fs";
import { z } from "zod";

const FILE = "docs/third-party.md";
const Lock = z.object({
  packages: z.record(
    z.string(),
    z.looseObject({ version: z.string(), license: z.string().optional(), dev: z.boolean().optional() }),
  ),
});

/**
 * Licences that let others use, change and pass on what is built with them, and at most demand that authors are named.
 */
const KNOWN = new Set([
  ...[
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BlueOak-1.0.0",
    "ISC",
    "MIT",
    "MIT-0",
    "PSF-2.0",
    "Unlicense",
  ],
  // Licences of data: the tables of browsers, of holidays, of disposable domains and of time zones
  ...["CC-BY-3.0", "CC-BY-4.0", "CC0-1.0", "Unicode-3.0"],
]);
/** Licences that a package's LICENSE file states and its package.json does not. */
const SAID_ELSEWHERE: Record<string, string> = { unionfs: "Unlicense" };

const SERVERS = `# What third parts are under

The service itself is under the Apache License 2.0 (\`LICENSE\`).

## Servers

They run beside the service as programs of their own. None of them is part of this repository: they are found on the machine, or
fetched onto it at the first start.

| Program | Licence | When |
|---|---|---|
| MongoDB (\`mongod\`) | Server Side Public License 1 | always; embedded, of one's own, or the image in \`docker-compose.yml\` |
| Temporal server, its CLI and its web pages | MIT | always, likewise; where it is built from Go modules, each of these has its own, which \`go.mod\` names |
| PostgreSQL | PostgreSQL License | below Temporal in \`docker-compose.yml\` |
| Temporal's time-skipping test server, of the Java SDK | Apache-2.0 | tests alone |
| Node.js | MIT | always |

The SSPL is no licence that the Open Source Initiative has approved. Whoever offers MongoDB itself to others as a service has to
publish, by its section 13, all that this service is run with. Here MongoDB keeps this service's data and is offered to nobody;
whoever wants to offer more reads the licence first. Any server with its protocol, replica sets and transactions can be named in
\`MONGODB_URI\`.

## Packages

What \`npm ci --omit=dev\` may install, on one system or another, from \`package-lock.json\`; \`npm run docs\` writes this list.
`;

/** The licences of the packages that are installed to run, each with its packages. */
export function licences(lock: string): Map<string, string[]> {
  const { packages } = Lock.parse(JSON.parse(lock, (key, value) => (key === "packages" ? installed(value) : value)));
  const found = new Map<string, Set<string>>();
  for (const [path, { version, license, dev }] of Object.entries(packages)) {
    if (dev === true) continue;
    const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
    const licence = license ?? SAID_ELSEWHERE[name] ?? "none named";
    found.set(licence, (found.get(licence) ?? new Set()).add(`${name} ${version}`));
  }
  return new Map([...found].sort().map(([licence, names]) => [licence, [...names].sort()]));
}

/** Without the project itself, which is the first entry of the lock file. */
function installed(packages: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(packages).filter(([path]) => path !== ""));
}

/**
 * Whether an SPDX expression can be met by known licences alone: for `A OR B` one of them is enough, for `A AND B` both
 * must be known.
 */
export function isKnown(expression: string): boolean {
  const bare = expression.replace(/^\((.*)\)$/, "$1");
  return bare.split(" OR ").some((choice) => choice.split(" AND ").every((licence) => KNOWN.has(licence)));
}

export function thirdParty(lock: string): string {
  const lines = [...licences(lock)].map(
    ([licence, names]) => `- **${licence}** (${names.length}): ${names.join(", ")}`,
  );
  return `${SERVERS}\n${lines.join("\n")}\n`;
}

if (import.meta.main) writeFileSync(FILE, thirdParty(readFileSync("package-lock.json", "utf8")));
