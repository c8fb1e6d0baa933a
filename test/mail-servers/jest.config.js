import common from "../../jest.config.js";

/** @type {import("jest").Config} */
export default { ...common, rootDir: "../..", testMatch: ["<rootDir>/test/mail-servers/*.mail.ts"], maxWorkers: 1 };
