import type { z } from "zod";
import type { planning } from "../effects.ts";
import type { Operation } from "../operation.ts";
import type { SendingContext } from "./permit.ts";

/**
 * The definition of an operation that may send emails. It can be planned, and it requests its permit before it changes
 * anything.
 */
interface Sending<In extends z.ZodObject, Out extends z.ZodType>
  extends Omit<Operation<In, Out>, "sends" | "asksPermit" | "run"> {
  audits: string;
  run(ctx: SendingContext, input: z.output<In>): Promise<z.input<Out>>;
}

/** Defines an operation that may send emails and keeps its types. */
export function sendingOperation<In extends z.ZodObject<typeof planning>, Out extends z.ZodType>(
  verb: Sending<In, Out>,
) {
  return { ...verb, sends: true as const, asksPermit: true as const };
}
