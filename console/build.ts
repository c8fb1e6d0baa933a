import { execFile } from "node:child_process";
import { watch } from "node:fs";
import { copyFile, cp, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { build, type Plugin } from "vite";
import { DEVELOPMENT } from "../runtime/console-files.ts";
import { loadConsoleKey } from "../runtime/console-key.ts";

/**
 * Builds the pages into a folder: `node console/build.ts <folder>`, by default `console/dist`. The folder is created
 * complete or not at all. With `--watch` the pages are rebuilt after each change, while `npm start` serves them.
 * `--watch` and `--specimen` add the page `/w/{workspaceId}/specimen`, which shows every component of `kit/`.
 */
const [folder = join(import.meta.dirname, "dist")] = process.argv.slice(2).filter((word) => !word.startsWith("--"));
/** The most bytes of output of `build-limits.ts`; its real output is smaller. */
const PRINTED_BYTES = 16_000_000;
const isWatching = process.argv.includes("--watch");
const mode = isWatching || process.argv.includes("--specimen") ? "specimen" : "production";

if (isWatching) await buildOnChanges();
else await buildOnce(await loadConsoleKey());

async function buildOnce(key: string): Promise<void> {
  const begun = performance.now();
  const part = `${folder}.${process.pid}.part`;
  const limits = await loadLimits();
  try {
    await build({
      root: import.meta.dirname,
      base: "./",
      configFile: false,
      logLevel: "error",
      mode,
      oxc: { jsx: { runtime: "automatic", development: false } },
      plugins: [limitsPlugin(limits)],
      // React itself has this hook, so the replacement for older versions of React is not bundled
      resolve: { alias: { "use-sync-external-store/shim/with-selector": "use-sync-external-store/with-selector" } },
      build: {
        outDir: part,
        emptyOutDir: true,
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        target: "es2023",
        license: true,
        rolldownOptions: {
          input: [join(import.meta.dirname, "index.html"), join(import.meta.dirname, "mail-frame.ts")],
          // The service finds the script of the mail frame by its name, which no shared part may have
          output: { chunkFileNames: "assets/part-[name]-[hash].js" },
        },
        reportCompressedSize: false,
      },
    });
    await compressAll(join(part, "assets"));
    await writeFile(join(part, "key"), key);
    await place(part);
  } finally {
    await rm(part, { recursive: true, force: true });
  }
  console.log(`The console was built in ${Math.round(performance.now() - begun)} ms: ${folder}`);
}

/**
 * Copies the new files into the folder. Old files stay, because open tabs request them. `index.html`, which names the
 * new files, is written last.
 */
async function place(part: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  const isNew = await rename(part, folder).then(
    () => true,
    () => false,
  );
  if (isNew) return;
  await cp(join(part, "assets"), join(folder, "assets"), { recursive: true });
  for (const name of ["key", "index.html"]) {
    await copyFile(join(part, name), join(folder, `${name}.part`));
    await rename(join(folder, `${name}.part`), join(folder, name));
  }
}

async function compressAll(assets: string): Promise<void> {
  for (const name of await readdir(assets)) {
    const text = await readFile(join(assets, name));
    const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: text.length };
    await writeFile(join(assets, `${name}.br`), await promisify(brotliCompress)(text, { params }));
    await writeFile(join(assets, `${name}.gz`), await promisify(gzip)(text, { level: 9 }));
  }
}

/** Runs `build-limits.ts` before the bundler starts, so that the two do not need their memory at the same time. */
async function loadLimits(): Promise<string> {
  const script = join(import.meta.dirname, "build-limits.ts");
  return (await promisify(execFile)(process.execPath, ["--no-warnings", script], { maxBuffer: PRINTED_BYTES })).stdout;
}

/** The limits of forms, as a module that the pages import. */
function limitsPlugin(limits: string): Plugin {
  const name = "virtual:limits";
  return {
    name: "limits",
    resolveId: (id) => (id === name ? `\0${name}` : null),
    load: (id) => (id === `\0${name}` ? `export default ${limits}` : null),
  };
}

async function buildOnChanges(): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  process.once("SIGINT", () => void rm(folder, { recursive: true, force: true }).then(() => process.exit()));
  let [isWanted, isRunning] = [false, false];
  const go = async () => {
    isWanted = true;
    if (isRunning) return;
    isRunning = true;
    while (isWanted) {
      isWanted = false;
      await buildOnce(DEVELOPMENT).catch((err: unknown) => console.error(err instanceof Error ? err.message : err));
    }
    isRunning = false;
  };
  for (const room of [import.meta.dirname, join(import.meta.dirname, "../domain")]) {
    watch(room, { recursive: true }, (_, name) => {
      if (name !== null && !name.startsWith("dist")) void go();
    });
  }
  await go();
}
