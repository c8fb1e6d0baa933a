import type { Request, RequestHandler, Response } from "express";

/** Asks the servers that the service stands on. */
export type Ready = () => Promise<{ mongodb: boolean; engine: boolean }>;

/** The process is alive. */
export function healthz(_req: Request, res: Response): void {
  res.locals["route"] = "/healthz";
  res.json({ status: "ok" });
}

/** Without MongoDB nothing can be answered; without the engine only what awaits a workflow cannot. */
export function readyz(ready: Ready): RequestHandler {
  return async (_req, res) => {
    res.locals["route"] = "/readyz";
    const { mongodb, engine } = await ready();
    if (!mongodb) res.set("Retry-After", "5");
    res
      .status(mongodb ? 200 : 503)
      .set("Cache-Control", "no-store")
      .json({ status: mongodb ? "ready" : "unready", mongodb: mongodb ? "up" : "down", engine: engine ? "up" : "down" });
  };
}
