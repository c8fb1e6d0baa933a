import { fileURLToPath } from "node:url";

const early = `--import=${new URL("./test/support/worker-data.js", import.meta.url).href}`;
process.env.NODE_OPTIONS = [process.env.NODE_OPTIONS, early].filter(Boolean).join(" ");
// Every process of the tests, and what they start, reads code that was compiled once
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL("./node_modules/.cache/compiled", import.meta.url));

/** @type {import("jest").Config} */
export default {
  // In bare Node, as production runs, and what one test file has loaded serves the next: loading anew for each took a third of the time
  runner: ["jest-light-runner", { runtime: "child_process" }],
  transform: {},
  testMatch: ["<rootDir>/test/**/*.test.ts"],
  setupFilesAfterEnv: ["<rootDir>/test/support/jest-setup.ts"],
  globalSetup: "<rootDir>/test/support/global-setup.ts",
  globalTeardown: "<rootDir>/test/support/global-teardown.ts",
  reporters: ["default", "<rootDir>/test/support/count-reporter.js"],
  testSequencer: "<rootDir>/test/support/order.js",
  // Much of what the longest files do is to wait
  maxWorkers: 4,
};
