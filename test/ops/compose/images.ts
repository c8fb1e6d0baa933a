import { chmod, copyFile, cp, mkdir, readdir, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { findMongod } from "../../../embedded/programs/mongod-program.ts";
import { goProgram, npmFolder, runTool } from "../../clients/tools.ts";

/** What stands for an image: programs, folders and a first command. */
export interface Image {
  /** A folder whose programs are found before all others. */
  programs: string;
  /** Further folders and files, by the path that they have in a container. They are read-only. */
  folders: Record<string, string>;
  entrypoint: string[];
  command: string[];
  workdir: string;
  environment: Record<string, string>;
  /** The user unless the file names one. */
  user: string;
}

const SERVER = "go.temporal.io/server/cmd/server@v1.32.1";
const SQL_TOOL = "go.temporal.io/server/cmd/tools/sql@v1.32.1";
const CLI = "github.com/temporalio/cli/cmd/temporal@v1.5.1";
const HERE = import.meta.dirname;

/**
 * Makes what stands for each image of docker-compose.yml, from the same sources where this machine has them: the
 * service from this checkout by the steps of the Dockerfile, Temporal and its tools from their Go modules, mongosh from
 * npm. MongoDB and PostgreSQL are the versions of this machine, with short entrypoints in place of their images' own.
 */
export async function makeImages(folder: string): Promise<(image: string) => Image> {
  const images: Record<string, Image> = {
    outreach: await serviceImage(join(folder, "outreach")),
    mongo: await mongoImage(join(folder, "mongo")),
    postgres: await postgresImage(join(folder, "postgres")),
    ...(await temporalImages(join(folder, "temporal"))),
  };
  return (name) => {
    const image = images[name.slice(0, name.lastIndexOf(":"))];
    if (image === undefined) throw new Error(`Nothing stands for the image ${name}`);
    return image;
  };
}

const BLANK = { folders: {}, entrypoint: [], command: [], workdir: "/", environment: {}, user: "root" };

async function serviceImage(folder: string): Promise<Image> {
  const app = join(folder, "app");
  await mkdir(app, { recursive: true });
  const files = await runTool("git", ["ls-files", "-z"], ".");
  for (const path of files.split("\0").filter((name) => name !== "" && !name.startsWith("test/"))) {
    await mkdir(dirname(join(app, path)), { recursive: true });
    await cp(path, join(app, path));
  }
  await runTool("cp", ["-al", "node_modules", app], ".");
  await runTool(process.execPath, ["--no-warnings", "worker/bundle.ts"], app);
  await runTool("npm", ["run", "--silent", "console:build"], app);
  const programs = await programsIn(join(folder, "bin"), { node: process.execPath });
  return {
    ...BLANK,
    programs,
    folders: { "/app": app },
    workdir: "/app",
    environment: { NODE_ENV: "production", HOME: "/home/node" },
  };
}

async function mongoImage(folder: string): Promise<Image> {
  const { PATH, HOME, XDG_CACHE_HOME } = process.env;
  const { path } = await findMongod(process.env["MONGOD_BIN"], { PATH, HOME, XDG_CACHE_HOME }, () => {});
  const mongosh = await npmFolder("mongosh", { mongosh: "2.5.8" });
  const programs = await programsIn(join(folder, "bin"), {
    mongod: path,
    node: process.execPath,
    "docker-entrypoint.sh": join(HERE, "mongo-entrypoint.sh"),
  });
  const shell = '#!/bin/sh\nexec node /opt/mongosh/node_modules/mongosh/bin/mongosh.js "$@"\n';
  await writeFile(join(programs, "mongosh"), shell, { mode: 0o755 });
  // npm's folder may lie where only root may read
  const readable = join(folder, "mongosh");
  await cp(mongosh, readable, { recursive: true });
  return {
    ...BLANK,
    programs,
    folders: { "/opt/mongosh": readable },
    entrypoint: ["docker-entrypoint.sh"],
    command: ["mongod"],
    environment: { HOME: "/tmp" },
  };
}

async function postgresImage(folder: string): Promise<Image> {
  const programs = await programsIn(join(folder, "bin"), {
    "docker-entrypoint.sh": join(HERE, "postgres-entrypoint.sh"),
  });
  return {
    ...BLANK,
    programs,
    entrypoint: ["docker-entrypoint.sh"],
    command: ["postgres"],
    environment: { PGDATA: "/var/lib/postgresql/data", PATH: await postgresPath() },
  };
}

/** Debian keeps the programs of PostgreSQL in a folder by version. */
async function postgresPath(): Promise<string> {
  const root = "/usr/lib/postgresql";
  const versions = await readdir(root).catch(() => []);
  return [...versions.map((version) => join(root, version, "bin")), process.env["PATH"] ?? ""].join(delimiter);
}

async function temporalImages(folder: string): Promise<Record<string, Image>> {
  const sources = await sourcesOf(SERVER);
  const etc = join(folder, "etc");
  await cp(join(sources, "schema"), join(etc, "schema"), { recursive: true });
  await copyFile(join(sources, "docker/scripts/sh/entrypoint.sh"), join(etc, "entrypoint.sh"));
  await runTool("chmod", ["-R", "a+rX,u+w", etc], ".");
  await chmod(join(etc, "entrypoint.sh"), 0o755);
  const server = await programsIn(join(folder, "server"), {
    "temporal-server": await goProgram(SERVER),
    node: process.execPath,
  });
  // The image has netcat, of which only the check of a port is used
  const nc = `#!/bin/sh\nexec node -e 'require("net").connect(process.argv[2], process.argv[1]).on("connect", () => process.exit(0)).on("error", () => process.exit(1))' "$2" "$3"\n`;
  await writeFile(join(server, "nc"), nc, { mode: 0o755 });
  const tools = await programsIn(join(folder, "tools"), {
    "temporal-sql-tool": await goProgram(SQL_TOOL),
    temporal: await goProgram(CLI),
  });
  // The shell of their images knows pipefail, which Debian's does not
  const folders = { "/etc/temporal": etc, "/bin/sh": "/bin/bash" };
  return {
    "temporalio/server": {
      ...BLANK,
      programs: server,
      folders,
      user: "temporal",
      entrypoint: ["/etc/temporal/entrypoint.sh"],
    },
    "temporalio/admin-tools": { ...BLANK, programs: tools, folders, user: "temporal" },
  };
}

async function sourcesOf(module: string): Promise<string> {
  await goProgram(module);
  const [, version] = module.split("@");
  const cache = (await runTool("go", ["env", "GOMODCACHE"], ".")).trim();
  return join(cache, `go.temporal.io/server@${version}`);
}

/** A folder with copies of programs, because the originals may lie where only root may read. */
async function programsIn(folder: string, programs: Record<string, string>): Promise<string> {
  await mkdir(folder, { recursive: true });
  for (const [name, path] of Object.entries(programs)) {
    await copyFile(path, join(folder, name));
    await chmod(join(folder, name), 0o755);
  }
  return folder;
}
