/** @type {import("jest").Config} */
export default {
  testEnvironment: "node",
  extensionsToTreatAsEsm: [".ts"],
  // swc only strips the types, so the tests run the code that production runs
  transform: { "\\.ts$": ["@swc/jest", { jsc: { target: "es2024", parser: { syntax: "typescript" } }, module: { type: "es6" } }] },
  testMatch: ["<rootDir>/test/**/*.test.ts"],
  globalSetup: "<rootDir>/test/global-setup.ts",
  globalTeardown: "<rootDir>/test/global-teardown.ts",
  reporters: ["default", "<rootDir>/test/count-reporter.js"],
  testSequencer: "<rootDir>/test/longest-first.js",
  // Much of what the longest files do is to wait
  maxWorkers: 4,
  // What a file has loaded is never quite given back
  workerIdleMemoryLimit: "1GB",
  testTimeout: 120_000,
};
