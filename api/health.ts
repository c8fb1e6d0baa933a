import type { Request, RequestHandler, Response } from "express";

/** Asks the servers that the service stands on, and how many recipients are overdue; null while that cannot be told. */
export type Ready = () => Promise<{ mongodb: boolean; engine: boolean; recipientsOverdue: number | null }>;

/** The process is alive. */
export function healthz(_req: Request, res: Response): void {
  res.locals["route"] = "/healthz";
  res.json({ status: "ok" });
}

/**
 * Without MongoDB nothing can be answered; without the engine only what awaits a workflow cannot. `isOpen` false: the database may
 * answer, the API does not yet.
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
