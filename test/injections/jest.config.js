import common from "../../jest.config.js";

/** @type {import("jest").Config} */
export default { ...common, rootDir: "../..", testMatch: ["<rootDir>/test/injections/*.injections.ts"], maxWorkers: 1 };
