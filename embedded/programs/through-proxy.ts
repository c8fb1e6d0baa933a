import type { RequestInit, Response } from "undici";

/**
 * Requests a vendor's address. On a machine that reaches the world through a proxy only, `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` are
 * heeded, as pip, Go and both vendors' downloaders do by themselves. `use` reads the answer, whose connection is closed afterwards.
 */
export async function request<T>(url: string, init: RequestInit, use: (response: Response) => Promise<T>): Promise<T> {
  // Loaded here, because hardly any start downloads something
  const { EnvHttpProxyAgent, fetch } = await import("undici");
  const dispatcher = new EnvHttpProxyAgent();
  try {
    return await use(await fetch(url, { ...init, dispatcher }));
  } finally {
    await dispatcher.destroy();
  }
}
