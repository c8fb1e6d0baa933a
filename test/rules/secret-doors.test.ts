import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { SECRET_DOORS, UNCOUNTED } from "../access/secret-doors.ts";
import { secretComparisons } from "./secret-comparisons.ts";

const ROOMS = ["domain", "mongo", "models", "store", "operations", "api", "mcp"];
const files = ROOMS.flatMap((room) =>
  readdirSync(room, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => ({ path: join(room, file), text: readFileSync(join(room, file), "utf8") })),
);

test("every verb and page that compares a secret is in the table of secret doors or has a reason not to be", () => {
  const known = [...SECRET_DOORS.flatMap(({ at }) => at), ...Object.keys(UNCOUNTED)];
  expect(secretComparisons(files)).toEqual([...new Set(known)].sort());
});

test("a new verb or page that compares a secret is found, even if another function does the comparison", () => {
  const more = [
    {
      path: "operations/sign-in/new-verb.ts",
      text: 'import { useCode } from "./second-factor.ts";\nexport const unlock = operation({\n  run: (ctx) => useCode(ctx),\n});\n',
    },
    {
      path: "operations/access/pin.ts",
      text: 'import { timingSafeEqual } from "node:crypto";\nfunction same(a, b) {\n  return timingSafeEqual(a, b);\n}\nexport function openByPin(pin) {\n  return same(pin, "");\n}\n',
    },
    {
      path: "api/pages/pin.ts",
      text: 'import { openByPin } from "../../operations/access/pin.ts";\nexport async function take(req) {\n  return openByPin(req.body.pin);\n}\n',
    },
  ];
  const found = secretComparisons([...files, ...more]);
  const before = secretComparisons(files);
  expect(found.filter((one) => !before.includes(one))).toEqual([
    "api/pages/pin.ts openByPin",
    "operations/sign-in/new-verb.ts unlock",
  ]);
});
