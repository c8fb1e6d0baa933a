import { Router } from "express";
import type { Services } from "../../operations/context.ts";
import { evidenceKeysOf } from "../../operations/evidence/evidence-keys.ts";

/** `/evidence-keys`: the public keys that verify evidence about leads, for anyone who received such a file. */
export function evidenceKeysAt(services: Services): Router {
  const router = Router();
  router.get("/evidence-keys", (_req, res) => {
    res.locals["route"] = "/evidence-keys";
    res.set("Cache-Control", "public, max-age=3600").json({ keys: evidenceKeysOf(services) });
  });
  return router;
}
