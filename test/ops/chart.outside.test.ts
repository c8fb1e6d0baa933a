import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, test as every, expect } from "@jest/globals";
import { z } from "zod";
import { readConfig } from "../../config.ts";
import { temporalSettings } from "../../temporal/link.ts";
import { makeCertificate } from "../fakes/certificate.ts";
import { CHART } from "../support/chart.ts";
import {
  EXAMPLES,
  exampleFiles,
  findChartTools,
  outlineFile,
  outlineOf,
  type Pod,
  readObjects,
  render,
  run,
} from "./chart.ts";
import { checkByModel, findSchemas, MODEL_OF, VERSIONS } from "./chart-schemas.ts";

/**
 * The Helm chart as Helm renders it. `node --no-warnings test/ops/chart.ts` records the outlines anew. Skipped where
 * Helm, kubeconform or the schemas of Kubernetes are not available.
 */
const found = await Promise.all([findChartTools(), findSchemas()]).catch((error: unknown) => {
  console.log(`The tests of the chart are skipped: ${error instanceof Error ? error.message.split("\n")[0] : error}`);
  return null;
});
const test = found === null ? every.skip : every;
const [tools, schemas] = found ?? [
  { helm: "", kubeconform: "" },
  { kubernetes: "", models: "" },
];

const folder = mkdtempSync(join(tmpdir(), "chart-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(exampleFiles())("%s", (example) => {
  test("helm lint has no complaint", async () => {
    const { code, out } = await run(tools.helm, ["lint", "--strict", CHART, "-f", join(EXAMPLES, example)]);
    expect([code, /^\[(WARNING|ERROR)\].*$/m.exec(out)?.[0]]).toEqual([0, undefined]);
  });

  test("the rendered objects are the recorded ones", async () => {
    const { code, out, err } = await render(tools.helm, example);
    expect([code, err]).toEqual([0, ""]);
    expect(outlineOf(readObjects(out))).toBe(readFileSync(outlineFile(example), "utf8"));
  });

  test.each(VERSIONS)("every object follows the strict schema of its kind in Kubernetes %s", async (version) => {
    const { out } = await render(tools.helm, example);
    const file = join(folder, `${example}.rendered.yaml`);
    writeFileSync(file, out);
    const checked = await run(tools.kubeconform, [
      ...["-strict", "-summary", "-output", "json", "-skip", Object.keys(MODEL_OF).join(",")],
      ...["-schema-location", `${schemas.kubernetes}/${version}/{{ .ResourceKind }}{{ .KindSuffix }}.json`],
      file,
    ]);
    const { resources = [], summary } = Checked.parse(JSON.parse(checked.out));
    const objects = readObjects(out);
    const others = objects.filter(({ kind }) => kind in MODEL_OF);
    expect([resources, summary]).toEqual([
      [],
      { valid: objects.length - others.length, invalid: 0, errors: 0, skipped: others.length },
    ]);
    for (const object of others) await checkByModel(schemas, object);
  });

  test("every process accepts the environment of its pod, and finds its secrets where the environment says", async () => {
    const { out } = await render(tools.helm, example);
    const pods = readObjects(out).flatMap(({ spec }) => spec.template?.spec ?? []);
    expect(pods.length).toBeGreaterThan(1);
    for (const pod of pods) {
      const config = readConfig(environmentOf(pod));
      expect(config).toMatchObject({ METRICS_HOST: "0.0.0.0", MONGODB_URI: SECRETS["MONGODB_URI"] });
      expect(temporalSettings(config).connection.address).toBe(config.TEMPORAL_ADDRESS);
    }
  });

  test("no pod runs as root, may change its own files or has a token of the Kubernetes API", async () => {
    const { out } = await render(tools.helm, example);
    for (const { spec } of readObjects(out)) {
      if (spec.template === undefined) continue;
      const pod = spec.template.spec;
      expect(pod).toMatchObject({ automountServiceAccountToken: false, securityContext: { runAsNonRoot: true } });
      for (const container of pod.containers)
        expect(container).toMatchObject({
          securityContext: { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false },
          resources: { limits: { memory: expect.any(String) } },
        });
    }
  });
});

const Checked = z.object({
  resources: z.array(z.unknown()).optional(),
  summary: z.object({ valid: z.number(), invalid: z.number(), errors: z.number(), skipped: z.number() }),
});
const login = await makeCertificate();
const SECRETS: Record<string, string> = {
  "temporal-client.crt": login.cert,
  "temporal-client.key": login.key,
  SECRET_KEY: Buffer.from("0123456789abcdef0123456789abcdeF").toString("base64"),
  MONGODB_URI: "mongodb://db-1:27017/outreach?replicaSet=rs0",
  SYSTEM_SMTP_URL: "smtps://mail%40example.com:password@smtp.example.com:465",
};
const Volume = z.object({
  projected: z.object({
    sources: z.array(z.record(z.string(), z.object({ items: z.array(z.object({ path: z.string() })) }))),
  }),
});

/** The environment of a pod, with the files of its volume in a folder of this test. */
function environmentOf({ containers, volumes }: Pod): Record<string, string> {
  const { projected } = Volume.parse(volumes.find(({ name }) => name === "secrets"));
  for (const source of projected.sources)
    for (const { items } of Object.values(source))
      for (const { path } of items) writeFileSync(join(folder, path), SECRETS[path] ?? "a text");
  const env = containers.flatMap((container) => container.env);
  return Object.fromEntries(env.map(({ name, value }) => [name, value.replace("/run/secrets/outreach", folder)]));
}

test("KEDA counts the tasks of each queue except imap for each build, and only with the credentials that Temporal asks for", async () => {
  const Scaled = z.object({
    spec: z.object({
      scaleTargetRef: z.object({ name: z.string() }),
      triggers: z.array(
        z.object({
          type: z.literal("temporal"),
          metadata: z.record(z.string(), z.string()),
          authenticationRef: z.object({ name: z.string() }).optional(),
        }),
      ),
    }),
  });
  const { out } = await render(tools.helm, "temporal-cloud-mtls.yaml");
  const objects = readObjects(out);
  const deployments = objects.filter(({ kind, metadata }) => kind === "Deployment" && !metadata.name.endsWith("-api"));
  const workers = deployments.filter(({ metadata }) => !metadata.name.includes("-imap-"));
  // Watches of mailboxes are no backlog, so that KEDA would stop workers that are full of them
  expect(deployments.filter((one) => !workers.includes(one)).map(({ spec }) => spec.replicas)).toEqual([2, 2]);
  const scaled = objects.filter(({ kind }) => kind === "ScaledObject").map((object) => Scaled.parse(object).spec);
  expect(scaled.map(({ scaleTargetRef }) => scaleTargetRef.name)).toEqual(workers.map(({ metadata }) => metadata.name));
  const counted = scaled.flatMap(({ triggers }) => triggers);
  expect(
    counted.map(({ metadata }) => `${metadata["taskQueue"]} ${metadata["workerDeploymentBuildId"]}`).sort(),
  ).toEqual(
    ["engine", "feed", "jobs", "smtp", "webhook"]
      .flatMap((queue) => [`${queue} 1.1.0-0123456789ab`, `${queue} 1.2.0-ba9876543210`])
      .sort(),
  );
  const [login] = objects.filter(({ kind }) => kind === "TriggerAuthentication");
  expect(new Set(counted.map(({ authenticationRef }) => authenticationRef?.name))).toEqual(
    new Set([login?.metadata.name]),
  );
  expect(login?.spec).toEqual({
    secretTargetRef: [
      { parameter: "cert", name: "temporal-client", key: "tls.crt" },
      { parameter: "key", name: "temporal-client", key: "tls.key" },
    ],
  });
});

test("without KEDA each group of workers has its lowest number, and nothing refers to an operator", async () => {
  const { out } = await render(tools.helm, "without-operators.yaml");
  const objects = readObjects(out);
  expect(objects.flatMap(({ spec: { replicas } }) => replicas ?? [])).toEqual([2, 3]);
  expect(out).not.toMatch(/keda|monitoring\.coreos/);
});

test.each([
  ["a queue without a group", { "workers.jobs": null }, "the queue jobs must be in exactly one group, but it is in 0"],
  ["a queue in two groups", { "workers.jobs.queues": ["jobs", "imap"] }, "the queue imap must be in exactly one group"],
  ["a lowest number above the highest", { "workers.jobs.min": 9 }, "workers.jobs: min is above max"],
  [
    "an API key beside a certificate",
    {
      "temporal.apiKey": { secret: "a", key: "b" },
      "temporal.clientCertificate": { secret: "a", certificate: "b", privateKey: "c" },
    },
    "set either apiKey or clientCertificate",
  ],
  ["TLS that KEDA cannot use", { "temporal.tls": true }, "KEDA uses TLS only with an API key or a client certificate"],
  [
    "a setting that is also in a secret",
    { "secretSettings.PUBLIC_URL": { secret: "a", key: "b" } },
    "PUBLIC_URL is both in settings and in secretSettings",
  ],
  [
    "an authority beside an API key, which KEDA does not use",
    { "temporal.apiKey": { secret: "a", key: "b" }, "temporal.serverCa": { secret: "a", key: "c" } },
    "KEDA uses serverCa only with a client certificate",
  ],
  ["a changing number of workers for imap", { "workers.imap.max": 3 }, "workers.imap: min and max must be equal"],
  ["a scaled group without a backlog", { "workers.jobs.backlog": null }, "workers.jobs: backlog is missing"],
  ["an API of an unknown build", { "api.build": "1.0.0-000000000000" }, "1.0.0-000000000000 is not in builds"],
  [
    "keys for addresses while processes run",
    { "migrations.keyAddresses": true },
    "migrations.keyAddresses: all processes must have ended",
  ],
  ["an ingress without hosts", { "ingress.hosts": [] }, "ingress: hosts is empty"],
  ["a value that the schema does not know", { replicas: 3 }, "replicas"],
  ["a secret as a plain setting", { "settings.SECRET_KEY": "k" }, "SECRET_KEY"],
])("Helm refuses %s and says what is wrong", async (_what, values, message) => {
  const { code, err } = await render(tools.helm, "self-hosted-temporal.yaml", values);
  expect(code).not.toBe(0);
  expect(err).toContain(message);
});
