import type { ToolResult } from "../../support/mcp.ts";
import type { JobsWorld } from "./jobs-world.ts";

/**
 * Does one call of a job, and returns its answer. A refused call ends the job with the tool's own words. `shown` names
 * the fields of the answer that the transcript shows; all of them where it is left out.
 */
export type Call = (tool: string, args?: Record<string, unknown>, shown?: string) => Promise<ToolResult["body"]>;

/** A task that a person gives an agent. */
export interface Job {
  name: string;
  /** What the person says. */
  asked: string;
  /** The most calls that the job may take. */
  most: number;
  /** `meanwhile` records what happens between two calls. */
  run(call: Call, world: JobsWorld, meanwhile: (words: string) => void): Promise<void>;
}
