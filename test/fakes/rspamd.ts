import { createServer, type IncomingHttpHeaders } from "node:http";
import { listen } from "../../runtime/listen.ts";

interface ScoreRequest {
  path: string;
  headers: IncomingHttpHeaders;
  raw: string;
}

/** What the filter answers to a mail: its verdict, or how it fails. */
interface Verdict {
  score: number;
  action: string;
  symbols?: Record<string, { score: number; description?: string }>;
}
export type Filtering = Verdict | { status: number; text: string } | "silence" | "cut" | "half";

export interface FakeRspamd {
  url: string;
  /** Every mail that it was asked about, in order. */
  asked: ScoreRequest[];
  answer(filtering: (request: ScoreRequest) => Filtering): void;
  close(): Promise<void>;
}

const CLEAN: Verdict = { score: 0.5, action: "no action" };

/** A spam filter that speaks rspamd's protocol on a port of 127.0.0.1, and thinks what a test says. */
export async function startRspamd(): Promise<FakeRspamd> {
  const asked: ScoreRequest[] = [];
  let filter: (request: ScoreRequest) => Filtering = () => CLEAN;
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on("data", (chunk: Buffer) => chunks.push(chunk));
    req.on("end", () => {
      const request = { path: req.url ?? "", headers: req.headers, raw: Buffer.concat(chunks).toString("utf8") };
      asked.push(request);
      const filtering = filter(request);
      if (filtering === "silence") return;
      if (filtering === "cut") return void res.socket?.destroy();
      if (typeof filtering === "object" && "status" in filtering)
        return void res.writeHead(filtering.status).end(filtering.text);
      const verdict = filtering === "half" ? CLEAN : filtering;
      const { score, action, symbols = {} } = verdict;
      const named = Object.fromEntries(
        Object.entries(symbols).map(([name, said]) => [name, { name, metric_score: said.score, options: [], ...said }]),
      );
      const text = JSON.stringify({
        is_skipped: false,
        score,
        required_score: 15,
        action,
        symbols: named,
        messages: {},
        "message-id": "x@y",
      });
      if (filtering !== "half") return void res.writeHead(200, { "Content-Type": "application/json" }).end(text);
      res.writeHead(200, { "Content-Length": String(text.length) }).write(text.slice(0, 20));
      res.socket?.destroy();
    });
  });
  const listener = await listen((req, res) => server.emit("request", req, res), 0, { host: "127.0.0.1" });
  return {
    url: `http://127.0.0.1:${listener.port}`,
    asked,
    answer(filtering) {
      filter = filtering;
    },
    close: () => listener.close(),
  };
}
