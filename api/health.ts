import type { Request, RequestHandler, Response } from "express";

/** Checks MongoDB and Temporal, and counts the overdue recipients; null while they cannot be counted. */
export type Ready = () => Promise<{ mongodb: boolean; engine: boolean; recipientsOverdue: number | null }>;

/** Reports that the process is alive. */
export function healthz(_req: Request, res: Response): void {
  res.locals["route"] = "/healthz";
  res.json({ status: "ok" });
}

/**
 * Reports whether requests can be served. Without MongoDB none can; without Temporal only those that wait for a workflow cannot. `isOpen`
 * false: the database may respond, but the API does not serve yet.
 */
export function readyz(ready: Ready, isOpen = true): RequestHandler {
  return async (_req, res) => {
    res.locals["route"] = "/readyz";
    const { mongodb, engine, recipientsOverdue } = await ready();
    const isReady = mongodb && isOpen;
    if (!isReady) res.set("Retry-After", "5");
    res
      .status(isReady ? 200 : 503)
      .set("Cache-Control", "no-store")
      .json({
        status: isReady ? "ready" : "unready",
        ...{ mongodb: mongodb ? "up" : "down", engine: engine ? "up" : "down", recipientsOverdue },
      });
  };
}
