import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Request, type Response, Router } from "express";
import { AppError, STATUS_OF } from "../domain/errors.ts";
import type { Services } from "../operations/context.ts";
import { exportAt } from "../operations/leads/export.ts";

/** `/exports/:token`: the file that `GET /leads/export` gave the address of. The token is the only credential, and reads one list. */
export function exportsOf(services: Services): Router {
  const router = Router();
  const route = router.route("/exports/:token");
  route.all((_req, res, next) => {
    res.locals["route"] = "/exports/:token";
    res.set({ "Cache-Control": "no-store", "Referrer-Policy": "no-referrer" });
    next();
  });
  route.get((req, res) => answer(services, req, res));
  route.all((_req, res) => {
    res.set("Allow", "GET, HEAD").status(STATUS_OF.METHOD_NOT_ALLOWED).type("text/plain").send("This address takes GET.\n");
  });
  return router;
}

async function answer(services: Services, req: Request<{ token: string }>, res: Response): Promise<void> {
  const file = await exportAt(services, req.params.token);
  if (file === null) throw new AppError("ROUTE_NOT_FOUND", "This address is not valid, or no longer: ask for the export again");
  res.set({ "Content-Type": "text/csv; charset=utf-8", "Content-Disposition": `attachment; filename="${file.fileName}"` });
  if (req.method === "HEAD") {
    res.end();
    return;
  }
  try {
    // A reader that goes away ends the cursor
    await pipeline(Readable.from(file.parts), res);
  } catch (error) {
    // What breaks off in the middle is cut, so that nobody takes it for the whole
    res.locals["error"] = error;
    if (!res.headersSent) throw error;
    res.destroy();
  }
}
