import type { Request, RequestHandler, Response } from "express";

/**
 * Reports whether MongoDB and Temporal respond, how many recipients are overdue, and how many emails are held back
 * because the database is slow (null while they cannot be counted). Also lists, by code and message, what is missing
 * before accepted work can be done.
 */
export type Ready = () => Promise<{
  mongodb: boolean;
  engine: boolean;
  recipientsOverdue: number | null;
  emailsHeldBack: number | null;
  missing: readonly { code: string; message: string }[];
  worker?: WorkerState;
}>;

/** What a worker process says about itself: its version, what that version gets, and its poller of each queue. */
export interface WorkerState {
  version: string;
  versionState: string;
  queues: Partial<Record<string, string>>;
}

/** Reports that the process is alive. */
export function healthz(_req: Request, res: Response): void {
  res.locals["route"] = "/healthz";
  res.json({ status: "ok" });
}

/**
 * Reports whether requests can be served. Without MongoDB none can. Without Temporal, only requests that wait for a
 * workflow fail; work that other requests start waits until Temporal is back (rules/sending 11.7). With `isOpen` false
 * the API does not serve yet, even if the database responds.
 */
export function readyz(ready: Ready, isOpen = true): RequestHandler {
  return async (_req, res) => {
    res.locals["route"] = "/readyz";
    const { status, headers, body } = await readiness(ready, isOpen);
    res.status(status).set(headers).json(body);
  };
}

/** The response of `/readyz`. */
export async function readiness(ready: Ready, isOpen: boolean) {
  const { mongodb, engine, recipientsOverdue, emailsHeldBack, missing, worker } = await ready();
  const isReady = mongodb && isOpen && (worker === undefined || isPolling(worker));
  return {
    status: isReady ? 200 : 503,
    headers: { "Cache-Control": "no-store", ...(!isReady && { "Retry-After": "5" }) },
    body: {
      status: isReady ? "ready" : "unready",
      mongodb: mongodb ? "up" : "down",
      engine: engine ? "up" : "down",
      recipientsOverdue,
      emailsHeldBack,
      missing,
      ...(worker !== undefined && { worker }),
    },
  };
}

/** A version that waits is ready too: its workers get work as soon as the operator gives it to them. */
function isPolling({ queues }: WorkerState): boolean {
  return Object.values(queues).every((state) => state === "RUNNING");
}
