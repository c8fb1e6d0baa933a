import { spawn } from "node:child_process";
import { findCaddy } from "./program.ts";

/**
 * `npm run test:tls`: the proxy of docker-compose.yml in front of the service. If Caddy is not available, it says so
 * and does not fail.
 */
try {
  const { path } = await findCaddy((line) => console.log(line));
  const jest = ["--no-warnings", "node_modules/jest/bin/jest.js", "--config", "test/tls/jest.config.js"];
  const env = { ...process.env, CADDY_BIN: path };
  const child = spawn(process.execPath, [...jest, ...process.argv.slice(2)], { stdio: "inherit", env });
  child.on("exit", (code) => {
    process.exitCode = code ?? 1;
  });
} catch (err) {
  console.log(`test:tls skipped: ${err instanceof Error ? err.message : err}`);
}
