import type { Router } from "express";
import type { Services } from "../../operations/context.ts";
import { exportAt } from "../../operations/leads/export.ts";
import { signedFiles } from "./signed-files.ts";

/** `/exports/:token`: the file that `GET /leads/export` gave the address of. The token is the only credential, and reads one list. */
export function exportsOf(services: Services): Router {
  return signedFiles("/exports", async (token) => {
    const file = await exportAt(services, token);
    return file === null ? null : { ...file, contentType: "text/csv; charset=utf-8" };
  });
}
