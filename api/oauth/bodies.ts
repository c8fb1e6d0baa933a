import type { IncomingMessage } from "node:http";
import type { RequestHandler } from "express";
import { STATUS_OF } from "../../domain/errors.ts";
import { collect } from "../body.ts";
import { MetadataRefused, regularClient, regularResource } from "./regular.ts";

/** Bodies that were already read and normalized, for the library to use. */
export type Bodies = WeakMap<IncomingMessage, Buffer>;

const MOST_BYTES = 16_384;

/** Reads the metadata of an application that registers itself. */
export function readRegistration(bodies: Bodies): RequestHandler {
  return async (req, res, next) => {
    if (!req.is("application/json")) return next(); // the library refuses it
    try {
      const metadata = regularClient(parsed(await collect(req, MOST_BYTES)));
      bodies.set(req, Buffer.from(JSON.stringify(metadata)));
    } catch (err) {
      if (!(err instanceof MetadataRefused)) throw err;
      res
        .status(STATUS_OF.VALIDATION_FAILED)
        .set("Cache-Control", "no-store")
        .json({ error: err.error, error_description: err.message });
      return;
    }
    next();
  };
}

/** Reads a token request, and stores its client id, by which the rate limit counts. */
export function readTokenRequest(bodies: Bodies, resource: string): RequestHandler {
  return async (req, res, next) => {
    if (!req.is("application/x-www-form-urlencoded")) return next(); // the library refuses it
    const params = regularResource(new URLSearchParams((await collect(req, MOST_BYTES)).toString("utf8")), resource);
    res.locals["clientId"] = params.get("client_id");
    bodies.set(req, Buffer.from(params.toString()));
    next();
  };
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    throw new MetadataRefused("invalid_client_metadata", "The body is not JSON");
  }
}
