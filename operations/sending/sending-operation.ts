import type { z } from "zod";
import type { planning } from "../effects.ts";
import type { Operation } from "../operation.ts";
import type { SendingContext } from "./permit.ts";

/**
 * What a verb that may put mail on the wire is made of: it can be planned, and does nothing before it has asked its
 * permit.
 */
interface Sending<In extends z.ZodObject, Out extends z.ZodType>
  extends Omit<Operation<In, Out>, "sends" | "asksPermit" | "run"> {
  audits: string;
  run(ctx: SendingContext, input: z.output<In>): Promise<z.input<Out>>;
}

/** Keeps the types of a verb that may put mail on the wire together. */
export function sendingOperation<In extends z.ZodObject<typeof planning>, Out extends z.ZodType>(
  verb: Sending<In, Out>,
) {
  return { ...verb, sends: true as const, asksPermit: true as const };
}
