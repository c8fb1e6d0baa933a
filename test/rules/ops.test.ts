import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { parse } from "yaml";
import { z } from "zod";
import { expectNone, expectSame } from "../support/expect-none.ts";

/** Dashboard and alerts in ops/. test/system/roles.deep.test.ts shows that each metric they name exists. */
const text = (file: string) => readFileSync(`ops/${file}`, "utf8");
const Rule = z.strictObject({
  alert: z.string(),
  expr: z.string(),
  for: z.string(),
  labels: z.strictObject({ severity: z.enum(["warning", "critical"]) }),
  annotations: z.strictObject({ summary: z.string(), description: z.string() }),
});
const { groups } = z.object({ groups: z.array(z.object({ rules: z.array(Rule) })) }).parse(parse(text("alerts.yml")));
const alerts = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));

test("docs/operating.md lists exactly the alerts that exist", () => {
  const [, table = ""] = readFileSync("docs/operating.md", "utf8").split(/^\| Alert \|.*\n.*\n/m);
  const [lines = ""] = table.split("\n\n");
  expectSame(
    [...lines.matchAll(/^\| `(\w+)` \|/gm)].map(([, name = ""]) => name),
    alerts,
    {
      missing: "Add a line for the alert to the table in docs/operating.md, section Alerts",
      extra: "Remove the line from the table in docs/operating.md: ops/alerts.yml has no such alert",
    },
  );
});

test("every test case for alerts names an existing alert", () => {
  const Cases = z.object({
    tests: z.array(z.object({ alert_rule_test: z.array(z.object({ alertname: z.string() })) })),
  });
  const played = Cases.parse(parse(text("alerts.test.yml"))).tests.flatMap(({ alert_rule_test: one }) =>
    one.map(({ alertname }) => alertname),
  );
  expect(played.length).toBeGreaterThan(10);
  expectNone(
    played.filter((name) => !alerts.includes(name)),
    "Correct the alert's name in ops/alerts.test.yml, or add the alert to ops/alerts.yml",
  );
});

test("each panel of the dashboard has a query and uses the chosen data source", () => {
  const Panel = z.object({
    title: z.string(),
    datasource: z.object({ uid: z.string().regex(/^\$\{datasource\}$/) }),
    targets: z.array(z.object({ expr: z.string().min(1), legendFormat: z.string() })).min(1),
  });
  const { panels } = z.object({ panels: z.array(Panel) }).parse(JSON.parse(text("dashboard.json")));
  expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length);
});
