/** `npm run test:storm`: the storm in its full size, on the real worker and engine. */
process.env["STORM"] = "full";
process.argv.push("test/inbox/inbound-storm.deep.test.ts");
const jest = "../../node_modules/jest/bin/jest.js";
await import(jest);
