import type { Router } from "express";
import type { Services } from "../../operations/context.ts";
import { exportAt } from "../../operations/export-at.ts";
import { signedFiles } from "./signed-files.ts";

/**
 * `/exports/:token`: the file whose address an export returned. The token is the only credential, and gives access to
 * this export alone.
 */
export function exportsOf(services: Services): Router {
  return signedFiles("/exports", (token) => exportAt(services, token));
}
