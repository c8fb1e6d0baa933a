import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Request, type Response, Router } from "express";
import { AppError, STATUS_OF } from "../../domain/errors.ts";
import { credential } from "../../operations/sign-in/attempts.ts";
import { addressOf } from "../limits.ts";

export interface SignedFile {
  fileName: string;
  contentType: string;
  parts: AsyncIterable<unknown>;
  /** The size in octets, if it is known in advance. */
  size?: number;
}

/**
 * `<path>/:token`: files whose signed address is the only credential. `open` returns null for an address that is
 * invalid or expired.
 */
export function signedFiles(path: string, open: (token: string) => Promise<SignedFile | null>): Router {
  const router = Router();
  const route = router.route(`${path}/:token`);
  route.all((_req, res, next) => {
    res.locals["route"] = `${path}/:token`;
    res.set({ "Cache-Control": "no-store", "Referrer-Policy": "no-referrer" });
    next();
  });
  route.get(async (req, res) => {
    const file = await credential(addressOf(req), () => open(req.params.token));
    if (file === null)
      throw new AppError("ROUTE_NOT_FOUND", "This address is not valid or has expired: request a new one");
    await answer(file, req, res);
  });
  route.all((_req, res) => {
    res
      .set("Allow", "GET, HEAD")
      .status(STATUS_OF.METHOD_NOT_ALLOWED)
      .type("text/plain")
      .send("This URL accepts only GET.\n");
  });
  return router;
}

async function answer({ fileName, contentType, parts, size }: SignedFile, req: Request, res: Response): Promise<void> {
  res.attachment(fileName);
  // Browsers must not display or run the file, whatever its declared type
  res.set({
    "Content-Type": contentType,
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "sandbox; default-src 'none'",
  });
  if (size !== undefined) res.set("Content-Length", String(size));
  if (req.method === "HEAD") {
    res.end();
    return;
  }
  try {
    // A client that disconnects closes the database cursor
    await pipeline(Readable.from(parts), res);
  } catch (error) {
    // A response that fails in the middle is cut off, so that no one takes it for complete
    res.locals["error"] = error;
    if (!res.headersSent) throw error;
    res.destroy();
  }
}
