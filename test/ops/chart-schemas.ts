import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { npmFolder, pipFolder } from "../clients/tools.ts";
import type { KubernetesObject } from "./chart.ts";

/** The strict schemas of all versions of Kubernetes. */
const SCHEMAS = "kubernetes-validate==1.37.0";
/** The models of KEDA and of the Prometheus Operator. They check types, but accept unknown fields. */
const MODELS = { "@kubernetes-models/keda": "2.0.0", "@kubernetes-models/prometheus-operator": "6.0.0" };

/** The oldest version that the chart accepts, and the newest that has schemas. */
export const VERSIONS = ["v1.30.0", "v1.37.0"];

const KINDS = [
  "deployment-apps-v1",
  "horizontalpodautoscaler-autoscaling-v2",
  "ingress-networking-v1",
  "job-batch-v1",
  "networkpolicy-networking-v1",
  "poddisruptionbudget-policy-v1",
  "service-v1",
];

/** Objects that Kubernetes does not know, by kind: where their model is. */
export const MODEL_OF: Readonly<Record<string, string>> = {
  ScaledObject: "@kubernetes-models/keda/keda.sh/v1alpha1/ScaledObject.js",
  TriggerAuthentication: "@kubernetes-models/keda/keda.sh/v1alpha1/TriggerAuthentication.js",
  ServiceMonitor: "@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor.js",
};

export interface Schemas {
  /** The folder with one folder for each version, in the form that kubeconform reads. */
  kubernetes: string;
  /** The folder in which the models are installed. */
  models: string;
}

/** @throws Error when this machine cannot get them */
export async function findSchemas(): Promise<Schemas> {
  const installed = await pipFolder("chart-schemas", SCHEMAS, "--no-deps");
  const [python = ""] = readdirSync(join(installed, "venv/lib"));
  const from = join(installed, "venv/lib", python, "site-packages/kubernetes_validate/kubernetes-json-schema");
  const kubernetes = join(installed, "standalone");
  for (const version of VERSIONS) writeStandalone(join(from, `${version}-local-strict`), join(kubernetes, version));
  return {
    kubernetes,
    models: join(await npmFolder("chart-models", MODELS), "node_modules"),
  };
}

const Schema = z.looseObject({});

/** Writes each kind with all definitions inside: kubeconform does not resolve references to another file. */
function writeStandalone(from: string, to: string): void {
  const read = (name: string) =>
    Schema.parse(
      JSON.parse(readFileSync(join(from, `${name}.json`), "utf8").replaceAll("/api/_definitions.json#", "#")),
    );
  const { $defs } = read("_definitions");
  mkdirSync(to, { recursive: true });
  for (const kind of KINDS) writeFileSync(join(to, `${kind}.json`), JSON.stringify({ ...read(kind), $defs }));
}

const Model = z.custom<new (object: unknown) => { validate(): void }>((value) => typeof value === "function");

/** @throws Error that names the field with a wrong value */
export async function checkByModel({ models }: Schemas, object: KubernetesObject): Promise<void> {
  const path = MODEL_OF[object.kind] ?? "";
  const made = z.record(z.string(), z.unknown()).parse(await import(pathToFileURL(join(models, path)).href));
  new (Model.parse(made[object.kind]))(object).validate();
}
