import { execFile } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { parseAllDocuments } from "yaml";
import { z } from "zod";
import { goProgram } from "../clients/tools.ts";
import { CHART } from "../support/chart.ts";

const HELM = "helm.sh/helm/v3/cmd/helm@v3.22.0";
const KUBECONFORM = "github.com/yannh/kubeconform/cmd/kubeconform@v0.7.0";
/** Helm that Go installs takes an old version of Kubernetes for the cluster's. */
const CLUSTER = ["--kube-version", "1.30.0"];
export const EXAMPLES = "ops/helm/examples";
const OUTLINES = "test/ops/chart";

export interface ChartTools {
  helm: string;
  kubeconform: string;
}

/** The programs, built from their Go modules once. @throws Error when this machine cannot build them */
export async function findChartTools(): Promise<ChartTools> {
  return { helm: await goProgram(HELM), kubeconform: await goProgram(KUBECONFORM) };
}

export function exampleFiles(): string[] {
  return readdirSync(EXAMPLES).sort();
}

export interface Ran {
  code: number;
  out: string;
  err: string;
}

export async function run(program: string, args: string[]): Promise<Ran> {
  try {
    const { stdout, stderr } = await promisify(execFile)(program, args, { maxBuffer: 64 * 1_048_576 });
    return { code: 0, out: stdout, err: stderr };
  } catch (error) {
    const { stdout, stderr, code }: { stdout?: string; stderr?: string; code?: number } = Object(error);
    return { out: stdout ?? "", err: stderr ?? "", code: Number(code ?? -1) };
  }
}

/** The chart with the values of an example, and further values over them. */
export function render(helm: string, example: string, more: object = {}): Promise<Ran> {
  const args = ["template", "outreach", CHART, ...CLUSTER, "--namespace", "mail", "-f", join(EXAMPLES, example)];
  const over = Object.entries(more).flatMap(([name, value]) => ["--set-json", `${name}=${JSON.stringify(value)}`]);
  return run(helm, [...args, ...over]);
}

const Env = z.object({ name: z.string(), value: z.string() });
const Container = z.looseObject({
  image: z.string(),
  command: z.array(z.string()),
  env: z.array(Env),
  ports: z.array(z.object({ name: z.string(), containerPort: z.number() })).default([]),
});
const Pod = z.looseObject({
  containers: z.array(Container),
  volumes: z.array(z.looseObject({ name: z.string() })),
});
const KubernetesObject = z.looseObject({
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
  spec: z.looseObject({ replicas: z.number().optional(), template: z.looseObject({ spec: Pod }).optional() }),
});
export type KubernetesObject = z.output<typeof KubernetesObject>;
export type Pod = z.output<typeof Pod>;

export function readObjects(yaml: string): KubernetesObject[] {
  return parseAllDocuments(yaml)
    .map((document) => document.toJS())
    .filter((value) => value !== null)
    .map((value) => KubernetesObject.parse(value));
}

/** One line for each object: its kind and name, and for pods the image, the command and the variables. */
export function outlineOf(objects: readonly KubernetesObject[]): string {
  return objects
    .map(({ kind, metadata, spec }) => {
      const pods = (spec.template?.spec.containers ?? []).map(
        ({ image, command, env }) => `  ${image}\n  ${command.join(" ")}\n  ${env.map(({ name }) => name).join(" ")}\n`,
      );
      const replicas = spec.replicas === undefined ? "" : ` x${spec.replicas}`;
      return `${kind} ${metadata.name}${replicas}\n${pods.join("")}`;
    })
    .join("");
}

export function outlineFile(example: string): string {
  return join(OUTLINES, `${basename(example, ".yaml")}.txt`);
}

// Records the outlines anew
if (import.meta.main) {
  const { helm } = await findChartTools();
  for (const example of exampleFiles()) {
    const { code, out, err } = await render(helm, example);
    if (code !== 0) throw new Error(err);
    writeFileSync(outlineFile(example), outlineOf(readObjects(out)));
  }
}
