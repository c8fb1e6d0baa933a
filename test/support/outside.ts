import { spawnSync } from "node:child_process";

/**
 * `npm run test:outside`: runs the tests against foreign servers, clients and tools, one command after the other, and
 * lists the outcomes. A command skips what this machine cannot run. Meant for the days before a release.
 */
const COMMANDS = [
  "mail",
  "tls",
  "ops",
  "helm",
  "clients",
  "doors",
  "reference",
  "injections",
  "storm",
  "hits",
  "sends",
  "crowd",
  "compose",
].map((name) => `test:${name}`);

const outcomes = COMMANDS.map((command) => {
  console.log(`\n${command}`);
  const { status } = spawnSync("npm", ["run", "--silent", command], {
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  return { command, isGreen: status === 0 };
});
console.log("");
for (const { command, isGreen } of outcomes) console.log(`${isGreen ? "passed" : "failed"}  ${command}`);
process.exitCode = outcomes.every(({ isGreen }) => isGreen) ? 0 : 1;
