import { existsSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { parse } from "csv-parse/sync";
import { startWorld, type World } from "../support/world.ts";

const FOLDER = new URL("../../../shared/data/leads/", import.meta.url);
const FILES = [
  {
    name: "leads-1000.csv",
    fieldMapping: {
      firstname: "firstName",
      lastname: "lastName",
      employer: "company",
      email: "email",
      city: "city",
      state: "state",
    },
  },
  {
    name: "fake_1000.csv",
    fieldMapping: {
      first_name: "firstName",
      surname: "lastName",
      city: "city",
      dob: "customFields.dob",
      email: "email",
    },
  },
];
const isThere = FILES.every(({ name }) => existsSync(new URL(name, FOLDER)));
if (!isThere)
  process.stdout.write(`The lead files were not found in ${FOLDER.pathname}: their imports are not tested\n`);

for (const { name, fieldMapping } of isThere ? FILES : [])
  describe(name, () => {
    const rows: Record<string, string>[] = parse(readFileSync(new URL(name, FOLDER)), { columns: true });
    // Counted from the file by a rule of this test, not by the code under test
    const addresses = rows.map(({ email = "" }) => email.trim().toLowerCase());
    const good = addresses.filter(
      (address) =>
        /^[^@\s]+@([a-z0-9-]+\.)+[a-z0-9-]*[a-z][a-z0-9-]*$/.test(address) && !/\.\.|\.@|^\.|-\.|\.-/.test(address),
    );
    const distinct = new Set(good).size;
    const expected = {
      total: rows.length,
      created: distinct,
      updated: 0,
      skipped: 0,
      invalid: rows.length - good.length,
      duplicateInFile: good.length - distinct,
    };
    const empties = addresses.filter((address) => address === "").length;

    let world: World;
    beforeAll(async () => {
      world = await startWorld();
    });
    afterAll(() => world.close());

    test("for each sample file the dry run, the commit and the file agree, and a repeated commit changes nothing", async () => {
      const { rest } = await world.workspace();
      const call = async (action: string) =>
        (await rest.post("/leads/import", { action, rows, fieldMapping, fileName: name })).body;
      const { action: _dry, ...dry } = await call("dryRun");
      const { action: _done, ...done } = await call("commit");
      expect(dry).toEqual(done);
      expect(done).toMatchObject(expected);
      expect(done.errors).toHaveLength(expected.invalid);
      expect(done.errors.filter(({ code }: { code: string }) => code === "REQUIRED")).toHaveLength(empties);
      const before = (await rest.get("/leads?pageSize=200")).body;
      expect(before.total).toBe(distinct);
      const again = await call("commit");
      expect(again).toMatchObject({ ...expected, created: 0, skipped: distinct, alreadyExists: distinct });
      expect((await rest.get("/leads?pageSize=200")).body).toEqual(before);
    });

    test("when several rows have one address, the first row is stored", async () => {
      const { rest } = await world.workspace();
      await rest.post("/leads/import", { action: "commit", rows, fieldMapping });
      for (const address of [...new Set(good)].slice(0, 20)) {
        const first = rows.find(({ email = "" }) => email.trim().toLowerCase() === address);
        const { items } = (await rest.get(`/leads?search=${encodeURIComponent(address)}`)).body;
        const stored = items.find(({ email }: { email: string }) => email === address);
        const name = first?.["firstname"] ?? first?.["first_name"];
        expect(stored.firstName).toBe(name === "" ? null : name);
      }
    });
  });

// Jest refuses a file without tests
test("the sample lead files are present, or the test says that they are missing", () => {
  expect(typeof isThere).toBe("boolean");
});
