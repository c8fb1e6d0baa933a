import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { Ajv2020 } from "ajv/dist/2020.js";
import { parse } from "yaml";
import { z } from "zod";
import { readConfig, settings } from "../../config.ts";
import { QUEUES } from "../../domain/workflow-contract.ts";
import { DEPLOYMENT } from "../../temporal/deployment.ts";
import { CHART, CHART_SCHEMA, chartSchema, chartSettings } from "../support/chart.ts";
import { expectNone } from "../support/expect-none.ts";

/** Rules of the Helm chart that need no Helm. test/ops/chart.outside.test.ts renders it. */
const EXAMPLES = "ops/helm/examples";
const text = (file: string) => readFileSync(join(CHART, file), "utf8");
const templates = readdirSync(join(CHART, "templates")).map((file) => text(`templates/${file}`));
const whole = templates.join("\n");
const Values = z.looseObject({
  settings: z.record(z.string(), z.unknown()),
  secretSettings: z.record(z.string(), z.unknown()).default({}),
});
const Workers = z.object({ workers: z.record(z.string(), z.object({ queues: z.array(z.string()) })) });

const DEFAULTS: unknown = parse(text("values.yaml"), { merge: true });

function examples(): [string, unknown][] {
  return readdirSync(EXAMPLES).map((file) => [file, parse(readFileSync(join(EXAMPLES, file), "utf8"))]);
}

/** Values over those of values.yaml, as Helm merges them: null removes an entry. */
function merged(over: unknown, under: unknown): unknown {
  if (!isRecord(over) || !isRecord(under)) return over;
  const keys = [...new Set([...Object.keys(under), ...Object.keys(over)])];
  return Object.fromEntries(
    keys.flatMap((key) => {
      if (!(key in over)) return [[key, under[key]]];
      return over[key] === null && under[key] !== null ? [] : [[key, merged(over[key], under[key])]];
    }),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const validate = new Ajv2020({ strict: false }).compile(JSON.parse(readFileSync(CHART_SCHEMA, "utf8")));

test("the schema of the chart's values lists exactly the settings of config.ts that a pod may have", () => {
  if (JSON.stringify(JSON.parse(chartSchema())) !== JSON.stringify(JSON.parse(readFileSync(CHART_SCHEMA, "utf8"))))
    throw new Error(`The settings changed: run \`npm run docs\`, which writes ${CHART_SCHEMA}`);
  const { plain, secret } = chartSettings();
  expect(plain).toContain("LOG_LEVEL");
  expect(plain.filter((name) => /SECRET$|_KEY$|CREDENTIALS$/.test(name))).toEqual([]);
  expect(secret).toEqual(expect.arrayContaining(["SECRET_KEY", "MONGODB_URI", "SYSTEM_SMTP_URL", "STRIPE_SECRET_KEY"]));
});

test("the chart's templates, values and examples name only settings that config.ts knows", () => {
  const named = [...whole.matchAll(/- name: ([A-Z][A-Z0-9_]+)$/gm)].map(([, name = ""]) => name);
  expect(named.length).toBeGreaterThan(8);
  const known = Object.keys(settings.shape).flatMap((name) => [name, `${name}_FILE`]);
  const { plain, secret } = chartSettings();
  const values = [DEFAULTS, ...examples().map(([, value]) => value)].map((value) => Values.parse(value));
  expectNone(
    [
      ...named.filter((name) => !known.includes(name)),
      ...values.flatMap((value) => Object.keys(value.settings)).filter((name) => !plain.includes(name)),
      ...values.flatMap((value) => Object.keys(value.secretSettings)).filter((name) => !secret.includes(name)),
    ],
    `Correct the name in ${CHART} or ${EXAMPLES}: config.ts has no such setting for a pod`,
  );
});

test("each process of docker-compose.yml is in the chart, with its command, its grace period and its health checks", () => {
  const compose = z
    .object({ services: z.record(z.string(), z.looseObject({ image: z.string() })) })
    .parse(parse(readFileSync("docker-compose.yml", "utf8"), { merge: true }));
  const Process = z.looseObject({ command: z.array(z.string()), stop_grace_period: z.string().regex(/^\d+s$/) });
  const own = Object.values(compose.services).filter(({ image }) => image.startsWith("outreach:"));
  expect(own.length).toBeGreaterThan(2);
  const start = /"node",[^{}]+(?=\n)/.exec(whole)?.[0].replaceAll('"', "").split(", ") ?? [];
  for (const service of own) {
    const { command, stop_grace_period } = Process.parse(service);
    expect(start).toEqual(command.slice(0, -1));
    const template = templates.find(
      (one) => one.includes(`command: [{{ include`) && one.includes(`"${command.at(-1)}"`),
    );
    const grace = Number(/terminationGracePeriodSeconds: (\d+)/.exec(template ?? "")?.[1]);
    expect([command.at(-1), grace >= Number.parseInt(stop_grace_period, 10)]).toEqual([command.at(-1), true]);
    for (const path of ["/healthz", "/readyz"]) expect(template).toContain(`path: ${path}`);
  }
});

test("the groups of workers in values.yaml and in each example serve every queue exactly once", () => {
  const served = (values: unknown) =>
    Object.values(Workers.parse(values).workers)
      .flatMap(({ queues }) => queues)
      .sort();
  for (const [file, values] of examples())
    expect([file, served(merged(values, DEFAULTS))]).toEqual([file, [...QUEUES].sort()]);
  // The list by which the templates refuse other groups
  expect(whole).toContain(`list ${QUEUES.map((queue) => `"${queue}"`).join(" ")}`);
  expect(whole).toContain(`workerDeploymentName: ${DEPLOYMENT}`);
});

test("the chart uses the ports at which the processes listen without settings", () => {
  const { PORT, METRICS_PORT, API_METRICS_PORT } = readConfig({});
  expect([...new Set([...whole.matchAll(/containerPort: (\d+)/g)].map(([, port]) => Number(port)))]).toEqual([
    PORT,
    API_METRICS_PORT,
    METRICS_PORT,
  ]);
});

test("the chart has the version of package.json", () => {
  const { version } = z.looseObject({ version: z.string() }).parse(JSON.parse(readFileSync("package.json", "utf8")));
  expect(parse(text("Chart.yaml"))).toMatchObject({ version, appVersion: version });
});

test.each(examples())("the schema accepts the values of %s", (_file, values) => {
  validate(merged(values, DEFAULTS));
  expect(validate.errors ?? []).toEqual([]);
});

test.each(examples())(
  "the header of %s names each secret and ConfigMap that its pods need, with its keys",
  (file, values) => {
    const header = readFileSync(join(EXAMPLES, file), "utf8")
      .split("\n")
      .filter((line) => line.startsWith("#"))
      .join(" ");
    const named = [...header.matchAll(/([a-z][a-z0-9-]*) \(([^()]+)\)/g)].flatMap(([, name = "", keys = ""]) =>
      keys.split(", ").map((key) => `${name} ${key}`),
    );
    const needed = mountsOf(merged(values, DEFAULTS));
    expect(needed).toEqual(expect.arrayContaining(["outreach secret-key", "outreach mongodb-uri"]));
    expect([...new Set(named)].sort()).toEqual([...new Set(needed)].sort());
  },
);

/** Each secret or ConfigMap in values, with one of its keys. */
function mountsOf(values: unknown): string[] {
  if (!isRecord(values)) return [];
  const { secret, configMap, key, certificate, privateKey, tlsSecret } = values;
  const own = [key, certificate, privateKey].flatMap((one) =>
    one === undefined ? [] : [`${secret ?? configMap} ${one}`],
  );
  const ingress = typeof tlsSecret === "string" ? [`${tlsSecret} tls.crt`, `${tlsSecret} tls.key`] : [];
  return [...own, ...ingress, ...Object.values(values).flatMap(mountsOf)];
}

const [, good] = examples().find(([file]) => file === "self-hosted-temporal.yaml") ?? [];

test.each([
  ["no build", { builds: [] }],
  ["a build without an id", { builds: [{ image: "outreach:1.1.0" }] }],
  ["an image without a tag", { builds: [{ id: "1.1.0-0123456789ab", image: "registry:5000/outreach" }] }],
  ["an unknown value", { replicas: 3 }],
  ["an unknown setting", { settings: { LOG_LEVLE: "warn" } }],
  ["a setting that the chart sets itself", { settings: { WORKER_QUEUES: "engine" } }],
  ["a secret as a plain setting", { settings: { SECRET_KEY: "k" } }],
  ["a PUBLIC_URL that is no address", { settings: { PUBLIC_URL: "outreach.example.com" } }],
  ["a secret without its key", { secretSettings: { STRIPE_SECRET_KEY: { secret: "outreach" } } }],
  ["the secret key removed", { secretSettings: { SECRET_KEY: null } }],
  ["a Temporal server without a port", { temporal: { address: "temporal" } }],
  ["an unknown queue", { workers: { jobs: { queues: ["job"] } } }],
  ["no worker", { workers: { jobs: { min: 0 } } }],
  ["a word where a number belongs", { workers: { jobs: { backlog: "many" } } }],
])("the schema refuses %s", (_what, wrong) => {
  expect(validate(merged(wrong, merged(good, DEFAULTS)))).toBe(false);
});
