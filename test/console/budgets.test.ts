import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, expect, test } from "@jest/globals";
import { FRAME_SCRIPT } from "../../api/console/mail-frame.ts";
import { builtConsole } from "./console-world.ts";

/**
 * Kilobytes of 1,000 bytes, compressed by gzip. The shell has the sidebar, the bar of phones and their icons besides
 * React, the router and the queries.
 */
const [SHELL_KB, PAGE_KB, CSS_KB] = [130, 20, 12];

let folder: string;
let sizes: Map<string, number>;

beforeAll(async () => {
  [folder = ""] = (await builtConsole()).folders();
  const names = (await readdir(join(folder, "assets"))).filter((name) => /\.(?:js|css)$/.test(name));
  const packed = names.map(
    async (name) =>
      [name, gzipSync(await readFile(join(folder, "assets", name)), { level: 9 }).length / 1_000] as const,
  );
  sizes = new Map(await Promise.all(packed));
}, 120_000);

test("the shell, each page and the styles stay within their size budgets", async () => {
  const page = await readFile(join(folder, "index.html"), "utf8");
  const ofShell = [...sizes].filter(([name]) => page.includes(name) && name.endsWith(".js"));
  const ofPages = [...sizes].filter(([name]) => !page.includes(name) && name.endsWith(".js"));
  expect(ofShell.length).toBeGreaterThan(0);
  expect(ofPages.length).toBeGreaterThan(2);
  expect(ofShell.reduce((sum, [, size]) => sum + size, 0)).toBeLessThan(SHELL_KB);
  expect(ofPages.filter(([, size]) => size > PAGE_KB)).toEqual([]);
  expect([...sizes].filter(([name, size]) => name.endsWith(".css") && size > CSS_KB)).toEqual([]);
});

test("one file has the name of the mail frame's script, and it imports nothing", async () => {
  const [script, ...others] = [...sizes.keys()].filter((name) => FRAME_SCRIPT.test(name));
  expect(others).toEqual([]);
  const text = await readFile(join(folder, "assets", script ?? ""), "utf8");
  expect(/\bimport\b/.exec(text)).toBeNull();
});

test("the bundle contains no server code and no address of another site", async () => {
  for (const name of sizes.keys()) {
    const text = await readFile(join(folder, "assets", name), "utf8");
    expect([name, /mongoose|\$elemMatch|ocp_live_|ZodError|node:crypto/.exec(text)?.[0]]).toEqual([name, undefined]);
    // React names its own pages in errors, and the namespaces of SVG are names; nothing is loaded from either
    const places = [...text.matchAll(/https?:\/\/[\w.-]+/g)].map(([place]) => place);
    const known = [
      "http://www.w3.org",
      "https://react.dev",
      "https://reactjs.org",
      "http://localhost",
      "https://tanstack.com",
    ];
    expect([name, places.filter((place) => !known.includes(place))]).toEqual([name, []]);
  }
});
