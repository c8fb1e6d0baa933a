import { EgressError } from "./egress-error.ts";

/** How long a step may take in all, in milliseconds, and the caller's own signal to stop earlier. */
export interface TimeLimits {
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/**
 * One signal for everything that a call does. The time-outs of libraries bound only pauses, so a peer that sends drop
 * by drop never triggers them.
 */
export function deadlineOf({ timeoutMs, signal }: TimeLimits): AbortSignal {
  const timeout = AbortSignal.timeout(timeoutMs);
  return signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
}

/** The result of the work, unless the signal fires first. Then the work continues, but its result is ignored. */
export function withinDeadline<T>(deadline: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(deadline.reason);
    if (deadline.aborted) stop();
    deadline.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => deadline.removeEventListener("abort", stop));
  });
}

/** The error to throw for a failed step: the caller's own cancellation unchanged, and a passed deadline as TIMEOUT. */
export function failureOf(
  error: unknown,
  deadline: AbortSignal,
  { signal }: TimeLimits,
  classify: (error: unknown) => EgressError,
): unknown {
  if (signal?.aborted) return signal.reason;
  if (error instanceof EgressError) return error;
  return deadline.aborted ? new EgressError("TIMEOUT", { cause: error }) : classify(error);
}
