import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listen } from "../../runtime/listen.ts";

/** What a model server was asked, as far as a test looks at it. */
export interface ModelAsked {
  path: string;
  authorization: string | undefined;
  /** The text of the body as it came. */
  raw: string;
  model: string | null;
  messages: { role: string; content: string }[];
  /** The name of the question, the marker among our rules, and the mails of the thread. */
  ref: string;
  canary: string;
  mails: { by: string; text: string }[];
  /** The sentence of a promise that is due; null: the mail has just come in. */
  due: string | null;
}

/** The text of an answer, or whatever a test writes itself. */
type ModelSays = string | ((res: ServerResponse) => void);

export interface FakeModel {
  url: string;
  asked: ModelAsked[];
  /** How the next questions are answered. */
  says(answer: (asked: ModelAsked) => ModelSays | Promise<ModelSays>): void;
  close(): Promise<void>;
}

/** An answer in the form that is asked for. */
export function inForm({ ref }: ModelAsked, more: object): string {
  return JSON.stringify({
    ref,
    category: "INTERESTED",
    confidence: 0.9,
    draft: "Gladly, thank you.",
    reasons: [],
    promises: [],
    ...more,
  });
}

/** A model server as small as one can be: it says what a test has it say, obeying nobody else. */
export async function startModel(key: string): Promise<FakeModel> {
  const asked: ModelAsked[] = [];
  let says: (one: ModelAsked) => ModelSays | Promise<ModelSays> = (one) => inForm(one, {});

  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const raw = await textOf(req);
    const one = readAsked(req.url?.replace(/^\/v1\//, "") ?? "", req.headers.authorization, raw);
    asked.push(one);
    if (one.authorization !== `Bearer ${key}`) return void res.writeHead(401).end();
    if (one.path === "models")
      return void json(res, { data: [{ id: "small" }, { id: "large", name: "The large one" }] });
    const said = await says(one);
    if (typeof said === "function") return said(res);
    json(res, {
      choices: [{ message: { role: "assistant", content: said } }],
      usage: { prompt_tokens: 100, completion_tokens: 20 },
    });
  }

  const server = createServer((req, res) => void serve(req, res));
  const { port, close } = await listen((req, res) => server.emit("request", req, res), 0, { host: "127.0.0.1" });
  return {
    url: `http://127.0.0.1:${port}/v1`,
    asked,
    says: (answer) => {
      says = answer;
    },
    close,
  };
}

function json(res: ServerResponse, body: object): void {
  res.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}

async function textOf(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

function readAsked(path: string, authorization: string | undefined, raw: string): ModelAsked {
  const { model = null, messages = [] } = raw === "" ? {} : JSON.parse(raw);
  const [system, user] = messages;
  const { ref = "", mails = [], due = null } = user === undefined ? {} : JSON.parse(user.content);
  const canary = /Marker: (\S+)/.exec(system?.content ?? "")?.[1] ?? "";
  return { path, authorization, raw, model, messages, ref, canary, mails, due };
}
