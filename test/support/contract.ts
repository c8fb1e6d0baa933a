import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { openapiOf } from "../../api/openapi.ts";
import { routes } from "../../api/routes.ts";
import type { RestAnswer } from "./rest.ts";

const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
const compiled = new Map<string, ValidateFunction>();

/** If several templates match a path, the one with more fixed words comes first, as in the router. */
const templates = routes
  .map((route, index) => ({ route, id: `route-${index}`, template: route[1].replaceAll(/:([A-Za-z]+)/g, "{$1}") }))
  .sort((one, other) => (one.template.replaceAll("{", "~") < other.template.replaceAll("{", "~") ? -1 : 1))
  .map((line) => ({ ...line, form: new RegExp(`^${line.template.replaceAll(/\{\w+\}/g, "[^/]+")}$`) }));
type Line = (typeof templates)[number];

/**
 * Throws when a response is not one that the OpenAPI document promises, in its status, its error code and every field
 * of its body.
 */
export function keptPromise(method: string, path: string, { status, body }: RestAnswer): void {
  const [bare = ""] = path.split("?");
  const line = templates.find(({ route, form }) => route[0] === method.toLowerCase() && form.test(bare));
  if (line === undefined) return;
  const validate = validatorOf(line, String(status));
  if (validate === null) throw new Error(`${method} ${path} answered ${status}, which the document does not name`);
  const codes = at(documentOf(line), [...placeOf(line, String(status)), "x-codes"]);
  if (Array.isArray(codes) && !codes.includes(body.code)) {
    throw new Error(
      `${method} ${path} answered ${body.code}, which the document does not name: see \`errors\` of the operation`,
    );
  }
  if (validate(body)) return;
  throw new Error(
    `${method} ${path} answered ${status} with another body than promised: ${ajv.errorsText(validate.errors)}`,
  );
}

function validatorOf(line: Line, status: string): ValidateFunction | null {
  const place = placeOf(line, status);
  const known = compiled.get(place.join(" "));
  if (known !== undefined) return known;
  if (at(documentOf(line), place) === undefined) return null;
  const pointer = [...place, "content", "application/json", "schema"].map(escaped).join("/");
  const validate = ajv.compile({ $ref: `${line.id}#/${pointer}` });
  compiled.set(place.join(" "), validate);
  return validate;
}

function placeOf({ route, template }: Line, status: string): string[] {
  return ["paths", template, route[0], "responses", status];
}

function at(document: unknown, place: readonly string[]): unknown {
  return place.reduce<unknown>(
    (inner, step) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, step) : undefined),
    document,
  );
}

const documents = new Map<string, unknown>();

/** The document of this line alone: a test file needs few lines, and the whole document takes a fifth of a second. */
function documentOf({ route, id }: Line): unknown {
  const made = documents.get(id);
  if (made !== undefined) return made;
  const document = openapiOf([route], "https://api.test");
  documents.set(id, document);
  ajv.addSchema(document, id);
  return document;
}

function escaped(step: string): string {
  return encodeURIComponent(step.replaceAll("~", "~0").replaceAll("/", "~1"));
}
