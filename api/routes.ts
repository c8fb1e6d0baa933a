import * as account from "../operations/account.ts";
import type { Choice } from "../operations/choice.ts";
import type { AnyOperation } from "../operations/operation.ts";

export type Method = "get" | "post" | "put" | "patch" | "delete";

export interface RouteOptions {
  /** The field of the input that takes the whole body. */
  whole?: string;
  /** The larger body and array of an import. */
  isImport?: true;
}

/** Path parameters are named as the operation names them; without a status it is 200. */
export type Route = readonly [
  method: Method,
  path: string,
  operation: AnyOperation | Choice,
  status?: 200 | 201 | 202,
  options?: RouteOptions,
];

/** The interface, line by line. A path of words comes before one of parameters by itself, whatever the order here. */
export const routes: Route[] = [
  // Identity
  ["get", "/whoami", account.whoami],
];
