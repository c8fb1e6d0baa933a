import { z } from "zod";
import { AppError } from "../errors.ts";
import { readBy } from "../issues.ts";
import type { Step } from "./sequence.ts";

/** What the `config` of each type of step contains. Keys that are not declared are kept (rules/states 1.3). */
const schemas = {
  /** These types have no config. They need only their delay, conditions or texts. */
  EMAIL: z.looseObject({}),
  WAIT: z.looseObject({}),
  CONDITION: z.looseObject({}),
  /** `title` and `note` may contain variables. */
  TASK: z.looseObject({
    title: z.string().trim().min(1).max(200),
    note: z.string().max(2_000).nullish(),
    assignee: z.string().min(1).max(200).nullish(),
  }),
  WEBHOOK: z.looseObject({ url: z.string().min(1).max(10_000) }),
  ADD_TAG: z.looseObject({ tags: z.array(z.string().trim().min(1).max(50)).min(1).max(50) }),
  MOVE_TO_CAMPAIGN: z.looseObject({ campaignId: z.string().min(1).max(64) }),
  APPROVAL: z.looseObject({ note: z.string().max(2_000).nullish() }),
};

/** The fields of all types as JSON schema, for the reference and tools. */
export const CONFIG_FIELDS = {
  title: { type: "string", description: "TASK: what to do, 1 to 200 characters" },
  note: { type: "string", description: "TASK, APPROVAL: at most 2,000 characters" },
  assignee: { type: "string", description: "TASK: who does it" },
  url: { type: "string", description: "WEBHOOK: an https address" },
  tags: { type: "array", items: { type: "string" }, description: "ADD_TAG: 1 to 50 tags" },
  campaignId: { type: "string", description: "MOVE_TO_CAMPAIGN: the other campaign" },
};

type Configs = { [T in keyof typeof schemas]: z.output<(typeof schemas)[T]> };

/** The config of a stored step of this type. */
export function configOf<T extends Step["type"]>(type: T, { config }: Pick<Step, "config">): Configs[T] {
  return schemas[type].parse(config) as Configs[T]; // the schema of the same key
}

/**
 * Checks the config that a caller wrote.
 * @throws VALIDATION_FAILED with the path of each field that the type refuses or lacks
 */
export function checkConfig({ type, config }: Pick<Step, "type" | "config">, path: string): void {
  const read = readBy(schemas[type], config);
  if (read.success) return;
  const issues = read.issues.map((issue) => ({ ...issue, path: issue.path === "" ? path : `${path}.${issue.path}` }));
  throw new AppError("VALIDATION_FAILED", "The request is not valid", { issues });
}
