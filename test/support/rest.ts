export interface RestAnswer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads answers field by field, and the schemas are what it tests
  body: any;
  headers: Headers;
}

type Fields = Record<string, string>;

/** Milliseconds to wait for an answer, so that the failure names the call that gets none. */
const LONGEST_MS = 120_000;

/** One credential at the REST API. A body that is neither text nor a form is sent as JSON. */
export interface Rest {
  get(path: string, headers?: Fields): Promise<RestAnswer>;
  post(path: string, body?: unknown, headers?: Fields): Promise<RestAnswer>;
  put(path: string, body?: unknown, headers?: Fields): Promise<RestAnswer>;
  patch(path: string, body?: unknown, headers?: Fields): Promise<RestAnswer>;
  delete(path: string, headers?: Fields): Promise<RestAnswer>;
}

export function restOf(
  baseUrl: string,
  key: string | null,
  check: (method: string, path: string, answer: RestAnswer) => void = () => {},
): Rest {
  const call = async (method: string, path: string, body: unknown, headers: Fields = {}): Promise<RestAnswer> => {
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        ...(key !== null && { Authorization: `Bearer ${key}` }),
        ...(body !== undefined && !(body instanceof FormData) && { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: isSentAsItIs(body) ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(LONGEST_MS),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json");
    const answer = { status: response.status, body: isJson ? JSON.parse(text) : text, headers: response.headers };
    check(method, path, answer);
    return answer;
  };
  return {
    get: (path, headers) => call("GET", path, undefined, headers),
    post: (path, body, headers) => call("POST", path, body, headers),
    put: (path, body, headers) => call("PUT", path, body, headers),
    patch: (path, body, headers) => call("PATCH", path, body, headers),
    delete: (path, headers) => call("DELETE", path, undefined, headers),
  };
}

function isSentAsItIs(body: unknown): body is string | Uint8Array<ArrayBuffer> | FormData {
  return typeof body === "string" || body instanceof Uint8Array || body instanceof FormData;
}
