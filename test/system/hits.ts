/** `npm run test:hits`: the kills of API and worker in their full number, with the real worker and engine. */
process.env["HITS"] = "full";
process.argv.push("test/tracking/hits-killed.deep.test.ts");
const jest = "../../node_modules/jest/bin/jest.js";
await import(jest);
