import type { Request, RequestHandler, Response } from "express";

/**
 * What a process can do: whether MongoDB and Temporal answer, how many recipients are overdue and how many emails are
 * held back because the database is slow (null while they cannot be counted), and what is missing for accepted work to
 * be done, by code and in a sentence.
 */
export type Ready = () => Promise<{
  mongodb: boolean;
  engine: boolean;
  recipientsOverdue: number | null;
  emailsHeldBack: number | null;
  missing: readonly { code: string; message: string }[];
}>;

/** Reports that the process is alive. */
export function healthz(_req: Request, res: Response): void {
  res.locals["route"] = "/healthz";
  res.json({ status: "ok" });
}

/**
 * Reports whether requests can be served. Without MongoDB none can; without Temporal only those that wait for a
 * workflow cannot, and what others set going waits for it (rules/sending 11.7). `isOpen` false: the database may
 * respond, but the API does not serve yet.
 */
export function readyz(ready: Ready, isOpen = true): RequestHandler {
  return async (_req, res) => {
    res.locals["route"] = "/readyz";
    const { status, headers, body } = await readiness(ready, isOpen);
    res.status(status).set(headers).json(body);
  };
}

/** The answer of `/readyz`. */
export async function readiness(ready: Ready, isOpen: boolean) {
  const { mongodb, engine, recipientsOverdue, emailsHeldBack, missing } = await ready();
  const isReady = mongodb && isOpen;
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
    },
  };
}
