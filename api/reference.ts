import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Router } from "express";
import helmet from "helmet";
import type { Route } from "../operations/declaration.ts";
import { openapiOf } from "./openapi.ts";

/** Serves the OpenAPI document and its browsable pages; neither needs a key. */
export function referenceOf(routes: readonly Route[], publicUrl: string): Router {
  const router = Router();
  let document: string | undefined;
  router.get("/api/v1/openapi.json", (_req, res) => {
    res.locals["route"] = "/openapi.json";
    document ??= JSON.stringify(openapiOf(routes, publicUrl));
    res.type("application/json").send(document);
  });
  router.use("/api/v1/reference", onlyOwn);
  router.get("/api/v1/reference", (req, res) => {
    // The page's files are below its address, so the address must end with a slash
    if (req.path !== "/api/v1/reference/") res.redirect(301, "/api/v1/reference/");
    else res.type("html").send(PAGE);
  });
  router.get("/api/v1/reference/start.js", (_req, res) => {
    res.type("js").send(START);
  });
  for (const name of ["swagger-ui.css", "swagger-ui-bundle.js"]) {
    router.get(`/api/v1/reference/${name}`, (_req, res) => res.sendFile(name, { root: PAGES }));
  }
  return router;
}

/**
 * The directory of Swagger UI's static files. This package was chosen because it sends no telemetry when installed; its
 * own code is not run.
 */
const PAGES = join(dirname(fileURLToPath(import.meta.resolve("@fastify/swagger-ui/package.json"))), "static");

/** The pages use icons from data URLs and inline styles; everything else must come from this server. */
const onlyOwn = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      "default-src": ["'self'"],
      "img-src": ["'self'", "data:"],
      "style-src": ["'self'", "'unsafe-inline'"],
      "frame-ancestors": ["'none'"],
      "base-uri": ["'none'"],
      "form-action": ["'none'"],
    },
  },
});

const PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>API reference</title><link rel="stylesheet" href="swagger-ui.css"></head>
<body><div id="reference"></div><script src="swagger-ui-bundle.js"></script><script src="start.js"></script></body>
</html>
`;

const START = `SwaggerUIBundle({ url: "../openapi.json", dom_id: "#reference", deepLinking: true, validatorUrl: null });
`;
