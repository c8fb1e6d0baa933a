import mongoose from "mongoose";

export interface Stage {
  stage: string;
  indexName?: string;
  indexBounds?: Record<string, string[]>;
  inputStage?: Stage;
  inputStages?: Stage[];
}

/** Every stage of the plan that MongoDB would run, outermost first. */
export async function stagesOf(
  collection: string,
  filter: object,
  sort: Record<string, 1 | -1> = {},
): Promise<Stage[]> {
  const explained = await mongoose.connection.collection(collection).find(filter).sort(sort).explain("queryPlanner");
  const { winningPlan } = explained["queryPlanner"];
  return flat(winningPlan.queryPlan ?? winningPlan);
}

/** The names of the stages. */
export async function planOf(collection: string, filter: object, sort: Record<string, 1 | -1> = {}): Promise<string[]> {
  return (await stagesOf(collection, filter, sort)).map(({ stage }) => stage);
}

function flat(plan: Stage): Stage[] {
  return [plan, ...[plan.inputStage ?? [], plan.inputStages ?? []].flat().flatMap(flat)];
}
