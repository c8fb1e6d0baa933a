// This file is plain JavaScript, because a Node that is too old for the service cannot read TypeScript and would only report a syntax
// error.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const { engines } = JSON.parse(readFileSync(new URL("./package.json", import.meta.url), "utf8"));
const [major, minor] = engines.node.replace(">=", "").split(".").map(Number);
const [haveMajor, haveMinor] = process.versions.node.split(".").map(Number);

if (haveMajor > major || (haveMajor === major && haveMinor >= minor)) {
  // Most of a start is compiling code. Compiled code is cached next to the packages, where no other user can write
  const { enableCompileCache } = await import("node:module");
  enableCompileCache(fileURLToPath(new URL("./node_modules/.cache/compiled", import.meta.url)));
  import("./main.ts");
} else {
  console.error(
    `Outreach needs Node ${engines.node}, but this is ${process.versions.node} (${process.execPath}). Install a newer Node, or run \`npm ci\`, which installs one on most systems.`,
  );
  process.exitCode = 1;
}
