import { EgressError } from "./egress-error.ts";

/** How long a step may take in all, and the caller's own reason to stop earlier. */
export interface Limits {
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/** One signal for everything a call does: library timeouts bound only gaps, so a dripping peer never trips them. */
export function deadlineOf({ timeoutMs, signal }: Limits): AbortSignal {
  const timeout = AbortSignal.timeout(timeoutMs);
  return signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
}

/** The work's result, unless the signal fires first; then the work goes on unheard. */
export function within<T>(deadline: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(deadline.reason);
    if (deadline.aborted) stop();
    deadline.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => deadline.removeEventListener("abort", stop));
  });
}

/** What to throw for a failed step: the caller's own cancellation as it is, a passed deadline as TIMEOUT. */
export function failureOf(error: unknown, deadline: AbortSignal, { signal }: Limits, classify: (error: unknown) => EgressError): unknown {
  if (signal?.aborted) return signal.reason;
  if (error instanceof EgressError) return error;
  return deadline.aborted ? new EgressError("TIMEOUT", { cause: error }) : classify(error);
}
