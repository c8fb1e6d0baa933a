import type { GraphRoute } from "./faults.ts";

export interface GraphTarget {
  route: GraphRoute;
  /** Null for `me`. */
  user: string | null;
  id: string;
  folder: string | null;
  /** What follows the id. */
  rest: string;
}

/** Paths below a user, with `{id}` in the place of ids. */
const SHAPES: Record<string, GraphRoute> = {
  "GET ": "user",
  "POST messages": "create",
  "GET messages": "list",
  "GET messages/delta": "delta",
  "GET messages/{id}": "get",
  "GET messages/{id}/$value": "get",
  "PATCH messages/{id}": "patch",
  "DELETE messages/{id}": "delete",
  "POST messages/{id}/send": "send",
  "POST messages/{id}/move": "move",
  "POST messages/{id}/attachments": "attach",
  "POST messages/{id}/attachments/createuploadsession": "createUploadSession",
  "POST sendmail": "sendMail",
  "GET mailfolders": "folders",
  "POST mailfolders": "createFolder",
  "GET mailfolders/{id}": "folders",
};
const SUBSCRIPTIONS =
  /^(?:(?:GET|POST) subscriptions|(?:GET|PATCH|DELETE) subscriptions\/[^/]+|POST subscriptions\/[^/]+\/reauthorize)$/i;

/** Reads a decoded path. Names have no case, and `folders('id')` is `folders/id`. */
export function targetOf(method: string, path: string): GraphTarget | null {
  const [version, ...parts] = path
    .replace(/\('([^']*)'\)/g, "/$1")
    .split("/")
    .slice(1);
  const none = { user: null, folder: null, rest: "" };
  if (version === "uploads" && method === "PUT") return { ...none, route: "upload", id: parts[0] ?? "" };
  if (version !== "v1.0") return null;
  if (SUBSCRIPTIONS.test(`${method} ${parts.join("/")}`))
    return { ...none, route: "subscriptions", id: parts[1] ?? "", rest: parts[2]?.toLowerCase() ?? "" };
  const first = parts.shift()?.toLowerCase();
  if (first !== "me" && first !== "users") return null;
  const user = first === "me" ? null : (parts.shift() ?? "");
  const isInFolder = parts[0]?.toLowerCase() === "mailfolders" && parts.length > 2;
  const folder = isInFolder ? (parts[1] ?? "") : null;
  const [noun = "", id = "", ...rest] = isInFolder ? parts.slice(2) : parts;
  const isDelta = id.toLowerCase() === "delta" && folder !== null;
  const shape = [
    noun.toLowerCase(),
    ...(id === "" ? [] : [isDelta ? "delta" : "{id}"]),
    ...rest.map((part) => part.toLowerCase()),
  ];
  const route = SHAPES[`${method} ${shape.join("/")}`];
  return route === undefined ? null : { route, user, id, folder, rest: rest.join("/").toLowerCase() };
}
