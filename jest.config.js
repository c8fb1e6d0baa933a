const early = `--import=${new URL("./test/worker-data.js", import.meta.url).href}`;
process.env.NODE_OPTIONS = [process.env.NODE_OPTIONS, early].filter(Boolean).join(" ");

/** @type {import("jest").Config} */
export default {
  // In bare Node, as production runs, and what one test file has loaded serves the next: loading anew for each took a third of the time
  runner: ["jest-light-runner", { runtime: "child_process" }],
  transform: {},
  testMatch: ["<rootDir>/test/**/*.test.ts"],
  setupFilesAfterEnv: ["<rootDir>/test/jest-setup.ts"],
  globalSetup: "<rootDir>/test/global-setup.ts",
  globalTeardown: "<rootDir>/test/global-teardown.ts",
  reporters: ["default", "<rootDir>/test/count-reporter.js"],
  testSequencer: "<rootDir>/test/longest-first.js",
  // Much of what the longest files do is to wait
  maxWorkers: 4,
};
