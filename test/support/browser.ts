/** Where a walk through the service's pages ended: at one of them, or at an outside address, which was not opened. */
export interface Landing {
  url: URL;
  status: number;
  html: string;
  headers: Headers;
}

/** A browser with a cookie jar, whose user follows redirects and fills in forms. */
export interface Browser {
  open(url: string | URL): Promise<Landing>;
  /** Submits the page's posting form with its values and these changes; null takes a field out. */
  submit(page: Landing, changes: Record<string, string | null>): Promise<Landing>;
  setCookie(name: string, value: string): void;
  /** How many requests it has made. */
  requests(): number;
}

interface Cookie {
  name: string;
  value: string;
  path: string;
}

export function browserAt(origin: string): Browser {
  const jar = new Map<string, Cookie>();
  let count = 0;

  async function go(start: string | URL, init: RequestInit = {}): Promise<Landing> {
    let [url, request] = [new URL(start, origin), init];
    for (let hops = 0; hops < 10; hops++) {
      if (url.origin !== new URL(origin).origin) return { url, status: 0, html: "", headers: new Headers() };
      count++;
      const response = await fetch(url, {
        ...request,
        redirect: "manual",
        headers: { ...request.headers, cookie: cookiesFor(url) },
      });
      response.headers.getSetCookie().forEach(keep);
      const next = response.headers.get("location");
      if (next === null)
        return { url, status: response.status, html: await response.text(), headers: response.headers };
      [url, request] = [new URL(next, url), {}];
    }
    throw new Error(`Redirected again and again, last to ${url}`);
  }

  function keep(line: string): void {
    const [pair = "", ...attributes] = line.split("; ");
    const name = pair.slice(0, pair.indexOf("="));
    const path = attributes.find((one) => /^path=/i.test(one))?.slice(5) ?? "/";
    const expires = attributes.find((one) => /^expires=/i.test(one))?.slice(8);
    const isGone = expires !== undefined && Date.parse(expires) <= Date.now();
    if (isGone) jar.delete(`${name} ${path}`);
    else jar.set(`${name} ${path}`, { name, value: pair.slice(name.length + 1), path });
  }

  function cookiesFor({ pathname }: URL): string {
    const sent = [...jar.values()].filter(
      ({ path }) => pathname === path || pathname.startsWith(path.replace(/\/?$/, "/")),
    );
    return sent.map(({ name, value }) => `${name}=${value}`).join("; ");
  }

  return {
    open: (url) => go(url),
    submit(page, changes) {
      const fields = { ...fieldsOf(page.html), ...changes };
      const body = new URLSearchParams(
        Object.entries(fields).flatMap(([name, value]): [string, string][] => (value === null ? [] : [[name, value]])),
      );
      return go(page.url, { method: "POST", body });
    },
    setCookie: (name, value) => void jar.set(`${name} /`, { name, value, path: "/" }),
    requests: () => count,
  };
}

/** What a browser would send of the form that posts: texts, hidden fields, and boxes that are ticked. */
export function fieldsOf(html: string): Record<string, string> {
  const form = /<form method="post"[\s\S]*?<\/form>/.exec(html)?.[0] ?? "";
  const inputs = form.match(/<input [^>]*>/g) ?? [];
  return Object.fromEntries(
    inputs.flatMap((input) => {
      const [name, type, value = "on"] = ["name", "type", "value"].map((attribute) => attributeOf(input, attribute));
      const isBox = type === "checkbox" || type === "radio";
      const isSent = name !== undefined && !/ disabled/.test(input) && (!isBox || / checked/.test(input));
      return isSent ? [[name, value]] : [];
    }),
  );
}

function attributeOf(tag: string, name: string): string | undefined {
  return new RegExp(` ${name}="([^"]*)"`)
    .exec(tag)?.[1]
    ?.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
}
