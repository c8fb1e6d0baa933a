import { parseSetCookie } from "cookie";
import { type Rest, restOf } from "./rest.ts";

/**
 * A browser as the pages meet it: it keeps cookies, follows redirects when told to, and posts the forms it was shown.
 */
export interface PersonBrowser {
  cookies: Map<string, string>;
  /** The last page. */
  page: { status: number; url: string; html: string; headers: Headers };
  open(path: string): Promise<string>;
  /** Fills the form of the last page and posts it; follows the redirect. Its hidden fields go along. */
  submit(fields: Record<string, string | string[]>, action?: string): Promise<string>;
  /** A request without anything done for it. */
  fetch(path: string, options?: RequestInit): Promise<Response>;
  /** The console's own API, in a workspace. */
  console(workspaceId: string | null): Rest;
}

export function newBrowser(baseUrl: string, headers: Record<string, string> = {}): PersonBrowser {
  const cookies = new Map<string, string>();
  const jar = () => [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const send = async (path: string, options: RequestInit = {}): Promise<Response> => {
    const sent = {
      ...headers,
      ...(cookies.size > 0 && { Cookie: jar() }),
      ...Object.fromEntries(new Headers(options.headers)),
    };
    const response = await fetch(new URL(path, baseUrl), { ...options, headers: sent, redirect: "manual" });
    for (const line of response.headers.getSetCookie()) {
      const { name, value = "", maxAge, expires } = parseSetCookie(line);
      if (maxAge === 0 || (expires !== undefined && expires.getTime() < Date.now())) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  };
  const browser: PersonBrowser = {
    cookies,
    page: { status: 0, url: "/", html: "", headers: new Headers() },
    open: (path) => follow(path, {}),
    submit: (fields, action) => {
      const { html, url } = browser.page;
      const body = new URLSearchParams();
      for (const [, name = "", value = ""] of html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)) {
        if (!(name in fields)) body.append(name, plain(value));
      }
      for (const [name, value] of Object.entries(fields)) for (const one of [value].flat()) body.append(name, one);
      const [, own] = /<form method="post" action="([^"]*)"/.exec(html) ?? [];
      const address = new URL(action ?? plain(own ?? ""), new URL(url, baseUrl));
      return follow(
        `${address.pathname}${address.search || (own === undefined && action === undefined ? new URL(url, baseUrl).search : "")}`,
        {
          method: "POST",
          body,
          headers: { "Sec-Fetch-Site": "same-origin" },
        },
      );
    },
    fetch: send,
    console: (workspaceId) => consoleOf(baseUrl, headers, jar, workspaceId),
  };
  const follow = async (path: string, options: RequestInit): Promise<string> => {
    let [at, response] = [path, await send(path, options)];
    for (let hops = 0; hops < 10 && [302, 303].includes(response.status); hops++) {
      const next = new URL(response.headers.get("location") ?? "", new URL(at, baseUrl));
      if (next.origin !== new URL(baseUrl).origin) break;
      at = `${next.pathname}${next.search}`;
      response = await send(at);
    }
    browser.page = { status: response.status, url: at, html: await response.text(), headers: response.headers };
    return browser.page.html;
  };
  return browser;
}

function consoleOf(
  baseUrl: string,
  headers: Record<string, string>,
  jar: () => string,
  workspaceId: string | null,
): Rest {
  const rest = restOf(`${baseUrl}/console/api/v1`, null);
  const own = (more: Record<string, string> = {}) => {
    const named = workspaceId === null ? {} : { "X-Workspace": workspaceId };
    return { ...headers, Cookie: jar(), "X-Console": "1", ...named, ...more };
  };
  return {
    get: (path, more) => rest.get(path, own(more)),
    post: (path, body, more) => rest.post(path, body, own(more)),
    put: (path, body, more) => rest.put(path, body, own(more)),
    patch: (path, body, more) => rest.patch(path, body, own(more)),
    delete: (path, more) => rest.delete(path, own(more)),
  };
}

function plain(html: string): string {
  return html.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
}
