import { z } from "zod";

/**
 * Step-by-step instructions for one job, which a person picks in their application and fills with arguments
 * (rules/tools 7).
 */
export interface Prompt {
  name: string;
  title: string;
  description: string;
  /** An argument is required when its schema refuses undefined. */
  arguments: Readonly<Record<string, PromptArgument>>;
  task: string;
  steps: readonly PromptStep[];
  /** No step changes anything. */
  readOnly?: true;
  /** What the person gets at the end, and what needs their consent before. */
  end: string;
}

export interface PromptArgument {
  description: string;
  /** Reads the text of the argument. Its output may be any value that a tool takes. */
  schema: z.ZodType;
  example: string;
}

/**
 * One call of a tool. In `args`, `{name}` stands for an argument of the prompt, and `{name?}` for one whose field is left
 * out of the call when it is not given. `<name>` stands for a value from an earlier result.
 */
export interface PromptStep {
  tool: string;
  args?: Readonly<Record<string, unknown>>;
  why: string;
  /** A credential that may not make this call gets the prompt without the step. */
  optional?: true;
}

/** The id of a record: a prefix, an underscore, then letters and digits. */
export function idOf(prefix: string): z.ZodType {
  return z
    .string()
    .regex(new RegExp(`^${prefix}_[0-9A-Za-z]{1,40}$`), `must be an id that begins with ${prefix}_`)
    .optional();
}

/** Free words of the person. */
export const words = z.string().trim().min(1).max(500);
