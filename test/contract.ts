import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { openapiOf } from "../api/openapi.ts";
import { routes } from "../api/routes.ts";
import type { RestAnswer } from "./rest.ts";

const document = openapiOf(routes, "https://api.test");
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true, schemas: { document } });
const compiled = new Map<string, ValidateFunction>();

/** Of several templates that a path fits the one with more words comes first, as in the router. */
const templates = routes
  .map(([method, path]) => ({ method, template: path.replaceAll(/:([A-Za-z]+)/g, "{$1}") }))
  .sort((one, other) => (one.template.replaceAll("{", "~") < other.template.replaceAll("{", "~") ? -1 : 1))
  .map((line) => ({ ...line, form: new RegExp(`^${line.template.replaceAll(/\{\w+\}/g, "[^/]+")}$`) }));

/** Throws when an answer is not one that the OpenAPI document promises: its status, and every field of its body. */
export function keptPromise(method: string, path: string, { status, body }: RestAnswer): void {
  const [bare = ""] = path.split("?");
  const line = templates.find(({ method: own, form }) => own === method.toLowerCase() && form.test(bare));
  if (line === undefined) return;
  const validate = validatorOf(line.method, line.template, String(status));
  if (validate === null) throw new Error(`${method} ${path} answered ${status}, which the document does not name`);
  if (validate(body)) return;
  throw new Error(`${method} ${path} answered ${status} with another body than promised: ${ajv.errorsText(validate.errors)}`);
}

function validatorOf(method: string, template: string, status: string): ValidateFunction | null {
  const place = ["paths", template, method, "responses", status];
  const known = compiled.get(place.join(" "));
  if (known !== undefined) return known;
  let at: unknown = document;
  for (const step of place) at = typeof at === "object" && at !== null ? Reflect.get(at, step) : undefined;
  if (at === undefined) return null;
  const pointer = [...place, "content", "application/json", "schema"].map(escaped).join("/");
  const validate = ajv.compile({ $ref: `document#/${pointer}` });
  compiled.set(place.join(" "), validate);
  return validate;
}

function escaped(step: string): string {
  return encodeURIComponent(step.replaceAll("~", "~0").replaceAll("/", "~1"));
}
