import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listen } from "../../runtime/listen.ts";

/** A person as this provider keeps them; a value of null is one that it does not have. */
type FakePerson = { id: string; title: string; email: string | null; phone: string | null };
// biome-ignore lint/suspicious/noExplicitAny: a body as it came
type Asked = { path: string; body: any; key: string | undefined };

export interface FakeLeadSearch {
  url: string;
  people: Map<string, FakePerson>;
  asked: Asked[];
  /** Reveals by their idempotency key: how many people each was charged for. */
  charges: Map<string, number>;
  /** Answers in the place of the provider when it returns true. */
  fault(fault: (asked: Asked, res: ServerResponse) => boolean): void;
  close(): Promise<void>;
}

/** A provider by docs/lead-search-provider.yaml, as short as one can be. */
export async function startLeadSearch(key: string): Promise<FakeLeadSearch> {
  const people = new Map<string, FakePerson>();
  const [asked, charges]: [Asked[], Map<string, number>] = [[], new Map()];
  let fault: (asked: Asked, res: ServerResponse) => boolean = () => false;
  const shown = ({ email, phone, ...person }: FakePerson) => ({
    ...person,
    fullName: `P ${person.id}`,
    companyDomain: "a.example",
  });
  const found = (value: string | null) => (value === null ? { status: "not_found" } : { status: "found", value });
  const answers: Record<string, (asked: Asked) => object> = {
    browse({ body: { filters, page, pageSize } }) {
      const all = [...people.values()].filter(({ title }) => filters.titles?.includes(title) ?? true);
      return { items: all.slice((page - 1) * pageSize, page * pageSize).map(shown), total: all.length };
    },
    companies: () => ({ items: [{ id: "a", domain: "a.example", name: "A", prospects: people.size }], total: 1 }),
    lookups: ({ body: { kind } }) => ({
      items: kind === "TITLE" ? [{ value: "CTO", label: "CTO", count: people.size }] : [],
    }),
    prospects({ body: { prospectIds } }) {
      const items = prospectIds.flatMap((id: string) => people.get(id) ?? []).map(shown);
      return { items, total: items.length };
    },
    reveal({ body: { prospectIds, fields }, key = "" }) {
      charges.set(key, prospectIds.length);
      const items = prospectIds.flatMap((id: string) => people.get(id) ?? []);
      const of = ({ id, email, phone }: FakePerson) => ({
        id,
        ...(fields.includes("EMAIL") && { email: found(email) }),
        ...(fields.includes("PHONE") && { phone: found(phone) }),
      });
      return { items: items.map(of) };
    },
  };

  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const path = req.url?.slice(1) ?? "";
    const one: Asked = { path, body: await bodyOf(req), key: [req.headers["idempotency-key"]].flat()[0] };
    asked.push(one);
    if (req.headers.authorization !== `Bearer ${key}`) return void res.writeHead(401).end();
    if (fault(one, res)) return;
    const answer = answers[path];
    res
      .writeHead(answer === undefined ? 404 : 200, { "Content-Type": "application/json" })
      .end(JSON.stringify(answer?.(one) ?? {}));
  }

  const server = createServer((req, res) => void serve(req, res));
  const { port, close } = await listen((req, res) => server.emit("request", req, res), 0, { host: "127.0.0.1" });
  return { url: `http://127.0.0.1:${port}`, people, asked, charges, fault: (one) => (fault = one), close };
}

async function bodyOf(req: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString("utf8"));
}
