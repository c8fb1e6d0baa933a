import { setWorkflowOptions, workflowInfo } from "@temporalio/workflow";
import { VERSIONING } from "../domain/workflow-contract.ts";
import * as workflows from "./index.ts";

// The entry of the bundle: every workflow, each with its versioning behavior

type Workflow = (...ids: never[]) => Promise<unknown>;

for (const [name, workflow] of Object.entries<Workflow>(workflows)) {
  const versioningBehavior = VERSIONING[name as keyof typeof VERSIONING];
  // Temporal refuses a behavior from a worker without a version, as the tests run many
  const isVersioned = () => Boolean(workflowInfo().currentDeploymentVersion?.deploymentName);
  setWorkflowOptions(() => (isVersioned() ? { versioningBehavior } : {}), workflow);
}

export * from "./index.ts";
