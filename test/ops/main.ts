import { spawnSync } from "node:child_process";
import { findPromtool } from "./promtool.ts";

/**
 * `npm run test:ops`: Prometheus's own checker reads the alerts, plays cases to them, and reads the sample of its
 * settings.
 */
const CHECKS = [
  ["check", "rules", "alerts.yml"],
  ["test", "rules", "alerts.test.yml"],
  ["check", "config", "prometheus.yml"],
];

const found = await findPromtool((line) => console.log(line)).catch((error: unknown) => {
  console.log(`test:ops skipped: ${error instanceof Error ? error.message : String(error)}`);
  return null;
});
if (found !== null) {
  const failed = CHECKS.filter((args) => spawnSync(found, args, { cwd: "ops", stdio: "inherit" }).status !== 0);
  process.exitCode = failed.length === 0 ? 0 : 1;
}
