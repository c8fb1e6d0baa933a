import { test as every, expect } from "@jest/globals";
import { z } from "zod";
import { findChartTools, type KubernetesObject, readObjects, render } from "./chart.ts";

/** What the objects of the Helm chart say to each other and to Kubernetes. Skipped where Helm is not available. */
const tools = await findChartTools().catch(() => null);
const test = tools === null ? every.skip : every;
const EXAMPLE = "self-hosted-temporal.yaml";

async function rendered(more: object = {}, example = EXAMPLE): Promise<KubernetesObject[]> {
  const { out, err } = await render(tools?.helm ?? "", example, more);
  expect(err).toBe("");
  return readObjects(out);
}

function ofKind<T>(objects: readonly KubernetesObject[], kind: string, schema: z.ZodType<T>): T[] {
  return objects.filter((object) => object.kind === kind).map((object) => schema.parse(object));
}

const Labels = z.record(z.string(), z.string());
const Probe = z.object({
  httpGet: z.object({ path: z.string(), port: z.string() }),
  failureThreshold: z.number().optional(),
});
const Container = z.object({
  ports: z.array(z.object({ name: z.string() })),
  startupProbe: Probe,
  livenessProbe: Probe,
  readinessProbe: Probe,
});
const Deployment = z.object({
  metadata: z.object({ name: z.string() }),
  spec: z.object({
    replicas: z.number().optional(),
    selector: z.object({ matchLabels: Labels }),
    template: z.object({
      metadata: z.object({ labels: Labels }),
      spec: z.object({ containers: z.tuple([Container]) }),
    }),
  }),
});

function matches(selector: Record<string, string>, labels: Record<string, string>): boolean {
  return Object.entries(selector).every(([name, value]) => labels[name] === value);
}

test("with stopped no process runs and nothing starts one, while the job still prepares the database", async () => {
  for (const example of [EXAMPLE, "without-operators.yaml"]) {
    const objects = await rendered({ stopped: true, "migrations.enabled": true }, example);
    const deployments = ofKind(objects, "Deployment", Deployment);
    expect(deployments.length).toBeGreaterThan(2);
    expect(new Set(deployments.map(({ spec }) => spec.replicas))).toEqual(new Set([0]));
    const kinds = objects.map(({ kind }) => kind);
    expect(kinds.filter((kind) => /Autoscaler|ScaledObject/.test(kind))).toEqual([]);
    expect(kinds).toContain("Job");
  }
});

const Job = z.object({
  metadata: z.object({ annotations: Labels }),
  spec: z.object({
    podFailurePolicy: z.unknown(),
    template: z.object({
      spec: z.object({ containers: z.tuple([z.object({ name: z.string(), command: z.array(z.string()) })]) }),
    }),
  }),
});

test("the job runs before each install and upgrade, ends at once for a wrong build, and can give addresses their key", async () => {
  const [job] = ofKind(await rendered(), "Job", Job);
  expect(job?.metadata.annotations).toEqual({
    "helm.sh/hook": "pre-install,pre-upgrade",
    "helm.sh/hook-delete-policy": "before-hook-creation,hook-succeeded",
  });
  const [container] = job?.spec.template.spec.containers ?? [];
  expect(job?.spec.podFailurePolicy).toEqual({
    rules: [{ action: "FailJob", onExitCodes: { containerName: container?.name, operator: "In", values: [2] } }],
  });
  const [keys] = ofKind(await rendered({ stopped: true, "migrations.keyAddresses": true }), "Job", Job);
  expect(keys?.spec.template.spec.containers[0].command.at(-1)).toBe("api/cli/addresses-key.ts");
});

test("every selector chooses its pods, and every probe and Service uses a port that these pods have", async () => {
  const objects = await rendered({ podLabels: { team: "mail" } });
  const deployments = ofKind(objects, "Deployment", Deployment);
  for (const { metadata, spec } of deployments) {
    const chosen = deployments.filter((other) =>
      matches(spec.selector.matchLabels, other.spec.template.metadata.labels),
    );
    expect(chosen.map((one) => one.metadata.name)).toEqual([metadata.name]);
    const [{ ports, startupProbe, livenessProbe, readinessProbe }] = spec.template.spec.containers;
    const names = ports.map(({ name }) => name);
    const port = names.includes("http") ? "http" : "metrics";
    expect(names).toContain(port);
    expect([startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet)).toEqual([
      { path: "/healthz", port },
      { path: "/healthz", port },
      { path: "/readyz", port },
    ]);
  }
  const podsOf = (selector: Record<string, string>) =>
    deployments.filter(({ spec }) => matches(selector, spec.template.metadata.labels));
  const Service = z.object({
    metadata: z.object({ name: z.string() }),
    spec: z.object({ selector: Labels, ports: z.tuple([z.object({ targetPort: z.string() })]) }),
  });
  const services = ofKind(objects, "Service", Service).map(({ metadata, spec }) => {
    const pods = podsOf(spec.selector);
    const [{ targetPort }] = spec.ports;
    for (const pod of pods)
      expect(pod.spec.template.spec.containers[0].ports.map(({ name }) => name)).toContain(targetPort);
    return [metadata.name, pods.length];
  });
  expect(services).toEqual([
    ["outreach-api", 1],
    ["outreach-metrics", deployments.length],
  ]);
  const Budget = z.object({ spec: z.object({ selector: z.object({ matchLabels: Labels }) }) });
  const budgets = ofKind(objects, "PodDisruptionBudget", Budget).map(({ spec }) => podsOf(spec.selector.matchLabels));
  expect(budgets.map((pods) => pods.length)).toEqual(deployments.map(() => 1));
});

test("a worker that prepares the database itself has as long for it as the job", async () => {
  const Spec = Deployment.shape.spec;
  const thresholds = async (deadline: number) =>
    ofKind(await rendered({ "migrations.deadline": deadline }), "Deployment", Deployment)
      .filter(({ metadata }) => !metadata.name.endsWith("-api"))
      .map(({ spec }) => Spec.parse(spec).template.spec.containers[0].startupProbe.failureThreshold);
  expect(new Set(await thresholds(7200))).toEqual(new Set([1440]));
  expect(new Set(await thresholds(60))).toEqual(new Set([240]));
});

const Policy = z.object({
  metadata: z.object({ name: z.string() }),
  spec: z.object({
    egress: z
      .array(z.object({ ports: z.array(z.unknown()).optional(), to: z.array(z.unknown()).optional() }))
      .default([]),
  }),
});

test("pods reach DNS, MongoDB, Temporal, their own public addresses and public networks, but no private network", async () => {
  const objects = await rendered({ "networkPolicies.privateNetworks": ["10.0.0.0/8", "2001:db8::/32"] });
  const [policy] = ofKind(objects, "NetworkPolicy", Policy).filter(({ spec }) => spec.egress.length > 0);
  const namespaced = (name: string) => [
    { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": name } } },
  ];
  const tcp = (port: number) => [{ port, protocol: "TCP" }];
  expect(policy?.spec.egress).toEqual([
    { ports: [{ port: 53, protocol: "UDP" }, ...tcp(53)] },
    { ports: tcp(27017), to: namespaced("mongodb") },
    { ports: tcp(7233), to: namespaced("temporal") },
    { ports: tcp(443), to: namespaced("ingress-nginx") },
    {
      to: [
        { ipBlock: { cidr: "0.0.0.0/0", except: ["10.0.0.0/8"] } },
        { ipBlock: { cidr: "2000::/3", except: ["2001:db8::/32"] } },
        { ipBlock: { cidr: "64:ff9b::/96" } },
      ],
    },
  ]);
  // Without peers there is no rule: port 443 of every private network would be open
  const [without] = ofKind(await rendered({ "networkPolicies.ingress.to": [] }), "NetworkPolicy", Policy);
  expect(without?.spec.egress.map(({ ports }) => ports)).not.toContainEqual(tcp(443));
});
