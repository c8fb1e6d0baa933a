import express from "express";
import { answer } from "./processes.ts";

/** The least that a response over HTTP costs: an Express route that returns nothing. */
const app = express();
app.get("/", (_req, res) => {
  res.json({});
});
const listener = app.listen(0, "127.0.0.1", () => {
  const address = listener.address();
  answer({ port: () => (typeof address === "object" ? address?.port : null) });
});
