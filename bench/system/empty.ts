import express from "express";
import { answer } from "./processes.ts";

/** The minimum cost of a response over HTTP: an Express route that returns an empty object. */
const app = express();
app.get("/", (_req, res) => {
  res.json({});
});
const listener = app.listen(0, "127.0.0.1", () => {
  const address = listener.address();
  answer({ port: () => (typeof address === "object" ? address?.port : null) });
});
