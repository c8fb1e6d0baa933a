import { spawn } from "node:child_process";
import { whyNotInstalled } from "./install.ts";

/**
 * `npm run test:mail`: the tests against Dovecot and Postfix. If these are not available, it says so and does not fail.
 */
const why = await whyNotInstalled();
if (why === null) {
  const jest = ["--no-warnings", "node_modules/jest/bin/jest.js", "--config", "test/mail-servers/jest.config.js"];
  const child = spawn(process.execPath, [...jest, ...process.argv.slice(2)], { stdio: "inherit" });
  child.on("exit", (code) => {
    process.exitCode = code ?? 1;
  });
} else {
  console.log(`test:mail skipped: ${why}`);
}
