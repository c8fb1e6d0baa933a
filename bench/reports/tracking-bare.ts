import { createServer, type RequestListener } from "node:http";
import express, { type Express } from "express";
import helmet from "helmet";
import { PIXEL_GIF } from "../../api/public/pixel-gif.ts";
import { type PurposeKeys, readToken } from "../../domain/access/tokens.ts";
import type { HitKind } from "../../domain/hits.ts";
import { connect } from "../../models/connect.ts";
import { Send } from "../../models/sending/send.ts";
import { Hit, newHitId } from "../../models/tracking/hit.ts";
import { answer } from "../system/processes.ts";

/**
 * The servers that the service is compared with. `node` and `express` only return equal bytes. `idiom` does the
 * service's work in the usual way: it reads the email, stores the hit and then answers.
 */
export interface BareOrders {
  by: "node" | "express" | "idiom";
  /** The headers of the answers, equal to those of the service. */
  pixel: Record<string, string>;
  link: Record<string, string>;
  mongodbUri: string;
  /** The key of both tokens, in base64. */
  kid: string;
  key: string;
}

const { by, pixel, link, mongodbUri, kid, key }: BareOrders = JSON.parse(process.argv[2] ?? "");

const bare: RequestListener = ({ url = "" }, res) => {
  if (url.startsWith("/t/o/")) res.writeHead(200, pixel).end(PIXEL_GIF);
  else res.writeHead(302, link).end();
};

function expressApp(): Express {
  const app = express();
  app.disable("x-powered-by").disable("etag");
  app.get("/t/o/:token", (_req, res) => {
    res.set(pixel).end(PIXEL_GIF);
  });
  app.get("/t/c/:token", (_req, res) => {
    res.status(302).set(link).end();
  });
  return app;
}

function idiom(): Express {
  const one = [{ kid, key: Buffer.from(key, "base64") }];
  const keys: PurposeKeys = { u: one, o: one, c: one };
  const app = express();
  app.set("trust proxy", 1);
  app.use(helmet({ crossOriginResourcePolicy: { policy: "cross-origin" } }));
  const visited = async (kind: HitKind, token: string, { agent, ip }: { agent: string; ip: string }) => {
    const read = readToken(keys, kind === "OPEN" ? "o" : "c", token);
    const send =
      read &&
      (await Send.findOne({ _id: read.sendId }, { workspaceId: 1, tracking: 1 }, { acrossWorkspaces: true }).lean());
    if (!read || !send) return null;
    const visit = { kind, linkIndex: read.linkIndex, method: "GET", agent, address: ip, at: new Date() };
    await Hit.create({ _id: newHitId(send._id), workspaceId: send.workspaceId, sendId: send._id, ...visit });
    return send.tracking?.links[read.linkIndex ?? -1]?.url ?? null;
  };
  app.get("/t/o/:token", async (req, res) => {
    await visited("OPEN", req.params.token, { agent: req.get("user-agent") ?? "", ip: req.ip ?? "" });
    res.set({ "Cache-Control": "no-store" }).type("gif").send(PIXEL_GIF);
  });
  app.get("/t/c/:token", async (req, res) => {
    const url = await visited("CLICK", req.params.token, { agent: req.get("user-agent") ?? "", ip: req.ip ?? "" });
    if (url === null) res.sendStatus(404);
    else res.set({ "Cache-Control": "no-store", "Referrer-Policy": "no-referrer" }).redirect(url);
  });
  return app;
}

if (by === "idiom") await connect(mongodbUri);
const server = createServer(by === "node" ? bare : by === "express" ? expressApp() : idiom());
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  answer({ port: () => (typeof address === "object" ? address?.port : null) });
});
