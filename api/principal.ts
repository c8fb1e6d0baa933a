import type { Request, Response } from "express";
import type { Context, Principal, Services } from "../operations/context.ts";

export function principalOf(res: Response): Principal {
  return res.locals["principal"];
}

export function contextOf(services: Services, req: Request, res: Response): Context {
  const { session, traceId } = res.locals;
  return { ...principalOf(res), services, ip: req.ip ?? null, traceId, ...(session !== undefined && { session }) };
}
