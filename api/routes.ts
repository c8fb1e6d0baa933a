import type { z } from "zod";
import { type Declaration, inOrder, type Route } from "../operations/declaration.ts";
import { declarations, type RowsOf } from "../operations/declarations.ts";
import type { Planned } from "../operations/sending/plan.ts";

/** The response to a call with `planOnly`, which shows what would be sent. */
export type PlanAnswer = z.output<typeof Planned>;

/** The endpoints of all declarations under `/api/v1`, in the order of the API. */
export const routes = rowsOf("routes");
/** The endpoints that only the console has. */
export const consoleRoutes = rowsOf("consoleRoutes");

function rowsOf<Part extends "routes" | "consoleRoutes">(part: Part): readonly RowsOf<Part>[] {
  const declared = declarations.map((declaration: Declaration) => declaration[part] ?? []);
  const rows = inOrder(
    declared,
    ([method, path]) => `${method} ${path}`,
    ([, , , , options]) => options?.after,
  );
  return rows as readonly Route[] as readonly RowsOf<Part>[]; // the declarations' own rows
}
