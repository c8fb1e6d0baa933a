import common from "../../jest.config.js";

/** @type {import("jest").Config} */
export default { ...common, rootDir: "../..", testMatch: ["<rootDir>/test/tls/*.tls.ts"], maxWorkers: 1 };
