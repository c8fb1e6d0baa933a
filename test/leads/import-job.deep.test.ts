import { expect, test } from "@jest/globals";
import { useSetup, world } from "./import-job-setup.ts";

useSetup();

test("all of 5,000 messy rows with an address become leads, with human-written numbers and dates read, and unreadable cells reported", async () => {
  const { rest } = await world.workspace();
  await rest.post("/custom-fields", { label: "Employees", type: "NUMBER" });
  await rest.post("/custom-fields", { label: "Founded", type: "DATE" });
  const employees = ["1,200", "1.200,50", "$3,000", "N/A", "about 40"];
  const founded = ["May 2024", "05/06/2024", "12 May 2024", "#N/A", "-"];
  const rows: Record<string, string>[] = Array.from({ length: 5_000 }, (_, n) => ({
    "Work Email": n % 2 === 0 ? `Person ${n} <n${n}@x.example>` : `mailto:n${n}@x.example`,
    Employees: employees[n % 5] ?? "",
    FOUNDED: founded[n % 5] ?? "",
    "Score (a.b)": "7",
    $cost: "1",
  }));
  // One cell of the last chunk shows in which order the column has days and months
  rows[4_999] = { "Work Email": "last@x.example", FOUNDED: "25/06/2024" };
  const call = async (action: string) => (await rest.post("/leads/import", { action, rows, keepUnmapped: true })).body;
  const expected = {
    total: 5_000,
    created: 5_000,
    invalid: 0,
    warningCount: 999,
    unmappedColumns: [],
    mapping: {
      "Work Email": "email",
      Employees: "customFields.employees",
      "Score (a.b)": "customFields.scoreAB",
      $cost: "customFields.cost",
    },
  };
  expect(await call("dryRun")).toMatchObject(expected);
  const done = await call("commit");
  expect(done).toMatchObject(expected);
  expect(done.warnings).toHaveLength(999);
  expect(done.warnings[0]).toEqual({
    row: 5,
    column: "Employees",
    code: "TYPE_MISMATCH",
    value: "about 40",
    suggestion: null,
  });
  const found = async (search: string) => (await rest.get(`/leads?search=${search}`)).body.items[0];
  const common = { scoreAB: "7", cost: "1" };
  expect((await found("n0@x.example")).customFields).toEqual({ ...common, employees: 1_200, founded: "2024-05-01" });
  expect(await found("n6@x.example")).toMatchObject({ fullName: "Person 6", lastName: "6" });
  expect((await found("n6@x.example")).customFields).toEqual({ ...common, employees: 1_200.5, founded: "2024-06-05" });
  expect((await found("n4@x.example")).customFields).toEqual(common);
  expect(await call("commit")).toMatchObject({ created: 0, updated: 0, skipped: 5_000 });
});
